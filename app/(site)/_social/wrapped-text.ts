/** What the font of the cards has: for any other letter the renderer would ask another host. */
const NOT_DRAWN = /[^\x20-\x7e\xa0-\u024f\u2013\u2014\u2018\u2019\u201c\u201d\u2026]/gu;

/** A text that a card can show, at most `most` letters of it; empty when nothing of it can be drawn. */
export function wrappedText(text: string, most: number): string {
  const drawn = text.replace(NOT_DRAWN, ' ').replace(/\s+/g, ' ').trim();
  return drawn.length <= most ? drawn : `${drawn.slice(0, most - 1).trimEnd()}…`;
}
