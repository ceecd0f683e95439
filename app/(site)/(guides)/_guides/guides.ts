import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Item, Root } from 'fumadocs-core/page-tree';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { toString as textOf } from 'mdast-util-to-string';
import { once } from '#lib/base/once.ts';
import { withoutWordings } from './without-wordings.ts';

/** A Markdown file of the repository as a page of the site: what GitHub shows, under an address of ours. */
export interface Guide {
  /** From the top of the repository. */
  file: string;
  url: string;
  title: string;
  markdown: string;
}

export const DOCS = '/docs';
/** The page that lists all others by reader; its lists are the navigation. */
const INDEX = 'docs/README.md';
const ERRORS = 'docs/errors.md';
const FOLDERS = ['docs', 'docs/faq', 'docs/adr'];
/** Pages that stand elsewhere in the repository, by their address. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'ARCHITECTURE.md': 'architecture',
  'CHANGELOG.md': 'changelog',
  'CONTRIBUTING.md': 'contributing',
  'lib/client/README.md': 'client',
  'lib/client-python/README.md': 'client-python',
  'lib/verifier/README.md': 'verifier',
  'sandbox/ledger/README.md': 'sandbox-ledger',
};

/** The files are traced by name (next.config.ts): followed, their paths would lead to every file there is. */
const absolute = (file: string): string =>
  path.join(/*turbopackIgnore: true*/ process.cwd(), /*turbopackIgnore: true*/ file);

/** The address of a file's page: `docs/webhooks.md` is /docs/webhooks, a README its folder. */
function urlOf(file: string): string {
  const slug = ELSEWHERE[file] ?? file.replace(/^docs\//, '').replace(/\/?(?:README)?\.md$/, '');
  return slug === '' ? DOCS : `${DOCS}/${slug}`;
}

/** Whether a page is a file of its own, and no part of one. */
export const isFile = ({ file, url }: Guide): boolean => url === urlOf(file);

async function readGuide(file: string): Promise<Guide> {
  const text = await readFile(/*turbopackIgnore: true*/ absolute(file), 'utf8');
  const markdown = file.startsWith('docs/faq/') ? withoutWordings(text) : text;
  return { file, url: urlOf(file), title: /^# (.+)$/m.exec(markdown)?.[1] ?? file, markdown };
}

/** Each error code as a page of its own, which the `type` of a problem leads to. */
const errorPages = ({ file, url, markdown }: Guide): Guide[] =>
  [...markdown.matchAll(/^## (\w+)\n[\s\S]*?(?=^## |$(?![\s\S]))/gm)].map(([section, code = '']) => ({
    file,
    url: `${url}/${code}`,
    title: code,
    markdown: `${section.slice(1)}\n\nSee also: [all errors](errors.md)`,
  }));

async function readGuides(): Promise<ReadonlyMap<string, Guide>> {
  const listed = await Promise.all(
    FOLDERS.map(async (folder) =>
      (await readdir(/*turbopackIgnore: true*/ absolute(folder)))
        .filter((name) => name.endsWith('.md'))
        .map((name) => `${folder}/${name}`),
    ),
  );
  const files = await Promise.all([...listed.flat(), ...Object.keys(ELSEWHERE)].map(readGuide));
  const guides = files.flatMap((guide) => (guide.file === ERRORS ? [guide, ...errorPages(guide)] : [guide]));
  return new Map(guides.map((guide) => [guide.url, guide]));
}

/** Every guide by its address; read once by a process. */
export const allGuides = once(readGuides);

/** The address of what a guide links to; null for a file that is no page. */
export function linkIn(guides: ReadonlyMap<string, Guide>, from: Guide, target: string): string | null {
  if (/^(?:[a-z]+:|#|\/)/.test(target)) return target;
  const [file = '', anchor] = target.split('#');
  const url = urlOf(path.posix.join(path.posix.dirname(from.file), file));
  return guides.has(url) ? `${url}${anchor === undefined ? '' : `#${anchor}`}` : null;
}

async function readNavigation(): Promise<Root> {
  const guides = await allGuides();
  const index = guides.get(DOCS);
  if (index === undefined) throw new Error(`${INDEX} is missing`);
  const nodes = fromMarkdown(index.markdown).children.flatMap((node): Root['children'] => {
    if (node.type === 'heading' && node.depth === 2) return [{ type: 'separator', name: textOf(node) }];
    if (node.type !== 'list') return [];
    return node.children.flatMap(({ children: [line] }): Item[] => {
      const link = line?.type === 'paragraph' ? line.children[0] : undefined;
      if (link?.type !== 'link') return [];
      const url = linkIn(guides, index, link.url);
      if (url === null) throw new Error(`${INDEX} lists ${link.url}, which is no page`);
      return [{ type: 'page', name: textOf(link), url, description: textOf(line).replace(/^[^:]*: /, '') }];
    });
  });
  return { name: index.title, children: nodes };
}

/** The navigation: the sections of the index page and what they list, each with the sentence that stands beside it. */
export const navigation = once(readNavigation);
