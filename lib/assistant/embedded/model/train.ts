import { createHash } from 'node:crypto';
import type { Label } from '../intents.ts';
import { withAsides } from './asides.ts';
import type { Example } from './examples.ts';
import { type Features, featuresOf, isWholeWord } from './features.ts';
import { rarity, type StoredModel, toVector, type Vector, WEIGHT_STEPS } from './model.ts';

const EPOCHS = 6;
const RATE = 0.5;
const DECAY = 1e-5;
/** Smaller pulls change nothing that an eighth of a bit would show. */
const LEAST_PULL = 1e-3;
/** A pair of words or a run of letters that fewer examples have is chance. */
const LEAST_SEEN = 3;
const SEED = 7;

/** What the examples look like to the model, and what is added to them: another digest needs another training. */
export function digestOf(examples: readonly Example[]): string {
  const hash = createHash('sha256');
  for (const { text } of withAsides(examples)) hash.update(`${text}\n`);
  for (const { label, text } of examples) hash.update(`${label} ${[...featuresOf(text)].join(' ')}\n`);
  return hash.digest('hex');
}

/** How many texts have each feature. Pairs and letters that few of the examples themselves have are left out. */
function counted(all: readonly Features[], own: number): Map<string, number> {
  const seen = new Map<string, { times: number; ofOwn: number }>();
  for (const [place, features] of all.entries()) {
    for (const name of features.keys()) {
      const count = seen.get(name) ?? { times: 0, ofOwn: 0 };
      count.times += 1;
      if (place < own) count.ofOwn += 1;
      seen.set(name, count);
    }
  }
  return new Map(
    [...seen]
      .filter(([name, { ofOwn }]) => ofOwn >= LEAST_SEEN || isWholeWord(name))
      .map(([name, { times }]) => [name, times]),
  );
}

/** The same order each time. */
function* shuffled(length: number): Generator<readonly number[]> {
  let state = SEED;
  const random = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
  const order = Array.from({ length }, (_, place) => place);
  for (;;) {
    for (let place = length - 1; place > 0; place--) {
      const other = Math.floor(random() * (place + 1));
      [order[place], order[other]] = [order[other] ?? 0, order[place] ?? 0];
    }
    yield order;
  }
}

/** Weights by feature and label of a multinomial logistic regression, found by AdaGrad. */
function regress(
  vectors: readonly Vector[],
  labels: readonly number[],
  kinds: number,
  dimensions: number,
): Float32Array {
  const weights = new Float32Array(dimensions * kinds);
  const pulls = new Float32Array(dimensions * kinds);
  const sizes = new Float64Array(kinds);
  for (const label of labels) sizes[label] = (sizes[label] ?? 0) + 1;
  // A question with few examples counts more for each: it is not asked less clearly.
  const worth = sizes.map((size) => Math.sqrt(labels.length / kinds / Math.max(1, size)));
  const orders = shuffled(vectors.length);
  const wrong = new Float64Array(kinds);
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    for (const place of orders.next().value ?? []) {
      const vector = vectors[place];
      const label = labels[place];
      if (vector === undefined || label === undefined) continue;
      softmax(vector, weights, wrong);
      wrong[label] = (wrong[label] ?? 0) - 1;
      const factor = worth[label] ?? 1;
      for (const [index, value] of vector) {
        for (let kind = 0, at = index * kinds; kind < kinds; kind++, at++) {
          const pull = factor * (wrong[kind] ?? 0) * value + DECAY * (weights[at] ?? 0);
          if (Math.abs(pull) < LEAST_PULL) continue;
          pulls[at] = (pulls[at] ?? 0) + pull * pull;
          weights[at] = (weights[at] ?? 0) - (RATE * pull) / Math.sqrt((pulls[at] ?? 0) + 1e-4);
        }
      }
    }
  }
  return weights;
}

/** What a vector is by some weights, as probabilities. */
function softmax(vector: Vector, weights: Float32Array, out: Float64Array): void {
  out.fill(0);
  for (const [index, value] of vector) {
    for (let kind = 0, at = index * out.length; kind < out.length; kind++, at++) {
      out[kind] = (out[kind] ?? 0) + (weights[at] ?? 0) * value;
    }
  }
  const highest = Math.max(...out);
  let sum = 0;
  for (const [kind, score] of out.entries()) {
    out[kind] = Math.exp(score - highest);
    sum += out[kind] ?? 0;
  }
  for (const [kind, share] of out.entries()) out[kind] = share / sum;
}

/** Learns from the examples what tells their labels apart. Pure, and the same each time on one machine. */
export function train(given: readonly Example[], labels: readonly Label[]): StoredModel {
  const examples = withAsides(given);
  const all = examples.map(({ text }) => featuresOf(text));
  const seen = counted(all, given.length);
  const index = new Map([...seen.keys()].map((name, place) => [name, place] as const));
  const rarities = Float32Array.from(seen.values(), (times) => rarity(times, examples.length));
  const vectors = all.map((features) => toVector(features, index, rarities));
  const labelled = examples.map(({ label }) => labels.indexOf(label));
  const weights = regress(vectors, labelled, labels.length, seen.size);
  const stored = Int8Array.from(weights, (weight) => Math.max(-127, Math.min(127, Math.round(weight * WEIGHT_STEPS))));
  return {
    digest: digestOf(given),
    labels: [...labels],
    examples: examples.length,
    features: [...seen].map(([name, times]) => `${name} ${times}`).join('\n'),
    weights: Buffer.from(stored.buffer).toString('base64'),
  };
}
