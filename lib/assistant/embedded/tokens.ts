import MiniSearch from 'minisearch';
import { searchTerm, stem } from '../words.ts';
import { COMMON_WORDS } from './common-words.ts';
import { LEXICON } from './lexicon.ts';

const LONGEST_PHRASE = 6;
/** Shorter words have too many neighbours to be taken for misspelt ones. */
const SHORTEST_MISSPELT = 4;
/** A letter too many, too few or another makes of short words ("stop") too often a word that was not meant ("scope"). */
const SHORTEST_MISTYPED = 5;

const CONTRACTIONS: readonly [RegExp, string][] = [
  [/\b(can)(?:no|['’]?)t\b/g, 'can not'],
  [/\bwon['’]?t\b/g, 'will not'],
  [/\b(do|does|did|is|are|was|were|has|have|had|would|could|should)n['’]?t\b/g, '$1 not'],
  [/\b(what|where|who|when|how|that|it|there)['’]s\b/g, '$1 is'],
  [/\b(whats|wheres|whos|whens|hows)\b/g, '$1'],
  [/\b(i|you|we|they)['’](?:ve|d|ll|m|re)\b/g, '$1'],
];
const SHORTHAND: ReadonlyMap<string, string> = new Map([
  ['whats', 'what is'],
  ['wheres', 'where is'],
  ['whos', 'who is'],
  ['hows', 'how is'],
  ['wat', 'what'],
  ['wen', 'when'],
  ['wher', 'where'],
  ['hw', 'how'],
  ['mny', 'many'],
  ['wich', 'which'],
  ['teh', 'the'],
  ['wut', 'what'],
  ['u', 'you'],
  ['ur', 'your'],
  ['pls', 'please'],
  ['plz', 'please'],
  ['im', 'i am'],
  ['ive', 'i have'],
  ['gonna', 'going to'],
  ['wanna', 'want to'],
  ['gimme', 'give me'],
  ['cuz', 'because'],
  ['r', 'are'],
  ['y', 'why'],
  ['n', 'and'],
  ['abt', 'about'],
  ['em', 'them'],
  ['b4', 'before'],
  ['da', 'the'],
  ['dat', 'that'],
  ['rly', 'really'],
  ['enuf', 'enough'],
  ['bc', 'because'],
  ['thru', 'through'],
  ['gotta', 'have to'],
  ['lemme', 'let me'],
  ['dunno', 'do not know'],
  ['addy', 'address'],
  ['rn', 'right now'],
  ['ppl', 'people'],
  ['msg', 'message'],
  ['ya', 'you'],
  ['min', 'minimum'],
  ['max', 'maximum'],
  ['untagged', 'without tag'],
]);

/** Plain words of a text, contractions and shorthand written out. */
export function wordsOf(text: string): string[] {
  const lower = CONTRACTIONS.reduce((so, [form, full]) => so.replace(form, full), text.toLowerCase());
  return lower
    .split(/[^\p{L}\p{N}_]+/u)
    .filter((word) => word !== '')
    .flatMap((word) => SHORTHAND.get(word)?.split(' ') ?? [word]);
}

/** A phrase of the lexicon as it is looked up: the stems of its words. */
export const phraseOf = (form: string): string => wordsOf(form).map(stem).join(' ');

/** Concepts by the stems of their phrases. */
const CONCEPT_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(LEXICON).flatMap(([concept, forms]) =>
    forms.split('|').map((form) => [phraseOf(form), concept] as const),
  ),
);

/** May stand inside a phrase without changing what it means: "make money", "make me some money". */
const FILLERS: ReadonlySet<string> = new Set(
  'a an the me my mine your our this that these those some any its really just'.split(' '),
);
const withoutFillers = (stems: readonly string[]): string[] => stems.filter((word) => !FILLERS.has(word));

/** The same without fillers, where two words or more are left. */
const LOOSE_CONCEPT_OF: ReadonlyMap<string, string> = new Map(
  [...CONCEPT_OF].flatMap(([phrase, concept]) => {
    const words = withoutFillers(phrase.split(' '));
    return words.length < 2 ? [] : [[words.join(' '), concept] as const];
  }),
);

/** What a run of stems means as a whole; undefined when it is no phrase. */
function conceptOf(stems: readonly string[]): string | undefined {
  const exact = CONCEPT_OF.get(stems.join(' '));
  if (exact !== undefined || stems.length < 2 || FILLERS.has(stems[0] ?? '')) return exact;
  return LOOSE_CONCEPT_OF.get(withoutFillers(stems).join(' '));
}

const WORDS_OF_FORMS: readonly string[] = [...new Set([...CONCEPT_OF.keys()].flatMap((key) => key.split(' ')))].filter(
  (word) => word.length >= SHORTEST_MISSPELT && searchTerm(word) !== null,
);

let spelling: MiniSearch<{ id: string; word: string }> | undefined;

/** Made when the first misspelt word comes. */
function spellingIndex(): MiniSearch<{ id: string; word: string }> {
  if (spelling !== undefined) return spelling;
  const index = new MiniSearch<{ id: string; word: string }>({
    fields: ['word'],
    tokenize: (text) => [text],
    processTerm: (term) => term,
  });
  index.addAll(WORDS_OF_FORMS.map((word) => ({ id: word, word })));
  spelling = index;
  return index;
}

const KNOWN = new Set(WORDS_OF_FORMS);

/** The same word with two neighbouring letters exchanged, the commonest slip of typing; null when none is known. */
function unswapped(word: string): string | null {
  for (let place = 0; place + 1 < word.length; place++) {
    const other = word.slice(0, place) + word[place + 1] + word[place] + word.slice(place + 2);
    if (KNOWN.has(other)) return other;
  }
  return null;
}

/** The known word that a misspelt one was meant to be, or the word itself. Both are stems. */
function corrected(word: string, isKnown: (word: string) => boolean): string {
  if (word.length < SHORTEST_MISSPELT || KNOWN.has(word) || isKnown(word) || /\d/.test(word)) return word;
  const swapped = unswapped(word);
  if (swapped !== null || word.length < SHORTEST_MISTYPED) return swapped ?? word;
  const [best] = spellingIndex().search(word, { fuzzy: word.length >= 9 ? 2 : 1, prefix: false });
  return best !== undefined && best.id[0] === word[0] ? String(best.id) : word;
}

/**
 * What a text is about, as concepts of the lexicon and stems of other words, in order. `isKnown` names stems that are words
 * although the lexicon has none of them: they are not taken for misspelt ones.
 */
export function tokensOf(text: string, isKnown: (stem: string) => boolean = () => false): string[] {
  const words = wordsOf(text);
  const stems = words.map((word) => {
    const plain = stem(word);
    const isPlain = searchTerm(word) === null || COMMON_WORDS.has(word);
    return isPlain || searchTerm(plain) === null || COMMON_WORDS.has(plain) ? plain : corrected(plain, isKnown);
  });
  const tokens: string[] = [];
  for (let place = 0; place < stems.length; ) {
    const longest = Math.min(LONGEST_PHRASE, stems.length - place);
    const length = lengths(longest).find((count) => conceptOf(stems.slice(place, place + count)) !== undefined);
    if (length !== undefined) {
      tokens.push(conceptOf(stems.slice(place, place + length)) ?? '');
      place += length;
      continue;
    }
    const word = stems[place];
    if (word !== undefined && searchTerm(words[place] ?? '') !== null) tokens.push(word);
    place += 1;
  }
  return tokens;
}

const PLACEHOLDER = /^x(?:amount|wallet|hash|tier)$/;

/** Whether a token stands for a meaning, and not just for itself. */
export const isConcept = (token: string): boolean => token in LEXICON || PLACEHOLDER.test(token);

const lengths = (longest: number): number[] => Array.from({ length: longest }, (_, index) => longest - index);
