import { z } from 'zod';
import { env } from '#lib/base/env.ts';
import type { Source } from '../answerer.ts';
import { languageOf } from '../built-in/language.ts';
import { ownSource, ownUrl } from '../links.ts';
import { passage, search } from '../search/search.ts';
import type { Passage } from '../search/sections.ts';
import { defineTool } from './define.ts';

const MOST_FOUND = 4;
const LONGEST_QUERY = 600;

type Section = Pick<Passage, 'page' | 'anchor' | 'pageTitle' | 'heading'>;
const titleOf = ({ pageTitle, heading }: Section): string =>
  heading === pageTitle ? pageTitle : `${pageTitle}: ${heading}`;

/** Guides to what the page for developers does. */
const ON_DEVELOPERS_PAGE: ReadonlySet<string> = new Set(['access', 'webhooks']);
const urlOf = ({ page, anchor }: Section): string =>
  page === 'reference' ? `/reference/${anchor}` : `/docs/${page}#${anchor}`;
const sourcesOf = (found: Section): Source[] => [
  ...(ON_DEVELOPERS_PAGE.has(found.page) ? [ownSource('Keys and webhooks', '/developers')] : []),
  ownSource(found.page === 'reference' ? titleOf(found) : `Guide: ${titleOf(found)}`, urlOf(found)),
];
const shown = (found: Passage, text: string) => ({
  id: found.id,
  title: titleOf(found),
  url: ownUrl(urlOf(found)),
  text: text.replaceAll('$BASE_URL', new URL(env().BASE_URL).origin),
});

/** The pages where a section, as `<page>#<anchor>`, is read on. */
export function sourcesOfSection(id: string): Source[] {
  const [page = '', anchor = ''] = id.split('#');
  const wordsOf = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('-', ' ')}`;
  return sourcesOf({ page, anchor, pageTitle: wordsOf(page), heading: wordsOf(anchor) });
}

export const searchHelpTool = defineTool({
  name: 'search_help',
  description:
    "Searches this platform's questions and answers, its guides (investing, API keys, webhooks, errors and limits, verifying a sale, security, deploying, operations, runbook) and its API reference. Give the question or a few words.",
  input: z.strictObject({ query: z.string().trim().min(1).max(LONGEST_QUERY) }),
  async run(_ctx, { query }) {
    const { faq, passages } = await search(query, MOST_FOUND);
    const language = languageOf(query);
    const questions = faq.map(({ id, heading, variants, more }) => ({
      question: heading,
      url: ownUrl(`/docs/faq/${id}`),
      answer: (variants.find((one) => one.language === language) ?? variants[0])?.text ?? '',
      ...(more === null ? {} : { more }),
    }));
    const sources = [
      ...questions.flatMap(({ question, url, more }) => [
        { title: question, url },
        ...(more === undefined ? [] : sourcesOfSection(more)),
      ]),
      ...passages.flatMap((one) => sourcesOf(one)),
    ];
    return {
      data: { questions, passages: passages.map((one) => shown(one, one.text)) },
      sources: [...Map.groupBy(sources, ({ url }) => url).values()].flatMap(([first]) => first ?? []),
    };
  },
});

export const readHelpTool = defineTool({
  name: 'read_help',
  description: 'One passage of the guides by its id: that of a passage from search_help, or the `more` of a question.',
  input: z.strictObject({ id: z.string().max(120) }),
  async run(_ctx, { id }) {
    const found = await passage(id);
    return { data: shown(found, found.text), sources: sourcesOf(found) };
  },
});
