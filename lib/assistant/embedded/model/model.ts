import type { Label } from '../intents.ts';
import { type Features, featuresOf, isWholeWord } from './features.ts';

/** A trained model as it is kept: `features` has a name and in how many examples it was seen a line, `weights` an Int8Array by feature and label. */
export interface StoredModel {
  digest: string;
  labels: string[];
  examples: number;
  features: string;
  weights: string;
}

/** Index and value of each feature; its length is 1, or less where the text says what no example does. */
export type Vector = readonly (readonly [number, number])[];

export interface Model {
  /** How likely a text asks for each label, the likeliest first; they add up to 1. Pure. */
  judge(text: string): { label: Label; likely: number }[];
  /** True for a meaning that some example has. */
  knows(token: string): boolean;
}

/** A weight of 1 in stored units. */
export const WEIGHT_STEPS = 16;
/** What a word that no example has takes from the certainty. */
const UNKNOWN_SAYS = 4.5;

/** What is rare says more (inverse document frequency). */
export const rarity = (times: number, examples: number): number => Math.log(1 + examples / times);

/** The features that are known, weighed by rarity, over the length of all. Pure. */
export function toVector(features: Features, index: ReadonlyMap<string, number>, rarities: Float32Array): Vector {
  const known: [number, number][] = [];
  let square = 0;
  for (const [name, says] of features) {
    const place = index.get(name);
    if (place === undefined) {
      if (isWholeWord(name)) square += says * says * UNKNOWN_SAYS;
      continue;
    }
    const value = says * (rarities[place] ?? 0);
    known.push([place, value]);
    square += value * value;
  }
  const length = Math.sqrt(square) || 1;
  return known.map(([place, value]) => [place, value / length]);
}

/** Makes a kept model ready: no training, some milliseconds. */
export function load(stored: StoredModel): Model {
  const index = new Map<string, number>();
  const rarities: number[] = [];
  for (const line of stored.features.split('\n')) {
    const [name = '', times = '1'] = line.split(' ');
    index.set(name, rarities.length);
    rarities.push(rarity(Number(times), stored.examples));
  }
  const rare = Float32Array.from(rarities);
  const bytes = Buffer.from(stored.weights, 'base64');
  const weights = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const labels = stored.labels as Label[];
  return {
    judge(text) {
      const scores = new Float64Array(labels.length);
      for (const [place, value] of toVector(featuresOf(text), index, rare)) {
        for (let kind = 0, at = place * labels.length; kind < labels.length; kind++, at++) {
          scores[kind] = (scores[kind] ?? 0) + ((weights[at] ?? 0) / WEIGHT_STEPS) * value;
        }
      }
      const highest = Math.max(...scores);
      const shares = scores.map((score) => Math.exp(score - highest));
      const sum = shares.reduce((all, share) => all + share, 0);
      return labels
        .map((label, kind) => ({ label, likely: (shares[kind] ?? 0) / sum }))
        .toSorted((a, b) => b.likely - a.likely);
    },
    knows: (token) => index.has(`m:${token}`),
  };
}
