import { expect, inject, test } from 'vitest';
import { ERROR_STATUS } from '#lib/base/errors.ts';

const { base_url: BASE_URL } = inject('sandbox').manifest;
const get = (path: string) => fetch(new URL(path, BASE_URL), { redirect: 'manual' });

/** The page's own part, without what the site has around it. */
const articleOf = (html: string): string => /<article[\s\S]*<\/article>/.exec(html)?.[0] ?? '';
const hrefsIn = (html: string): string[] =>
  [...html.matchAll(/<a\b[^>]*?href="([^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));

/** Every guide that links lead to, by its path, with its whole page. */
async function crawl(): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  let open = ['/docs'];
  while (open.length > 0) {
    const found = await Promise.all(open.map(async (path) => ({ path, answer: await get(path) })));
    for (const { path, answer } of found) {
      expect(answer.status, path).toBe(200);
      pages.set(path, await answer.text());
    }
    const linked = found.flatMap(({ path }) => hrefsIn(pages.get(path) ?? '').map((href) => href.split('#')[0] ?? ''));
    open = [...new Set(linked)].filter((path) => /^\/docs(?:\/|$)/.test(path) && !pages.has(path));
  }
  return pages;
}

test('every guide is reached from the index, and no link in a guide is dead: its page and its section are there', async () => {
  const pages = await crawl();
  // The guides, the questions, the decision records, and what stands at the top of the repository.
  expect(pages.size).toBeGreaterThan(60);
  const dead = [...pages].flatMap(([path, html]) =>
    hrefsIn(articleOf(html))
      .map((href) => new URL(href, new URL(path, BASE_URL)))
      .filter(({ origin, pathname }) => origin === new URL(BASE_URL).origin && pathname.startsWith('/docs'))
      .filter(({ pathname, hash }) => {
        const target = pages.get(pathname);
        return target === undefined || (hash !== '' && !target.includes(`id="${decodeURIComponent(hash.slice(1))}"`));
      })
      .map(({ href }) => `${path}: ${href}`),
  );
  expect(dead).toEqual([]);
  // A path that only a checkout has is no link on the site.
  const foreign = [...pages].flatMap(([path, html]) =>
    hrefsIn(articleOf(html))
      .filter((href) => !/^(?:https?:|mailto:|#|\/)/.test(href))
      .map((href) => `${path}: ${href}`),
  );
  expect(foreign).toEqual([]);
});

test('each page has the words of its file, a title of its own, a place in the navigation and no wording of the assistant', async () => {
  const html = await (await get('/docs/faq/investors')).text();
  expect(articleOf(html)).toContain('How do I buy tokens?');
  expect(articleOf(html)).not.toMatch(/Also asked|Deutsch:|Live:|Card:/);
  expect(html).toMatch(/<title>FAQ for investors · Tranche<\/title>/);
  expect(html).toMatch(/aria-current="page"[^>]*>FAQ for investors</);
});

test('the type of each problem leads to a page that explains it', async () => {
  const { type } = (await (await get('/api/projects/proj_0000000000000000000000')).json()) as { type: string };
  expect(type).toBe(new URL('/docs/errors/project_not_found', BASE_URL).href);
  const pages = await Promise.all(
    Object.entries(ERROR_STATUS).map(async ([code, status]) => ({
      code,
      status,
      answer: await get(`/docs/errors/${code}`),
    })),
  );
  for (const { code, status, answer } of pages) {
    expect(answer.status, code).toBe(200);
    expect(articleOf(await answer.text())).toMatch(new RegExp(`<h1[^>]*>${code}</h1>[\\s\\S]*Status ${status}\\.`));
  }
});

test('a search leads to the section that has the words, says so when nothing has them, and shows them as text', async () => {
  const found = await (await get('/docs/search?q=rotate%20the%20secret')).text();
  expect(hrefsIn(articleOf(found))).toContain('/docs/webhooks#rotate-the-secret');
  expect(articleOf(await (await get('/docs/search?q=zzzzqqqq')).text())).toContain('Nothing found');
  expect(articleOf(await (await get('/docs/search')).text())).toContain('Search the guides');
  const hostile = await (await get(`/docs/search?q=${encodeURIComponent('<img src=x onerror=alert(1)>')}`)).text();
  expect(hostile).not.toContain('<img src=x');
});

test('the drawings of the guides are served, and nothing else of the repository is', async () => {
  const drawing = await get('/docs/images/performance/api.svg');
  expect(drawing.status).toBe(200);
  expect(drawing.headers.get('content-type')).toBe('image/svg+xml');
  for (const path of [
    '/docs/images/..%2f..%2fpackage.json',
    '/docs/images/performance/none.svg',
    '/docs/package',
    '/docs/..%2fREADME',
  ]) {
    expect((await get(path)).status, path).toBeGreaterThanOrEqual(400);
  }
});
