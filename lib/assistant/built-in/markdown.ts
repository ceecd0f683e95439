import type { Language } from './language.ts';
import type { Place } from './place.ts';

/** What Markdown, or a renderer that links bare addresses, might take for more than text. */
const SPECIAL = /[\\`*_{}[\]()<>#|~:@^$=]/g;
const LONGEST_NAME = 80;

/** A text of somebody else's (a project's name, a message) as plain words inside Markdown. */
export const plain = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  const short = line.length > LONGEST_NAME ? `${line.slice(0, LONGEST_NAME)}…` : line;
  return short.replace(SPECIAL, '\\$&').replace(/\bwww\./gi, 'www\\.');
};

export const strong = (text: string | number): string => `**${text}**`;
export const code = (text: string | number): string => `\`${text}\``;
export const link = (text: string, url: string): string => `[${text}](${url})`;

export const bullets = (items: readonly (string | null)[]): string =>
  items
    .filter((item) => item !== null)
    .map((item) => `- ${item}`)
    .join('\n');

/** A number of things, the word in the singular for one of them. */
export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** Paragraphs, those that say nothing left out. */
export const paragraphs = (...parts: readonly (string | null)[]): string =>
  parts.filter((part) => part !== null && part !== '').join('\n\n');

const LOCALES: Readonly<Record<Language, string>> = {
  en: 'en-GB',
  es: 'es',
  de: 'de',
  fr: 'fr',
  pt: 'pt-BR',
  ja: 'ja',
};

const timeIn = (language: Language, timeZone: string, iso: string): string =>
  new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'long', timeStyle: 'short', timeZone }).format(new Date(iso));

/** A time as people write it, to the minute, in UTC; in Japanese, which is spoken in one time zone, in that as well. */
export const dateText = (iso: string, language: Language = 'en', place: Place | null = null): string =>
  [
    `${timeIn(language, 'UTC', iso)} UTC`,
    language === 'ja' && place?.zone !== 'Asia/Tokyo' ? `(日本時間 ${timeIn(language, 'Asia/Tokyo', iso)})` : '',
    place === null ? '' : ` (${plain(place.name)}: ${timeIn(language, place.zone, iso)})`,
  ].join('');
