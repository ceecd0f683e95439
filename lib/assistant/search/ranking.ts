import { folded, termsOf } from './terms.ts';

/** What can be found: the ways to ask for it, and what else it is found by. */
export interface Findable {
  asks: readonly string[];
  text: string;
}

/** In which of what is found each term or run of letters stands: its place as often as it stands there. */
type Postings = Map<string, number[]>;

function post(postings: Postings, keys: readonly string[], place: number): void {
  for (const key of keys) {
    const places = postings.get(key);
    if (places === undefined) postings.set(key, [place]);
    else places.push(place);
  }
}

const SATURATION = 0.6;
const LENGTH_SHARE = 0.8;

/** What a term says of each place by BM25: ever less for each further time, and less of what says much. */
function saidBy(term: string, { terms, lengths }: Index): Map<number, number> {
  const counts = new Map<number, number>();
  for (const place of terms.get(term) ?? []) counts.set(place, (counts.get(place) ?? 0) + 1);
  const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  for (const [place, count] of counts) {
    const length = LENGTH_SHARE * ((lengths[place] ?? 0) / mean) + 1 - LENGTH_SHARE;
    counts.set(place, (count * (SATURATION + 1)) / (count + SATURATION * length));
  }
  return counts;
}

/** The weight of a term that nothing here has. A mark (#amount) that nothing has says nothing. */
const UNKNOWN = 2;

const GRAM = 4;
const NO_LETTERS = /[^\p{L}\p{N}]+/gu;
const JAPANESE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Runs of letters, which slips of the pen and endings change few of; Japanese says as much in two. */
function gramsOf(text: string): string[] {
  const letters = ` ${folded(text).replace(NO_LETTERS, ' ').trim()} `;
  const grams: string[] = [];
  for (let at = 0; at + GRAM <= letters.length; at++) grams.push(letters.slice(at, at + GRAM));
  if (JAPANESE.test(letters)) for (let at = 1; at + 3 <= letters.length; at++) grams.push(letters.slice(at, at + 2));
  return grams;
}

export interface Index {
  terms: Postings;
  /** How many terms each has. */
  lengths: number[];
  /** Of each way to ask, what it is a question for, and how much its runs of letters say together. */
  lines: readonly { place: number; weight: number }[];
  grams: Postings;
}

/** What a run of letters says: one of many lines says little. */
const gramWeight = (lines: number, all: number): number => Math.log(1 + all / lines) ** 2;

export function indexOf(all: readonly Findable[]): Index {
  const [terms, grams]: [Postings, Postings] = [new Map(), new Map()];
  const lengths: number[] = [];
  const lines: { place: number; weight: number }[] = [];
  for (const [place, { asks, text }] of all.entries()) {
    const said = [...asks, text].flatMap(termsOf);
    lengths.push(said.length);
    post(terms, said, place);
    for (const ask of asks) {
      post(grams, gramsOf(ask), lines.length);
      lines.push({ place, weight: 0 });
    }
  }
  for (const ids of grams.values()) {
    const weight = gramWeight(ids.length, lines.length);
    for (const id of ids) {
      const line = lines[id];
      if (line !== undefined) line.weight += weight;
    }
  }
  return { terms, lengths, lines, grams };
}

export interface Ranked {
  place: number;
  /** On the scale of a logarithm of odds. */
  score: number;
  /** The part of what the query says that it holds, 0 to 1. */
  covers: number;
}

/** What tells how well something fits, and how much; fitted to questions of strangers by the likelihood of the right answers. */
const WEIGHTS = { terms: 7.7, nearest: 7.1, second: 7.3 };
/** What is asked as it stands, word for word. */
const EXACT = { likeness: 0.99, score: 4 };

/** Whether all that a query says stands somewhere in what is found. */
export const knows = ({ terms }: Index, query: string): boolean =>
  termsOf(query).every((term) => terms.has(term) || term.startsWith('#'));

/** All that shares something with a query, the best first. */
export function rank(query: string, index: Index): Ranked[] {
  const found = new Map<number, { score: number; covers: number; nearest: number; second: number }>();
  const of = (place: number) => {
    let one = found.get(place);
    if (one === undefined) {
      one = { score: 0, covers: 0, nearest: 0, second: 0 };
      found.set(place, one);
    }
    return one;
  };
  const { lengths, lines, grams } = index;
  const weighed = [...new Set(termsOf(query))].map((term) => {
    const said = saidBy(term, index);
    const unknown = term.startsWith('#') ? 0 : UNKNOWN;
    return { said, weight: said.size > 0 ? Math.log((lengths.length + 1) / (said.size + 0.5)) : unknown };
  });
  const whole = weighed.reduce((sum, { weight }) => sum + weight, 0) || 1;
  for (const { said, weight } of weighed) {
    for (const [place, much] of said) {
      const one = of(place);
      one.score += WEIGHTS.terms * (weight / whole) * much;
      one.covers += weight / whole;
    }
  }
  const shared = new Map<number, number>();
  let norm = 0;
  for (const gram of new Set(gramsOf(query))) {
    const ids = grams.get(gram);
    if (ids === undefined) continue;
    const weight = gramWeight(ids.length, lines.length);
    norm += weight;
    for (const id of new Set(ids)) shared.set(id, (shared.get(id) ?? 0) + weight);
  }
  for (const [id, weight] of shared) {
    const line = lines[id];
    if (line === undefined) continue;
    const likeness = weight / Math.sqrt(norm * line.weight);
    const one = of(line.place);
    if (likeness > one.nearest) [one.nearest, one.second] = [likeness, one.nearest];
    else if (likeness > one.second) one.second = likeness;
  }
  return [...found]
    .map(([place, { score, covers, nearest, second }]) => ({
      place,
      score:
        score + WEIGHTS.nearest * nearest + WEIGHTS.second * second + (nearest >= EXACT.likeness ? EXACT.score : 0),
      covers,
    }))
    .toSorted((a, b) => b.score - a.score);
}
