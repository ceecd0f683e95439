import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { QuoteResource } from '#lib/sales/investments/quote.ts';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import { QuoteAnswer } from '../../../app/(site)/sales/[slug]/quote-answer.tsx';

const credential = { type: 'KYC', credential_type: '4B5943', issuers: ['rIssuer', 'rOther'] };
const project = { token: { kind: 'mpt', issuance_id: '0', decimals: 6 } } as ProjectResource;

/** What the page says to a wallet, without its markup. */
function saysOf(held: Pick<QuoteResource['credentials'][number], 'status' | 'issuer' | 'expires_at'>): string {
  const quote: QuoteResource = {
    project_id: 'proj_0000000000000000000001',
    // Whether a named one can hold the token is a question of its own.
    wallet_address: null,
    amount_xrp: '1.000000',
    ledger_index: 7,
    accepted: false,
    halted: false,
    reason: 'not_admitted',
    admission: 'not_admitted',
    credentials: [{ tier: 2, ...credential, ...held }],
    limits: { remaining_xrp: null, remaining_listed_xrp: null },
    allocation: [],
    total_tokens: '0.000000',
    invested_xrp: '0.000000',
    rounding_xrp: '0.000000',
    refunded_xrp: '1.000000',
    held_xrp: '0.000000',
  };
  return renderToStaticMarkup(createElement(QuoteAnswer, { project, quote })).replace(/<[^>]+>/g, '');
}

test.each<[Parameters<typeof saysOf>[0], string]>([
  [
    { status: 'none', issuer: null, expires_at: null },
    'Tier 2 needs the credential “KYC” of rIssuer or rOther: this wallet has none. Ask its issuer for it.',
  ],
  [
    { status: 'not_accepted', issuer: 'rOther', expires_at: null },
    'of rOther: it was issued to this wallet and not accepted yet. Accept it with CredentialAccept.',
  ],
  [
    { status: 'expired', issuer: 'rIssuer', expires_at: '2026-12-01T00:00:00.000Z' },
    'of rIssuer: this wallet’s expired at 1 Dec 2026, 00:00:00 UTC. Ask its issuer for a new one.',
  ],
  [{ status: 'valid', issuer: 'rIssuer', expires_at: null }, 'of rIssuer: this wallet’s is valid.'],
])('a wallet is told what it has of a required credential: $status', (held, says) => {
  expect(saysOf(held)).toContain(says);
});
