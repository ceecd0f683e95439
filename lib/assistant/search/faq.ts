import { slug } from 'github-slugger';
import type { Card } from '../answerer.ts';
import type { Language } from '../built-in/language.ts';
import type { SaleState } from '../tools/sale-facts.ts';

/** A question with its answer, in one language. */
export interface FaqVariant {
  language: Language;
  /** The question, and how else people ask it. */
  asks: readonly string[];
  /** Markdown, relative links turned into their text. */
  text: string;
}

/** An entry of docs/faq. */
export interface FaqEntry {
  /** `<file>#<anchor of its heading>` */
  id: string;
  heading: string;
  variants: readonly FaqVariant[];
  /** The section of a guide that says more, as `<page>#<anchor>`. */
  more: string | null;
  /** What adds live data to the answer, by its name (built-in/answers). */
  live: string | null;
  /** The kind of the card that the answer shows. */
  card: Card['kind'] | null;
  /** The states of a sale in which it is asked most. */
  when: readonly SaleState[];
}

const LANGUAGE_NAMES: ReadonlyMap<string, Language> = new Map([
  ['Español', 'es'],
  ['Deutsch', 'de'],
  ['Français', 'fr'],
  ['Português', 'pt'],
  ['日本語', 'ja'],
]);
const ALSO = /^\*(?:Also asked|También|Auch|Aussi|Também|ほかの聞き方):\* (.+)$/s;
const DETAILS = /^\*(?:More|Live|Card|When):\*/;
const MORE = /\*More:\* \[[^\]]*\]\((?:\.\.\/)+(?:docs\/)?([\w-]+)\.md#([^)]+)\)/;

const withoutLinks = (markdown: string): string => markdown.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
/**
 * The entries of a page of docs/faq: a heading of the third level each, a line of how else it is asked, the answer, a line of
 * details (`More`, `Live`, `Card`, `When`); beneath it a heading of the fourth level for each other language. Pure.
 */
export function parseFaq(file: string, markdown: string): FaqEntry[] {
  return markdown.split(/^### /m).flatMap((section, place) => {
    if (place === 0) return [];
    const [english = '', ...others] = section.split(/^## /m)[0]?.split(/^#### /m) ?? [];
    const { heading, details, ...first } = variantOf(english);
    const translated = others.map((part) => {
      const [name = ''] = part.split(':');
      const language = LANGUAGE_NAMES.get(name);
      if (language === undefined) throw new Error(`${file}: "${heading}" has a heading in no known language: ${name}`);
      const { asks, text } = variantOf(part.slice(name.length + 1).trimStart());
      return { language, asks, text };
    });
    const more = MORE.exec(details);
    return [
      {
        id: `${file}#${slug(heading)}`,
        heading,
        variants: [{ language: 'en' as const, asks: first.asks, text: first.text }, ...translated],
        more: more === null ? null : `${more[1]}#${more[2]}`,
        live: /\*Live:\* (\w+)/.exec(details)?.[1] ?? null,
        card: (/\*Card:\* (\w+)/.exec(details)?.[1] ?? null) as Card['kind'] | null,
        when: (/\*When:\* ([\w, ]+)/.exec(details)?.[1]?.trim().split(', ') ?? []) as SaleState[],
      },
    ];
  });
}

function variantOf(part: string): { heading: string; asks: string[]; text: string; details: string } {
  const [heading = '', ...blocks] = part.trim().split(/\n\n+/);
  const also = blocks.flatMap((block) => ALSO.exec(block)?.[1]?.replaceAll('\n', ' ').split(' · ') ?? []);
  const text = blocks.filter((block) => !ALSO.test(block) && !DETAILS.test(block)).join('\n\n');
  return {
    heading,
    asks: [heading, ...also],
    text: withoutLinks(text),
    details: blocks.filter((block) => DETAILS.test(block)).join('\n'),
  };
}
