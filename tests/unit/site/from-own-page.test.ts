import { expect, test } from 'vitest';
import { isFromOwnPage } from '../../../app/(site)/operator/from-own-page.ts';

const HOST = { host: 'tranche.example' };
const OWN = { ...HOST, origin: 'https://tranche.example' };

test.each([
  ['a page of this site', OWN],
  ['the same, with what a browser vouches for', { ...OWN, 'sec-fetch-site': 'same-origin' }],
  ['a page behind a proxy', { host: 'inner', 'x-forwarded-host': 'tranche.example', origin: OWN.origin }],
])('%s may act', (_, headers) => {
  expect(isFromOwnPage(new Headers(headers))).toBe(true);
});

test.each([
  ['another site', { ...HOST, origin: 'https://evil.example' }],
  ['a page without an origin', { ...HOST, origin: 'null' }],
  ['who names no origin', HOST],
  ['a sister site', { ...OWN, 'sec-fetch-site': 'same-site' }],
  ['another site that says it is this one', { ...OWN, 'sec-fetch-site': 'cross-site' }],
  ['a site whose name begins alike', { ...HOST, origin: 'https://tranche.example.evil.example' }],
  ['another port', { ...HOST, origin: 'https://tranche.example:8443' }],
  ['nobody', {}],
])('%s may not', (_, headers) => {
  expect(isFromOwnPage(new Headers(headers as Record<string, string>))).toBe(false);
});
