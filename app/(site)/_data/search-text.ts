/** A part of an address’s query, as Next.js gives it. */
export type Asked = string | string[] | undefined;

const MOST_CHARACTERS = 100;

/** What a visitor asked for, without the space around it; empty for nothing, and for the same thing asked twice. */
export const askedText = (asked: Asked): string =>
  (typeof asked === 'string' ? asked : '').trim().slice(0, MOST_CHARACTERS);
