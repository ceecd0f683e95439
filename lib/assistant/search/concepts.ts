import concepts from './concepts.json' with { type: 'json' };
import { folded } from './folded.ts';

/**
 * What people say in many words, in the languages of the answers (concepts.json): of each concept the words for it, folded
 * (folded.ts) but for those in Japanese, which are written as people write them. `word-` stands for all words that begin so, `two_words` for words in a row; a Japanese word is found anywhere.
 */
const words = new Map<string, Set<string>>();
const beginnings = new Map<string, Set<string>>();
/** What is longer than a word, by the word that it begins with, and Japanese words by their first character. */
const phrases = new Map<string, { said: string; concept: string }[]>();

const JAPANESE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const NO_LETTERS = /[^\p{L}\p{N}]+/gu;
const SHORTEST_BEGINNING = 3;

for (const [name, said] of Object.entries(concepts)) {
  const concept = `@${name}`;
  const add = (to: Map<string, Set<string>>, word: string) =>
    to.set(word, (to.get(word) ?? new Set<string>()).add(concept));
  const addPhrase = (first: string, phrase: string) =>
    phrases.set(first, [...(phrases.get(first) ?? []), { said: phrase, concept }]);
  for (const word of said.split(' ')) {
    const spaced = word.replace(NO_LETTERS, ' ').trim();
    if (JAPANESE.test(word)) addPhrase(folded(word).slice(0, 1), folded(word));
    else if (spaced.includes(' ')) addPhrase(spaced.slice(0, spaced.indexOf(' ')), `${spaced} `);
    else if (word.endsWith('-')) add(beginnings, word.slice(0, -1));
    else add(words, word);
  }
}

/** The concepts of a word, by the word itself and by its longest known beginning. Pure. */
export function conceptsOf(word: string): string[] {
  for (let length = word.length; length >= SHORTEST_BEGINNING; length--) {
    const found = beginnings.get(word.slice(0, length));
    if (found !== undefined) return [...found.union(words.get(word) ?? new Set<string>())];
  }
  return [...(words.get(word) ?? [])];
}

/** The concepts that words in a row say, and those of a Japanese text. Pure; the text is folded (folded.ts). */
export function conceptsIn(text: string): string[] {
  const spaced = `${text.replace(NO_LETTERS, ' ').trim()} `;
  const isJapanese = JAPANESE.test(spaced);
  const found = new Set<string>();
  const look = (first: string, at: number) => {
    for (const { said, concept } of phrases.get(first) ?? []) if (spaced.startsWith(said, at)) found.add(concept);
  };
  for (let at = 0, end = spaced.indexOf(' '); end !== -1; at = end + 1, end = spaced.indexOf(' ', at)) {
    look(spaced.slice(at, end), at);
    if (isJapanese) for (let place = at; place < end; place++) look(spaced.charAt(place), place);
  }
  return [...found];
}
