import { beforeAll, expect, test } from 'vitest';
import { applyEnv } from '#lib/base/env.ts';
import { testEnv } from '#tests/support/env.ts';
import { allGuides, DOCS, linkIn, navigation } from '../../../app/(site)/(guides)/_guides/guides.ts';
import { searchGuides } from '../../../app/(site)/(guides)/_guides/search.ts';

beforeAll(() => applyEnv(testEnv()));

/** Lists to look something up in, and answers to questions: read in no order. */
const LISTS = /^docs\/(?:glossary|ledger-facts|wire-facts)\.md$|^docs\/(?:faq|adr)\/|^docs\/README\.md$/;

test('each guide begins with whom it is for and ends with where to go next', async () => {
  const guides = [...(await allGuides()).values()].filter(
    ({ file, url }) => /^docs\//.test(file) && !LISTS.test(file) && !/\/errors\/./.test(url),
  );
  expect(guides.length).toBeGreaterThan(15);
  for (const { file, markdown } of guides) {
    const [title = '', first = ''] = markdown.split(/\n\n+/);
    expect(title, file).toMatch(/^# \S/);
    expect(first, file).toMatch(/^(?:This page|In five minutes|The (?:sandbox|platform)|A Platform ID|`\/operator`)/);
    expect(markdown.trimEnd().split('\n').at(-1), file).toMatch(/^Next: \[/);
  }
});

test('the index lists every guide once, and the navigation is the index', async () => {
  const pages = (await navigation()).children.flatMap((node) => (node.type === 'page' ? [node.url] : []));
  expect(new Set(pages).size).toBe(pages.length);
  const guides = [...(await allGuides()).values()].filter(
    ({ file, url }) => !/adr\/\d/.test(file) && !/\/errors\/./.test(url),
  );
  expect(pages.toSorted()).toEqual(
    guides
      .map(({ url }) => url)
      .filter((url) => url !== DOCS)
      .toSorted(),
  );
});

test('a link between files leads to their pages, one out of the guides leads nowhere, and any other stays', async () => {
  const guides = await allGuides();
  const webhooks = guides.get('/docs/webhooks');
  if (webhooks === undefined) throw new Error('no guide');
  expect(linkIn(guides, webhooks, 'api.md#errors')).toBe('/docs/api#errors');
  expect(linkIn(guides, webhooks, 'adr/README.md')).toBe('/docs/adr');
  expect(linkIn(guides, webhooks, '../ARCHITECTURE.md')).toBe('/docs/architecture');
  expect(linkIn(guides, webhooks, '../lib/base/env.ts')).toBeNull();
  for (const kept of ['#verify', '/developers', 'https://example.org/x'])
    expect(linkIn(guides, webhooks, kept)).toBe(kept);
});

test.each([
  ['rotate the secret', '/docs/webhooks#rotate-the-secret'],
  ['rate limits', '/docs/api#rate-limits'],
  ['rollback vercel', '/docs/deploying#rolling-back-on-vercel'],
  ['webhok signatur', '/docs/webhooks'],
  ['POST webhooks', '/reference/registerWebhook'],
])('a search for “%s” finds %s among the first', async (query, url) => {
  const found = (await searchGuides(query)).slice(0, 8);
  expect(found.map((one) => one.url).some((one) => one.startsWith(url))).toBe(true);
});

test('a search takes the first twelve words: a long text costs no more', async () => {
  const words = ['rotate', 'the', 'secret', 'of', 'a', 'webhook', 'that', 'is', 'in', 'use', 'right', 'now'];
  expect(await searchGuides([...words, 'refund', 'vercel'].join(' '))).toEqual(await searchGuides(words.join(' ')));
});
