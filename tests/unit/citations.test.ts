import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FOLDERS = ['app', 'bench', 'docs', 'drizzle', 'lib', 'sandbox', 'tests'];
/** Made by machines, or what somebody else's server said. */
const NOT_OURS = ['drizzle/migrations', 'sandbox/conformance/recordings', 'lib/client/generated.ts'];

const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

function filesOf(folder: string): string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:tsx?|mjs|cjs|md)$/.test(entry.name))
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)))
    .filter((file) => !NOT_OURS.some((one) => file === one || file.startsWith(`${one}/`)));
}

const FILES = [
  ...readdirSync(ROOT).filter((name) => /\.(?:ts|mjs|md|example)$/.test(name) && name !== 'next-env.d.ts'),
  ...FOLDERS.flatMap(filesOf),
].filter((file) => file !== path.relative(ROOT, import.meta.filename));
const PAGES = FILES.filter((file) => file.endsWith('.md'));

/** The comments of a source file; all of a page but its blocks of code; the settings' template whole. */
function proseOf(file: string): string {
  const text = read(file);
  if (file.endsWith('.example')) return text;
  if (file.endsWith('.md')) return text.replaceAll(/^( *)(```|~~~)[\s\S]*?^\1\2/gm, '');
  const comments = [...text.matchAll(/\/\*[\s\S]*?\*\/|(?<![:'"`/\w])\/\/ .*$/gm)].map(([comment]) => comment);
  return comments.join('\n').replaceAll(/\n\s*(?:\*\/|\*|\/\/)\s?/g, ' ');
}

const anchors = new Map<string, Set<string>>();

/** The anchors that GitHub gives the headings of a page. */
function anchorsOf(page: string): Set<string> {
  const known = anchors.get(page);
  if (known !== undefined) return known;
  const found = new Set<string>();
  for (const [, heading = ''] of proseOf(page).matchAll(/^#+ (.+)$/gm)) {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    let name = anchor;
    for (let n = 1; found.has(name); n++) name = `${anchor}-${n}`;
    found.add(name);
  }
  anchors.set(page, found);
  return found;
}

const isFile = (file: string): boolean => existsSync(path.join(ROOT, file)) && statSync(path.join(ROOT, file)).isFile();

/** Paths from the top of the repository, with an extension or a final slash; no patterns and no examples. */
const SEGMENT = String.raw`(?:\(site\)|\[[\w.]+\]|[\w.-]+)`;
const PATHS = new RegExp(
  String.raw`(?<![\w#./@$:{*<-])(?:${FOLDERS.join('|')})/(?:${SEGMENT}/)*(?:[\w.-]+\.(?:tsx?|mjs|cjs|md|json|css|svg|png|sql))?(?![\w*{<…/])`,
  'g',
);

describe('what comments and documents cite stands in the repository', () => {
  test('each path', () => {
    const missing = FILES.flatMap((file) =>
      [...proseOf(file).matchAll(PATHS)]
        .map(([cited]) => cited)
        .filter((cited) => /\.\w+$|\/$/.test(cited) && !existsSync(path.join(ROOT, cited)))
        .map((cited) => `${file}: ${cited}`),
    );
    expect(missing).toEqual([]);
  });

  test('each page that a text in the code names', () => {
    const missing = FILES.flatMap((file) =>
      [...read(file).matchAll(/(?<![\w./-])(docs\/[\w/-]+\.md)(?:#([\w-]+))?/g)]
        .filter(([, page = '', anchor]) => !isFile(page) || (anchor !== undefined && !anchorsOf(page).has(anchor)))
        .map(([cited]) => `${file}: ${cited}`),
    );
    expect(missing).toEqual([]);
  });

  test('each npm script', () => {
    const { scripts } = JSON.parse(read('package.json'));
    const missing = FILES.flatMap((file) =>
      [...read(file).matchAll(/\bnpm run (?:--silent |-s )?([a-z][\w:-]*)/g)]
        .filter(([, script = '']) => scripts[script] === undefined)
        .map(([command]) => `${file}: ${command}`),
    );
    expect(missing).toEqual([]);
  });

  test('each folder that the glossary and the architecture page name', () => {
    const named = ['docs/glossary.md', 'ARCHITECTURE.md'].flatMap((page) =>
      [...proseOf(page).matchAll(/`((?:app|drizzle|lib|sandbox|tests)\/[\w/-]+)`/g)].map(([, folder = '']) => folder),
    );
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((folder) => !existsSync(path.join(ROOT, folder)))).toEqual([]);
  });

  test('each section of a page, and each numbered fact', () => {
    const missing = FILES.flatMap((file) => {
      const prose = proseOf(file);
      const sections = [...prose.matchAll(/\b(docs\/[\w/.-]+\.md)#([\w-]+)/g)]
        .filter(([, page = '', anchor = '']) => isFile(page) && !anchorsOf(page).has(anchor))
        .map(([cited]) => cited);
      const facts = [...prose.matchAll(/docs\/ledger-facts\.md, (\d+(?:(?:, | to | and )\d+)*)/g)].flatMap(
        ([cited, numbers = '']) =>
          [...numbers.matchAll(/\d+/g)].some(([number]) => !read('docs/ledger-facts.md').includes(`\n### ${number}. `))
            ? [cited]
            : [],
      );
      return [...sections, ...facts].map((cited) => `${file}: ${cited}`);
    });
    expect(missing).toEqual([]);
  });

  test('each link of a page, with its heading', () => {
    const missing = PAGES.flatMap((page) =>
      [...proseOf(page).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
        .filter(([, target = '', anchor]) => {
          const file = target === '' ? page : path.join(path.dirname(page), target);
          if (!existsSync(path.join(ROOT, file))) return true;
          return anchor !== undefined && file.endsWith('.md') && !anchorsOf(file).has(anchor);
        })
        .map(([link]) => `${page}: ${link}`),
    );
    expect(missing).toEqual([]);
  });

  test('no document that a reader of the repository cannot open', () => {
    const ELSEWHERE =
      /\.\.\/shared\b|\bdesign section\b|\bspecification \d|\b(?:ledger|wire) facts? \d|\b(?<!rippled )issue \d+\b/gi;
    const cited = FILES.flatMap((file) => [...proseOf(file).matchAll(ELSEWHERE)].map(([words]) => `${file}: ${words}`));
    expect(cited).toEqual([]);
  });
});
