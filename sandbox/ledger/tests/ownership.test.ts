import fc from 'fast-check';
import { expect, test } from 'vitest';
import { credentialIndex } from '../keylets.ts';
import type { ResultName } from '../results.ts';
import type { LedgerOverlay } from '../state.ts';
import type { TransactionFields } from '../transaction.ts';
import { ADDRESSES, checkOwnership, History } from './histories.ts';

/** More kinds of credentials than a directory page holds, so that pages come and go. */
const CREDENTIAL_TYPES = Array.from({ length: 45 }, (_, i) => `AB${i.toString(16).padStart(2, '0').toUpperCase()}`);
const who = fc.nat({ max: ADDRESSES.length - 1 });
const kind = fc.oneof(fc.nat({ max: 2 }), fc.nat({ max: CREDENTIAL_TYPES.length - 1 }));
const currency = fc.constantFrom('USD', 'EUR');
const step = fc.oneof(
  { weight: 1, arbitrary: fc.record({ type: fc.constant('close' as const) }) },
  {
    weight: 14,
    arbitrary: fc.record({ type: fc.constant('issue' as const), who, to: who, kind, lives: fc.option(fc.nat(60)) }),
  },
  { weight: 6, arbitrary: fc.record({ type: fc.constant('accept' as const), who, to: who, kind }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('revoke' as const), who, to: who, by: who, kind }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('authorize' as const),
      who,
      to: who,
      kinds: fc.uniqueArray(kind, { maxLength: 3 }),
      removes: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('domain' as const),
      who,
      to: who,
      kinds: fc.uniqueArray(kind, { minLength: 1, maxLength: 3 }),
      which: fc.option(fc.nat(5)),
      removes: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('trust' as const),
      who,
      to: who,
      currency,
      limit: fc.constantFrom('0', '0', '5', '9999999999999999e60'),
      flags: fc.constantFrom(0, 0, 0x10000, 0x20000, 0x40000, 0x100000, 0x200000, 0x500000, 0xa00000),
      quality: fc.constantFrom(undefined, undefined, 0, 1_000_000_000, 990_000_000),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('pay' as const),
      who,
      to: who,
      currency: fc.constantFrom('XRP', 'XRP', 'USD', 'EUR'),
      by: fc.option(fc.tuple(who, kind)),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('flag' as const), who, flag: fc.constantFrom(2, 8, 9, 13) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

type Fields = Partial<TransactionFields> & { TransactionType: string };

/** The transaction that a step stands for, with the domains that were made so far. */
function transactionOf(
  each: Exclude<Step, { type: 'close' }>,
  ledger: LedgerOverlay,
  domains: readonly string[],
): Fields {
  if (each.type === 'flag') return { TransactionType: 'AccountSet', SetFlag: each.flag };
  const other = ADDRESSES[each.to] ?? '';
  const typeOf = (at: number): string => CREDENTIAL_TYPES[at] ?? '';
  const itemsOf = (kinds: readonly number[]) =>
    kinds.map((at) => ({ Credential: { Issuer: other, CredentialType: typeOf(at) } }));
  switch (each.type) {
    case 'issue': {
      const expiry = each.lives === null ? {} : { Expiration: ledger.parentCloseTime + each.lives };
      return { TransactionType: 'CredentialCreate', Subject: other, CredentialType: typeOf(each.kind), ...expiry };
    }
    case 'accept':
      return { TransactionType: 'CredentialAccept', Issuer: other, CredentialType: typeOf(each.kind) };
    case 'revoke': {
      const parties = { Subject: other, Issuer: ADDRESSES[each.by] ?? '' };
      return { TransactionType: 'CredentialDelete', ...parties, CredentialType: typeOf(each.kind) };
    }
    case 'authorize': {
      const prefix = each.removes ? 'Unauthorize' : 'Authorize';
      const items = itemsOf(each.kinds);
      const whom = items.length === 0 ? { [prefix]: other } : { [`${prefix}Credentials`]: items };
      return { TransactionType: 'DepositPreauth', ...whom };
    }
    case 'domain': {
      const known = each.which === null ? undefined : domains[each.which];
      if (known === undefined) {
        return { TransactionType: 'PermissionedDomainSet', AcceptedCredentials: itemsOf(each.kinds) };
      }
      if (each.removes) return { TransactionType: 'PermissionedDomainDelete', DomainID: known };
      const change = { AcceptedCredentials: itemsOf(each.kinds), DomainID: known };
      return { TransactionType: 'PermissionedDomainSet', ...change };
    }
    case 'trust': {
      const LimitAmount = { currency: each.currency, issuer: other, value: each.limit };
      const qualities = each.quality === undefined ? {} : { QualityIn: each.quality, QualityOut: each.quality };
      return { TransactionType: 'TrustSet', LimitAmount, Flags: each.flags, ...qualities };
    }
    default: {
      const Amount = each.currency === 'XRP' ? '1200000' : { currency: each.currency, issuer: other, value: '2' };
      const payment = { TransactionType: 'Payment', Destination: other, Amount };
      if (!each.by) return payment;
      const [issuer, at] = each.by;
      const named = { Issuer: ADDRESSES[issuer] ?? '', CredentialType: typeOf(at) };
      return { ...payment, CredentialIDs: [credentialIndex(ADDRESSES[each.who] ?? '', named)] };
    }
  }
}

function play(history: History, steps: readonly Step[]): void {
  const domains: string[] = [];
  for (const each of steps) {
    if (each.type === 'close') history.closeLedger();
    else history.apply(each.who, transactionOf(each, history.ledger, domains));
    for (const [index, entry] of history.ledger.changes) {
      if (entry?.LedgerEntryType === 'PermissionedDomain' && !domains.includes(index)) domains.push(index);
    }
  }
}

test('over any history, owner counts and directories agree with what there is, and no XRP appears or is lost', () => {
  const seen = new Map<ResultName, number>();
  let pages = 0;
  fc.assert(
    fc.property(fc.array(step, { minLength: 100, maxLength: 400, size: 'max' }), (steps) => {
      const history = new History();
      play(history, steps);
      checkOwnership(history);
      for (const entry of history.entries().values()) {
        if (entry.LedgerEntryType === 'DirectoryNode' && entry.IndexNext) pages += 1;
      }
      for (const [result, count] of history.results) seen.set(result, (seen.get(result) ?? 0) + count);
    }),
    { numRuns: 60 },
  );
  expect(pages).toBeGreaterThan(0);
  for (const result of [
    'tesSUCCESS',
    'tecEXPIRED',
    'tecDUPLICATE',
    'tecINSUFFICIENT_RESERVE',
    'tecNO_ENTRY',
  ] as const) {
    expect(seen.get(result), result).toBeGreaterThan(0);
  }
});
