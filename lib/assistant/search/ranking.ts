import { folded } from './folded.ts';
import { isJapanese, termsOf } from './terms.ts';

/** What can be found: the ways to ask for it, and what else it is found by. */
export interface Findable {
  asks: readonly string[];
  text: string;
}

/** BM25: a term says ever less for each further time, and less of what says much. */
const BM25 = { k: 0.6, b: 0.8 };

/** The weight of a term that nothing here has. A mark (#amount) that nothing has says nothing. */
const UNKNOWN = 2;

const GRAM = 4;
const NO_LETTERS = /[^\p{L}\p{N}]+/gu;

/** Runs of letters of a folded text, which slips of the pen and endings change few of; Japanese says as much in two. */
function gramsOf(text: string): string[] {
  const letters = ` ${text.replace(NO_LETTERS, ' ').trim()} `;
  const grams: string[] = [];
  for (let at = 0; at + GRAM <= letters.length; at++) grams.push(letters.slice(at, at + GRAM));
  if (isJapanese(letters)) for (let at = 1; at + 3 <= letters.length; at++) grams.push(letters.slice(at, at + 2));
  return grams;
}

/** Of each term the places that have it, each with how often. */
interface Field {
  weight: number;
  postings: Map<string, Map<number, number>>;
  /** How many terms each place has. */
  lengths: number[];
}

export interface Index {
  fields: readonly Field[];
  /** How many places there are. */
  size: number;
  /** Of each way to ask, what it is a question for, and how much its runs of letters say together. */
  places: Uint32Array;
  weights: Float64Array;
  /** What each run of letters says, and the lines that have it. */
  grams: ReadonlyMap<string, { weight: number; lines: Uint32Array }>;
}

/** What a run of letters says: one of many lines says little. */
const gramWeight = (lines: number, all: number): number => Math.log(1 + all / lines) ** 2;

/** Nothing reaches over it: what stands on both sides is taken apart at one go, which is a third of the work of line by line. */
const APART = ' | ';

function fieldOf(texts: readonly string[], weight: number): Field {
  const postings: Field['postings'] = new Map();
  const lengths = texts.map((text, place) => {
    let length = 0;
    for (const term of termsOf(text)) {
      let places = postings.get(term);
      if (places === undefined) {
        places = new Map();
        postings.set(term, places);
      }
      const count = places.get(place) ?? 0;
      if (count === 0) length += 1;
      places.set(place, count + 1);
    }
    return length;
  });
  return { weight, postings, lengths };
}

/** What the terms of a query say of each place, and which of them it has. */
function termScores(query: readonly string[], { fields }: Index) {
  const found = new Map<number, { score: number; held: Set<string> }>();
  for (const { weight, postings, lengths } of fields) {
    const average = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
    for (const term of query) {
      const places = postings.get(term);
      if (places === undefined) continue;
      const rarity = Math.log(1 + (lengths.length - places.size + 0.5) / (places.size + 0.5));
      for (const [place, count] of places) {
        const part = 1 - BM25.b + (BM25.b * (lengths[place] ?? 0)) / average;
        const one = found.get(place) ?? { score: 0, held: new Set() };
        one.score += (weight * rarity * count * (BM25.k + 1)) / (count + BM25.k * part);
        one.held.add(term);
        found.set(place, one);
      }
    }
  }
  return found;
}

/** An index; `told` is how much the text says beside the ways to ask. */
export function indexOf(all: readonly Findable[], told: number): Index {
  const fields = [
    fieldOf(
      all.map(({ asks }) => asks.join(APART)),
      1,
    ),
    fieldOf(
      all.map(({ text }) => text),
      told,
    ),
  ];
  /** The lines that have each run of letters, as often as they have it. */
  const having = new Map<string, number[]>();
  const places: number[] = [];
  for (const [place, { asks }] of all.entries()) {
    for (const ask of folded(asks.join(APART)).split(APART)) {
      for (const gram of gramsOf(ask)) {
        const ids = having.get(gram);
        if (ids === undefined) having.set(gram, [places.length]);
        else ids.push(places.length);
      }
      places.push(place);
    }
  }
  const grams = new Map<string, { weight: number; lines: Uint32Array }>();
  const weights = new Float64Array(places.length);
  for (const [gram, ids] of having) {
    const weight = gramWeight(ids.length, places.length);
    grams.set(gram, { weight, lines: Uint32Array.from(new Set(ids)) });
    for (const id of ids) weights[id] = (weights[id] ?? 0) + weight;
  }
  return { fields, size: all.length, places: Uint32Array.from(places), weights, grams };
}

export interface Ranked {
  place: number;
  /** On the scale of a logarithm of odds. */
  score: number;
  /** The part of what the query says that it holds, 0 to 1. */
  covers: number;
  /** How like the nearest way to ask for it is, letter by letter: 1 is word for word. */
  likeness: number;
}

/** What tells how well something fits, and how much; fitted to questions of strangers by the likelihood of the right answers. */
const WEIGHTS = { terms: 7, nearest: 7, second: 7 };
/** What is asked as it stands, word for word. */
const EXACT = { likeness: 0.99, score: 4 };

/** All that shares something with a query, the best first. */
export const rank = (query: string, index: Index): Ranked[] =>
  scoresOf(query, index).toSorted((a, b) => b.score - a.score);

/** The same in no order. */
export function scoresOf(query: string, index: Index): Ranked[] {
  const { size, places, weights, grams } = index;
  const found: { place: number; score: number; covers: number; nearest: number; second: number }[] = [];
  const byPlace = new Array<(typeof found)[0] | undefined>(size);
  const of = (place: number) => {
    let one = byPlace[place];
    if (one === undefined) {
      one = { place, score: 0, covers: 0, nearest: 0, second: 0 };
      byPlace[place] = one;
      found.push(one);
    }
    return one;
  };
  const terms = termsOf(query);
  const results = termScores(terms, index);
  const having = new Map<string, number>();
  for (const { held } of results.values()) for (const term of held) having.set(term, (having.get(term) ?? 0) + 1);
  const weightOf = (term: string): number => {
    const holders = having.get(term);
    if (holders !== undefined) return Math.log((size + 1) / (holders + 0.5));
    return term.startsWith('#') ? 0 : UNKNOWN;
  };
  const whole = [...new Set(terms)].reduce((sum, term) => sum + weightOf(term), 0) || 1;
  for (const [place, { score, held }] of results) {
    const one = of(place);
    one.score = (WEIGHTS.terms * score) / whole;
    one.covers = [...held].reduce((sum, term) => sum + weightOf(term), 0) / whole;
  }
  // Most of a search is spent here.
  const shared = new Float64Array(places.length);
  const sharing: number[] = [];
  let norm = 0;
  for (const gram of new Set(gramsOf(folded(query)))) {
    const known = grams.get(gram);
    if (known === undefined) continue;
    const { weight } = known;
    norm += weight;
    for (const id of known.lines) {
      const before = shared[id] ?? 0;
      if (before === 0) sharing.push(id);
      shared[id] = before + weight;
    }
  }
  for (const id of sharing) {
    const likeness = (shared[id] ?? 0) / Math.sqrt(norm * (weights[id] ?? 0));
    const one = of(places[id] ?? 0);
    if (likeness > one.nearest) [one.nearest, one.second] = [likeness, one.nearest];
    else if (likeness > one.second) one.second = likeness;
  }
  return found.map(({ place, score, covers, nearest, second }) => ({
    place,
    score: score + WEIGHTS.nearest * nearest + WEIGHTS.second * second + (nearest >= EXACT.likeness ? EXACT.score : 0),
    covers,
    likeness: nearest,
  }));
}
