import { beforeAll, describe, expect, test } from 'vitest';
import { CONTRACTS } from '#lib/api/contracts.ts';
import { foldOpenapi } from '#lib/api/openapi.ts';
import { EVENT_TYPES } from '#lib/events/catalogue.ts';
import { html, prose } from '../../../app/reference/markup.ts';
import { GET } from '../../../app/reference/route.ts';

let page: string;
let ids: string[];
beforeAll(async () => {
  page = await GET().text();
  ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id ?? '');
});

describe('the reference page', () => {
  test('shows every operation of the OpenAPI document, under every path form', () => {
    const document = foldOpenapi(CONTRACTS, { version: '0', serverUrl: '/' });
    for (const [path, item] of Object.entries(document.paths ?? {})) {
      expect(page).toContain(`<code>${path}</code>`);
      for (const method of ['get', 'post', 'put', 'patch', 'delete'] as const) {
        if (item[method] !== undefined) expect(ids).toContain(item[method].operationId);
      }
    }
  });

  test('shows every event type', () => {
    for (const type of EVENT_TYPES) expect(page).toContain(`<code>${type}</code>`);
  });

  test('asks no other host for anything, runs no script and carries no style of its own', () => {
    const loaded = [...page.matchAll(/<(?:link|script|img|iframe|source|object|embed|base)\b[^>]*>/g)].map(
      ([tag]) => tag,
    );
    expect(loaded).toEqual(['<link rel="stylesheet" href="/reference/style.css">']);
    expect(page).not.toMatch(/ (?:style|on\w+)=|javascript:|@import|url\(/);
    for (const [, address] of page.matchAll(/(?:href|src)="([^"]*)"/g)) expect(address).toMatch(/^[/#]/);
    expect(GET().headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  test('leads nowhere that is not there, and names nothing twice', () => {
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, id] of page.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(id);
  });

  test('escapes what it is given', () => {
    expect(html`<p>${'<script>"&\''}</p>`.text).toBe('<p>&lt;script&gt;&quot;&amp;&#39;</p>');
    expect(prose('a `<b>` c').text).toBe('a <code>&lt;b&gt;</code> c');
  });
});
