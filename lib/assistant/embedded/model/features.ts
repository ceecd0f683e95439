import { stem } from '../../words.ts';
import { tokensOf, wordsOf } from '../tokens.ts';

/** How much each kind of feature says beside the others. */
const CONCEPT_SAYS = 1;
const WORD_SAYS = 0.7;
const PAIR_SAYS = 0.5;
const LETTERS_SAY = 0.25;
const SHORTEST_LETTERS = 3;
const LONGEST_LETTERS = 4;

/** What a text shows, by name, each with what its kind says. */
export type Features = ReadonlyMap<string, number>;

/** Runs of letters, so that a form or a slip of a word is still like the word. */
function lettersOf(word: string): string[] {
  const whole = `^${word}$`;
  const runs: string[] = [];
  for (let length = SHORTEST_LETTERS; length <= LONGEST_LETTERS; length++) {
    for (let place = 0; place + length <= whole.length; place++) runs.push(whole.slice(place, place + length));
  }
  return runs;
}

/**
 * The features of a text: its meanings (`m:`, misspelt words corrected), the stems of all its words (`w:`, also of those that
 * mean little: "should I" asks for something else than "will it"), neighbouring stems (`p:`) and runs of letters (`l:`). Pure.
 */
export function featuresOf(text: string): Features {
  const features = new Map<string, number>();
  for (const token of tokensOf(text)) features.set(`m:${token}`, CONCEPT_SAYS);
  const words = wordsOf(text);
  const stems = words.map(stem);
  for (const word of stems) features.set(`w:${word}`, WORD_SAYS);
  const bounded = ['^', ...stems, '$'];
  for (const [place, word] of bounded.slice(1).entries()) features.set(`p:${bounded[place]}_${word}`, PAIR_SAYS);
  for (const word of words) for (const run of lettersOf(word)) features.set(`l:${run}`, LETTERS_SAY);
  return features;
}

/** True for what a text says in whole words: when it is not known, the text says something that is not known. */
export const isWholeWord = (feature: string): boolean => feature.startsWith('m:') || feature.startsWith('w:');
