import { afterAll, beforeAll, expect, test } from 'vitest';
import { isFromOwnPage } from '#lib/api/from-own-page.ts';
import { applyEnv } from '#lib/base/env.ts';
import { testEnv } from '#tests/support/env.ts';

beforeAll(() => void applyEnv(testEnv({ BASE_URL: 'https://tranche.example' })));
afterAll(() => void applyEnv(testEnv()));

const HOST = { host: 'tranche.example' };
const OWN = { ...HOST, origin: 'https://tranche.example' };
const EVIL = 'https://evil.example';

test.each([
  ['a page of this site', OWN],
  ['the same, with what a browser vouches for', { ...OWN, 'sec-fetch-site': 'same-origin' }],
  ['a page behind a proxy', { host: 'inner', 'x-forwarded-host': 'tranche.example', origin: OWN.origin }],
  ['a page behind a proxy that names no host', { host: 'inner', origin: OWN.origin }],
])('%s may act', (_, headers) => {
  expect(isFromOwnPage(new Headers(headers as Record<string, string>))).toBe(true);
});

test.each([
  ['another site', { ...HOST, origin: EVIL }],
  [
    'another site whose request claims that site as its host',
    { ...HOST, 'x-forwarded-host': 'evil.example', origin: EVIL },
  ],
  ['another site that is reached by its own name', { host: 'evil.example', origin: EVIL }],
  ['a page without an origin', { ...HOST, origin: 'null' }],
  ['who names no origin', HOST],
  ['a sister site', { ...OWN, 'sec-fetch-site': 'same-site' }],
  ['another site that says it is this one', { ...OWN, 'sec-fetch-site': 'cross-site' }],
  ['a site whose name begins alike', { ...HOST, origin: 'https://tranche.example.evil.example' }],
  ['another port', { ...HOST, origin: 'https://tranche.example:8443' }],
  ['the same host without https', { ...HOST, origin: 'http://tranche.example' }],
  ['nobody', {}],
])('%s may not', (_, headers) => {
  expect(isFromOwnPage(new Headers(headers as Record<string, string>))).toBe(false);
});
