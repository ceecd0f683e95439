/** Words that say nothing about what a text is about. */
const STOP_WORDS = new Set(
  'a an and are as at be been but by do does did for from had has have i if in into is it its just me my of on or our please so than that the their them then there these they this to us was we were will with would you your could am also very really must shall might may ought got getting gets thing things stuff guys guy here everyone else still even ever actually maybe perhaps kind sort bit lot dear folks sir madam anyway though while during between through both each such own other ok okay tell show policy rule already anything something already anything something guess think say mean currently oh oops hmm well yes yeah lets'.split(
    ' ',
  ),
);

/** A rough English stem, the same for all forms of most words: what is cut off need not be a word. */
export function stem(word: string): string {
  if (word.length <= 3) return word;
  const singular = word
    .replace(/(?<=[^s])ie[sd]$/, 'y')
    .replace(/(?<=ss|sh|ch|x|z)es$/, '')
    .replace(/(?<=[^su])s$/, '');
  const bare = singular.length > 5 ? singular.replace(/(?:ation|ing|ed|ly|able|ible)$/, '') : singular;
  return bare.replace(/(?<=[b-df-hj-np-tv-z])e$/, '').replace(/([b-df-hj-kmnp-rtv-z])\1$/, '$1');
}

/** How a word stands in an index of texts: lower case, stemmed; null when it says nothing. */
export function searchTerm(word: string): string | null {
  const lower = word.toLowerCase().replace(/['’]s$/, '');
  return lower === '' || STOP_WORDS.has(lower) ? null : stem(lower);
}
