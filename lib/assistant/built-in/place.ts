import { folded } from '../search/folded.ts';
import places from './places.json' with { type: 'json' };

/** A place that somebody named, as they wrote it, with its time zone. */
export interface Place {
  name: string;
  zone: string;
}

const ZONES = new Map(
  Object.entries(places).flatMap(([zone, names]) => names.split(', ').map((name) => [name, zone] as const)),
);
const MOST_WORDS = 3;
/** Zones by their letters, which in lower case are words. */
const LETTERS: ReadonlyMap<string, string> = new Map([
  ['EST', 'America/New_York'],
  ['EDT', 'America/New_York'],
  ['PST', 'America/Los_Angeles'],
  ['PDT', 'America/Los_Angeles'],
  ['CET', 'Europe/Paris'],
  ['CEST', 'Europe/Paris'],
  ['MEZ', 'Europe/Berlin'],
  ['MESZ', 'Europe/Berlin'],
  ['BST', 'Europe/London'],
  ['BRT', 'America/Sao_Paulo'],
  ['JST', 'Asia/Tokyo'],
]);

const capital = (name: string): string => name.replace(/(?<![\p{L}\p{M}])\p{L}/gu, (letter) => letter.toUpperCase());

/** The first city, or country with one time, that a text names; null where it names none. */
export function placeIn(text: string): Place | null {
  const words = text.match(/[\p{L}\p{M}.]+/gu) ?? [];
  for (const at of words.keys()) {
    for (let count = MOST_WORDS; count > 0; count--) {
      const name = words
        .slice(at, at + count)
        .join(' ')
        .replace(/\.$/, '');
      const zone = ZONES.get(folded(name)) ?? (count === 1 ? LETTERS.get(name) : undefined);
      if (zone !== undefined) return { name: capital(name), zone };
    }
  }
  for (const [name, zone] of ZONES)
    if (/[\p{Script=Han}\p{Script=Katakana}]/u.test(name) && text.includes(name)) return { name, zone };
  return null;
}
