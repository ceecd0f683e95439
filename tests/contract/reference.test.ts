import { expect, inject, test } from 'vitest';
import { CONTRACTS } from '#lib/api/contracts.ts';
import { EVENT_TYPES } from '#lib/events/catalogue.ts';

const get = (path: string) => fetch(new URL(path, inject('sandbox').manifest.base_url), { redirect: 'manual' });
const LANGUAGES = ['curl --request', 'fetch(', 'import requests', 'package main'];

test('the reference lists every operation and event, and each has a page with its path, its answers and an example in each language', async () => {
  const overview = await (await get('/reference')).text();
  const ids = [...CONTRACTS.map(({ id }) => id), ...EVENT_TYPES];
  const pages = await Promise.all(ids.map(async (id) => ({ id, answer: await get(`/reference/${id}`) })));
  for (const { id, answer } of pages) {
    expect(overview).toContain(`href="/reference/${id}"`);
    expect(answer.status, id).toBe(200);
    const text = (await answer.text()).replaceAll(/<[^>]+>/g, '');
    const contract = CONTRACTS.find((one) => one.id === id);
    expect(text).toContain(contract?.path ?? id);
    if (contract?.alias !== undefined) expect(text).toContain(contract.alias);
    if (contract !== undefined) for (const part of LANGUAGES) expect(text, id).toContain(part);
  }
});

test('what is no operation has no page', async () => {
  for (const path of ['/reference/nothing', '/reference/constructor', '/reference/%25E0']) {
    expect((await get(path)).status, path).toBe(404);
  }
});

test('the start page leads to the guides and the reference', async () => {
  const start = await (await get('/')).text();
  expect(start).toContain('href="/reference"');
  expect(start).toContain('href="/docs"');
});
