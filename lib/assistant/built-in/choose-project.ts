import type { ListedProject } from '../tools/sale-reads.ts';
import type { Answer, Asked } from './asked.ts';
import { bullets, paragraphs, plain, strong } from './markdown.ts';
import { say } from './phrases.ts';

const SHORTEST_NAME = 3;
/** Longer messages are read so far. */
const LONGEST_READ = 1_000;
/** A name may be misspelt by one letter in so many. */
const LETTERS_A_SLIP = 5;

const lettersOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Letters to change, add or leave out to make one word of another; counted up to `most`. */
function distance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let row = Array.from({ length: b.length + 1 }, (_, place) => place);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? most + 1;
}

/** Names that every sale might have name none. */
const GENERIC = new Set('sale token tokens presale ico public private round the project'.split(' '));
/** “This sale”, on the page of one. */
const THIS = /\b(?:this|here|esta|este|diese\w*|hier|cette|ce|ici|aqui|aquí)\b|この|ここ/i;

/** Whether a text names this sale: by name or slug, a letter wrong here and there, or by the code of its token. */
function isNamed(text: string, { name, slug, token_name }: ListedProject): boolean {
  const words = text.split(' ');
  return (
    [lettersOf(name), lettersOf(slug)].some((wanted) => {
      if (wanted.length < SHORTEST_NAME || wanted.split(' ').every((word) => GENERIC.has(word))) return false;
      const count = wanted.split(' ').length;
      const most = Math.floor(wanted.length / LETTERS_A_SLIP);
      return words.some((_, at) => distance(words.slice(at, at + count).join(' '), wanted, most) <= most);
    }) ||
    (token_name !== 'tokens' && words.includes(token_name.toLowerCase()))
  );
}

/** The sales that a text names. What is common to all of them ("Sale") names none. */
function namedIn(text: string, projects: readonly ListedProject[]): ListedProject[] {
  const letters = lettersOf(text.slice(0, LONGEST_READ));
  const named = projects.filter((project) => isNamed(letters, project));
  return named.length === projects.length && projects.length > 1 ? [] : named;
}

const isOpen = ({ state }: ListedProject): boolean => state === 'live' || state === 'between_tiers';

/** The one sale that is meant, or those among which the visitor must choose; none when there is no sale at all. */
function candidates(asked: Asked): readonly Pick<ListedProject, 'id' | 'name'>[] {
  const { projects } = asked;
  const given = asked.entities.projectIds[0];
  if (given !== undefined) return [projects.find(({ id }) => id === given) ?? { id: given, name: given }];
  const { givenProject } = asked;
  const named = givenProject !== null && THIS.test(asked.message) ? [] : namedIn(asked.message, projects);
  if (named.length > 0) return named;
  if (givenProject !== null) {
    return [projects.find(({ id }) => id === givenProject) ?? { id: givenProject, name: givenProject }];
  }
  for (const text of asked.earlier) {
    const before = namedIn(text, projects);
    if (before.length === 1) return before;
  }
  for (const fits of [
    isOpen,
    ({ state }: ListedProject) => state === 'paused',
    ({ state }: ListedProject) => state === 'upcoming',
  ]) {
    const some = projects.filter(fits);
    if (some.length > 0) return some;
  }
  return projects;
}

const MOST_NAMED = 10;

/** The id of the one sale that is meant; null when there is none or it cannot be told. */
export function saleMeant(asked: Asked): string | null {
  const [only, ...others] = candidates(asked);
  return only === undefined || others.length > 0 ? null : only.id;
}

/** An answer about one sale: with the id of the one that is meant. Where it cannot be told, what holds of each, and the question which one. */
export const aboutSale =
  (answer: (asked: Asked, projectId: string, text: string) => Promise<string>): Answer =>
  async (asked, text) => {
    const found = candidates(asked);
    const [only] = found;
    if (only !== undefined && found.length === 1) return answer(asked, only.id, text);
    if (!asked.isAsked && text !== '') return text;
    if (only === undefined) return paragraphs(text, say('no_sale', asked.language));
    const names = found.slice(0, MOST_NAMED).map(({ name, id }) => `${strong(plain(name))} (${id})`);
    return paragraphs(text, `${say('which_sale', asked.language)}\n\n${bullets(names)}`);
  };
