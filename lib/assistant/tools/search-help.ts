import { z } from 'zod';
import { env } from '#lib/platform/env.ts';
import type { Source } from '../answerer.ts';
import { helpAnchor, helpSection, searchHelp } from '../docs/help.ts';
import type { Section } from '../docs/sections.ts';
import { ownSource, referenceSource } from '../links.ts';
import { defineTool } from './define.ts';

const MOST_SECTIONS = 4;
/** The part of a question's words that a section must hold to be worth showing. */
const COVERS_ENOUGH = 0.6;

const shown = ({ id, pageTitle, heading, text }: Section) => ({
  id,
  title: heading === pageTitle ? pageTitle : `${pageTitle}: ${heading}`,
  text: text.replaceAll('$BASE_URL', new URL(env().BASE_URL).origin),
});
/** Guides to what the page for developers does. */
const ON_DEVELOPERS_PAGE: ReadonlySet<string> = new Set(['access', 'webhooks']);
const sourcesOf = ({ page, pageTitle, heading }: Section): Source[] => [
  ...(ON_DEVELOPERS_PAGE.has(page) ? [ownSource('Keys and webhooks', '/developers')] : []),
  referenceSource(heading === pageTitle ? `Guide: ${pageTitle}` : `Guide: ${pageTitle}, ${heading}`, helpAnchor(page)),
];

export const searchHelpTool = defineTool({
  name: 'search_help',
  description:
    "Searches this platform's own documentation: investing, API keys, webhooks (signatures, retries, the log), API errors and limits, verifying a sale, security. Give a few words.",
  input: z.strictObject({ query: z.string().trim().min(1).max(300) }),
  async run(_ctx, { query }) {
    const found = (await searchHelp(query, MOST_SECTIONS)).filter(({ covers }) => covers >= COVERS_ENOUGH);
    return {
      data: { sections: found.map(({ section }) => shown(section)) },
      sources: found.flatMap(({ section }) => sourcesOf(section)),
    };
  },
});

export const readHelpTool = defineTool({
  name: 'read_help',
  description: 'One section of the documentation by its id, from search_help.',
  input: z.strictObject({ id: z.string().max(120) }),
  async run(_ctx, { id }) {
    const section = await helpSection(id);
    return { data: shown(section), sources: sourcesOf(section) };
  },
});
