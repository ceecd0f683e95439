import { expect, inject, test } from 'vitest';
import { CONTRACTS } from '#lib/api/contracts.ts';

const get = (path: string) => fetch(new URL(path, inject('sandbox').manifest.base_url), { redirect: 'manual' });

test('the reference page is served by this host alone: all of it, its style included, made once a build', async () => {
  const page = await get('/reference');
  expect(page.status).toBe(200);
  expect(page.headers.get('content-type')).toMatch(/^text\/html/);
  expect(page.headers.get('x-nextjs-cache')).toBe('HIT');
  const text = await page.text();
  for (const { id } of CONTRACTS) expect(text).toContain(`id="${id}"`);
  const files = [...text.matchAll(/<(?:link|script|img)\b[^>]*?(?:href|src)="([^"]*)"/g)].map(([, file]) => file ?? '');
  expect(files).toEqual(['/reference/style.css']);
  for (const file of files) {
    const answer = await get(file);
    expect(answer.status, file).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^text\/css/);
  }
});

test('the page’s policy lets its own style through and no script', async () => {
  const policy = (await get('/reference')).headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/style-src 'self'/);
  expect(policy).not.toContain('unsafe-inline');
});

test('the start page leads to the reference', async () => {
  expect(await (await get('/')).text()).toContain('href="/reference"');
});
