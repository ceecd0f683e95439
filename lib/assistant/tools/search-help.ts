import { z } from 'zod';
import { env } from '#lib/base/env.ts';
import type { Source } from '../answerer.ts';
import { ownSource, referenceSource } from '../links.ts';
import { GUIDES, passage, search, shownOf } from '../search/search.ts';
import type { Passage } from '../search/sections.ts';
import { defineTool } from './define.ts';

const MOST_PASSAGES = 4;
/** Among so many passages those for investors are looked for. */
const LOOKED_AT = 40;
const LONGEST_QUERY = 600;

const titleOf = ({ pageTitle, heading }: Passage): string =>
  heading === pageTitle ? pageTitle : `${pageTitle}: ${heading}`;

/** Guides to what the page for developers does. */
const ON_DEVELOPERS_PAGE: ReadonlySet<string> = new Set(['access', 'webhooks']);
const anchorOf = ({ page, anchor }: Passage): string =>
  page === 'reference' ? anchor : (GUIDES[page as keyof typeof GUIDES]?.anchor ?? 'operations');
const sourcesOf = (found: Passage): Source[] => [
  ...(ON_DEVELOPERS_PAGE.has(found.page) ? [ownSource('Keys and webhooks', '/developers')] : []),
  referenceSource(found.page === 'reference' ? titleOf(found) : `Guide: ${titleOf(found)}`, anchorOf(found)),
];
const shown = (found: Passage, text: string) => ({
  id: found.id,
  title: titleOf(found),
  file: GUIDES[found.page as keyof typeof GUIDES]?.file ?? null,
  text: text.replaceAll('$BASE_URL', new URL(env().BASE_URL).origin),
});

const goesOnIn = ({ page, heading }: Passage): string => {
  const file = GUIDES[page as keyof typeof GUIDES]?.file;
  return `*There is more in \`${file}\`, section “${heading}”.*`;
};

export const searchHelpTool = defineTool({
  name: 'search_help',
  description:
    "Searches this platform's guides (investing, API keys, webhooks, errors and limits, verifying a sale, security, deploying, operations, runbook) and its API reference. Give the question or a few words. `is_sure` says whether the first passage plainly fits.",
  input: z.strictObject({
    query: z.string().trim().min(1).max(LONGEST_QUERY),
    for_investors: z.boolean().optional().describe('Only what is written for investors; where it is sure, all.'),
  }),
  async run(_ctx, { query, for_investors: isForInvestors = false }) {
    const { found: all, isSure } = await search(query, isForInvestors ? LOOKED_AT : MOST_PASSAGES);
    const isTheirs = ({ passage: { page } }: (typeof all)[number]) =>
      GUIDES[page as keyof typeof GUIDES]?.audience === 'investor';
    const found = (isForInvestors && !isSure ? all.filter(isTheirs) : all).slice(0, MOST_PASSAGES);
    const passages = await Promise.all(
      found.map(async ({ passage: one, isNamed }) => {
        const { text, isWhole, snippet } = await shownOf(one, query);
        // Where it is not sure, what says most of the question comes first: a hint begins with it.
        const told = isSure || snippet === '' ? text : `${snippet}\n\n${text}`;
        return { ...shown(one, isWhole ? told : `${told}\n\n${goesOnIn(one)}`), is_named: isNamed };
      }),
    );
    return {
      data: { is_sure: isSure, passages },
      sources: found.slice(0, isSure ? 1 : 2).flatMap((one) => sourcesOf(one.passage)),
    };
  },
});

export type HelpFound = Awaited<ReturnType<typeof searchHelpTool.run>>['data'];

export const readHelpTool = defineTool({
  name: 'read_help',
  description: 'One passage of the guides by its id, from search_help.',
  input: z.strictObject({ id: z.string().max(120) }),
  async run(_ctx, { id }) {
    const found = await passage(id);
    return { data: shown(found, found.text), sources: sourcesOf(found) };
  },
});
