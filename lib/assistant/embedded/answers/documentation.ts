import { ownUrl } from '../../links.ts';
import { searchHelpTool } from '../../tools/search-help.ts';
import type { Answer, Asked } from '../asked.ts';
import { code, link, paragraphs, strong } from '../markdown.ts';

const LONGEST_EXCERPT = 900;
const LONGEST_QUERY = 300;

/** The beginning of a section, cut between paragraphs; a code block is whole or not there. */
function excerpt(text: string): string {
  let shown = '';
  let isOpen = false;
  for (const part of text.split('\n\n')) {
    if (shown !== '' && shown.length + part.length > LONGEST_EXCERPT && !isOpen) break;
    shown = shown === '' ? part : `${shown}\n\n${part}`;
    isOpen = (shown.match(/^\s*```/gm)?.length ?? 0) % 2 === 1;
  }
  return shown;
}

const VALUES = /xamount(?: xrp| token)?|xnumber|xother|xwallet|xhash|xtier/g;

/**
 * What the documentation has on a question, the best section whole or its beginning, one of the preferred page before others;
 * null when nothing fits well.
 */
export async function fromDocumentation(asked: Asked, preferredPage: string | null = null): Promise<string | null> {
  const query = asked.entities.rest.replace(VALUES, ' ').trim();
  if (query === '') return null;
  const { sections } = await asked.use(searchHelpTool, { query: query.slice(0, LONGEST_QUERY) });
  const best = sections.find(({ id }) => preferredPage !== null && id.startsWith(`${preferredPage}#`)) ?? sections[0];
  const others = sections.filter((section) => section !== best);
  if (best === undefined) return null;
  return paragraphs(
    `Our documentation says under ${strong(best.title)}:`,
    excerpt(best.text),
    others.length === 0 ? null : `See also: ${others.map(({ title }) => title).join('; ')}.`,
  );
}

/** Limits, errors, pages and what else holds for the whole API. */
export const answerApiDocs: Answer = async (asked) =>
  paragraphs(
    await fromDocumentation(asked, 'api'),
    `Every operation, answer and event stands in ${link('the API reference', ownUrl('/reference'))}, and as an OpenAPI document at ${code(ownUrl('/api/openapi.json'))}.`,
  );
