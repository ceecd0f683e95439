import MiniSearch from 'minisearch';
import { folded, termsOf } from './terms.ts';

/** What can be found: the ways to ask for it, and what else it is found by. */
export interface Findable {
  asks: readonly string[];
  text: string;
}

/** BM25: a term says ever less for each further time, and less of what says much. */
const BM25 = { k: 0.6, b: 0.8, d: 0 };

/** The weight of a term that nothing here has. A mark (#amount) that nothing has says nothing. */
const UNKNOWN = 2;

const GRAM = 4;
const NO_LETTERS = /[^\p{L}\p{N}]+/gu;
const JAPANESE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Runs of letters of a folded text, which slips of the pen and endings change few of; Japanese says as much in two. */
function gramsOf(text: string): string[] {
  const letters = ` ${text.replace(NO_LETTERS, ' ').trim()} `;
  const grams: string[] = [];
  for (let at = 0; at + GRAM <= letters.length; at++) grams.push(letters.slice(at, at + GRAM));
  if (JAPANESE.test(letters)) for (let at = 1; at + 3 <= letters.length; at++) grams.push(letters.slice(at, at + 2));
  return grams;
}

export interface Index {
  terms: MiniSearch<{ id: number; asked: string; told: string }>;
  /** Of each way to ask, what it is a question for, and how much its runs of letters say together. */
  lines: readonly { place: number; weight: number }[];
  /** The lines that have each run of letters, as often as they have it. */
  grams: Map<string, number[]>;
}

/** What a run of letters says: one of many lines says little. */
const gramWeight = (lines: number, all: number): number => Math.log(1 + all / lines) ** 2;

/** Nothing reaches over it: what stands on both sides is taken apart at one go, which is a third of the work of line by line. */
const APART = ' | ';

/** An index; `told` is how much the text says beside the ways to ask. */
export function indexOf(all: readonly Findable[], told: number): Index {
  const terms: Index['terms'] = new MiniSearch({
    fields: ['asked', 'told'],
    tokenize: termsOf,
    processTerm: (term) => term,
    searchOptions: { bm25: BM25, boost: { told } },
  });
  terms.addAll(all.map(({ asks, text }, id) => ({ id, asked: asks.join(APART), told: text })));
  const grams: Index['grams'] = new Map();
  const lines: { place: number; weight: number }[] = [];
  for (const [place, { asks }] of all.entries()) {
    for (const ask of folded(asks.join(APART)).split(APART)) {
      for (const gram of gramsOf(ask)) {
        const ids = grams.get(gram);
        if (ids === undefined) grams.set(gram, [lines.length]);
        else ids.push(lines.length);
      }
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
  return { terms, lines, grams };
}

export interface Ranked {
  place: number;
  /** On the scale of a logarithm of odds. */
  score: number;
  /** The part of what the query says that it holds, 0 to 1. */
  covers: number;
}

/** What tells how well something fits, and how much; fitted to questions of strangers by the likelihood of the right answers. */
const WEIGHTS = { terms: 7, nearest: 7, second: 7 };
/** What is asked as it stands, word for word. */
const EXACT = { likeness: 0.99, score: 4 };

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
  const { terms, lines, grams } = index;
  const results = terms.search(query);
  const having = new Map<string, number>();
  for (const one of results) for (const term of one.terms) having.set(term, (having.get(term) ?? 0) + 1);
  const weightOf = (term: string): number => {
    const places = having.get(term);
    if (places !== undefined) return Math.log((terms.documentCount + 1) / (places + 0.5));
    return term.startsWith('#') ? 0 : UNKNOWN;
  };
  const whole = [...new Set(termsOf(query))].reduce((sum, term) => sum + weightOf(term), 0) || 1;
  // MiniSearch multiplies by how many terms of the query are held: covers tells that apart.
  for (const { id, score, terms: held, queryTerms } of results) {
    const one = of(id);
    one.score = (WEIGHTS.terms * score) / queryTerms.length / whole;
    one.covers = held.reduce((sum, term) => sum + weightOf(term), 0) / whole;
  }
  const shared = new Map<number, number>();
  let norm = 0;
  for (const gram of new Set(gramsOf(folded(query)))) {
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
