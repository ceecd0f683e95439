import { conceptsIn, conceptsOf } from './concepts.ts';
import { folded } from './folded.ts';

/** Words of grammar, which say nothing about a subject. */
const GRAMMAR = new Set(
  `a an the is are am be been was were i im ive you your we our it its he she they his her their my me us them this that these those of to in on at for with from by and or if but so do does did have has had can could will would should may there here as than then just also about into please pls hey ok now really like one thing way u ur
  el la los las un una unos unas es son era fue ser soy esta este esto ese esa eso y o que de del en con por para se me te le lo mi mis tu su sus al ya muy q a si pero hay puedo puede ser he ha yo nos les algo
  der die das den dem des ein eine einen einem einer ist sind war bin und oder zu zum zur in im auf mit von fur an am bei aus ich du ihr wir man es er sie mir mich mein meine meinen meiner dass wenn ob auch noch schon nur so mal denn hab habe hat haben kann konnen wird werden da
  le les un une des du de la et ou que qui est sont etait suis je tu il elle on nous vous ils mon ma mes ton ta votre vos se ce cet cette ces en dans sur avec par au aux a y ne pas plus si mais c j d l n s t m qu ai as avez avons ont peut peux etre puis
  o os as um uma uns umas e ou que do da dos das no na nos nas em com por para se me te meu minha meus minhas seu sua eu voce nos ele ela isso isto esse essa este esta ao a ja muito mas foi ser sou tem tenho ha pra pro posso pode ser`.split(
    /\s+/,
  ),
);

const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/ies$/, 'y'],
  [/(ss|x|ch|sh)es$/, '$1'],
  [/([^su])s$/, '$1'],
  [/(?<=[a-z]{3})(?:ing|ed)$/, ''],
  [/(?<=[a-z]{4})(?:ly|er)$/, ''],
  [/(.)\1$/, '$1'],
  [/(?<=[a-z]{4})e$/, ''],
];

/** A word without its commonest English endings. */
function stem(word: string): string {
  if (word.length < 4 || /[^a-z]/.test(word)) return word;
  const stemmed = ENDINGS.reduce((rest, [ending, by]) => rest.replace(ending, by), word);
  return stemmed.length < 3 ? word : stemmed;
}

const JAPANESE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u;
export const isJapanese = (text: string): boolean => JAPANESE.test(text);

const segmenter = new Intl.Segmenter('ja', { granularity: 'word' });
/** Words of grammar, in kana alone: they say nothing about a subject. */
const KANA = /^[\p{Script=Hiragana}ー]{1,3}$/u;

/** Japanese writes no spaces between its words. */
const japaneseTerms = (text: string): string[] =>
  [...segmenter.segment(text)].flatMap(({ segment, isWordLike }) =>
    isWordLike === true && !KANA.test(segment) ? [segment] : [],
  );

/** What a part of a word is found by: the concepts that it says, else its stem. A number says nothing, but a status of HTTP. */
const termsOfPart = (part: string): string[] =>
  /^\d+$/.test(part) && !/^[1-5]\d\d$/.test(part) ? [] : [...conceptsOf(part), stem(part)];

/** The terms of single words; docs/faq says the same ones again and again. */
const known = new Map<string, readonly string[]>();
const MOST_KNOWN = 50_000;
function termsOfWord(word: string): readonly string[] {
  let terms = known.get(word);
  if (terms === undefined) {
    if (word.startsWith('#')) terms = [word];
    else if (isJapanese(word)) terms = japaneseTerms(word);
    else {
      const parts = word.split(/[_./-]+/).filter((part) => part !== '' && !GRAMMAR.has(part));
      terms = [...(parts.length > 1 && /[_./]/.test(word) ? [word] : []), ...parts.flatMap(termsOfPart)];
    }
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(word, terms);
  }
  return terms;
}

/** Marks for addresses, hashes, amounts and times, in questions and in those of docs/faq alike. */
const MARKS: readonly (readonly [RegExp, string])[] = [
  [/(?<![0-9A-Za-z])[rXT][1-9A-HJ-NP-Za-km-z]{20,60}(?![0-9A-Za-z])/g, ' #address '],
  [/(?<![0-9A-Za-z_])[0-9A-Fa-f]{50,80}(?![0-9A-Za-z])/g, ' #hash '],
  [
    /\d[\d.,']*\s*k?\s*(?=(?:min|minutes?|mins|hours?|h|days?|weeks?|tage?n?|stunden?|minuten|horas?|d[ií]as?|heures?|jours?|semanas?)\b|分|時間|日)/gi,
    ' #time ',
  ],
  [/[$€£]\s?\d[\d.,]*\s?k?|\d[\d.,]*\s?k?\s?(?:usdt?|usdc|dollars?|eur|euros?|bucks)\b/gi, ' #money '],
  [/\d[\d.,' ]*k?\s?(?:xrps?|ripples?)\b/gi, ' #amount '],
  [/\d[\d.,' ]*k?\s?(?:tokens?|coins?|jetons?|fichas?|monedas?|moedas?|トークン|枚)/gi, ' #count '],
];

const WORD = /#\w+|[\p{L}\p{N}_]+(?:[./-][\p{L}\p{N}_]+)*/gu;

/** The terms that a text is found by: concepts, stems of other words, and marks. Pure. */
export function termsOf(given: string): string[] {
  let text = given;
  if (/\d|[0-9A-Za-z]{24}/.test(text)) for (const [pattern, mark] of MARKS) text = text.replace(pattern, mark);
  const low = folded(text);
  const terms = conceptsIn(low);
  for (const word of low.match(WORD) ?? []) for (const term of termsOfWord(word)) terms.push(term);
  return terms;
}
