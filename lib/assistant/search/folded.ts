/** The text in lower case, without accents and apostrophes. */
export const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .normalize('NFKC')
    .replace(/ß/g, 'ss')
    // What French and Portuguese leave a vowel out of is a word of its own: l’adresse, d’água.
    .replace(/(?<!\p{L})([cdjlmnst]|qu)[’'´](?=\p{L})/gu, '$1 ')
    .replace(/[’'`´]/g, '')
    // As people chat; German asks for whom with it.
    .replace(/(?<!\p{L})w(?:e|h)n(?! (?:kann|soll|muss|darf|frag))(?!\p{L})/gu, 'when');
