import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costCeil } from '../amounts.ts';
import {
  type CredentialEntry,
  type CredentialRequirement,
  CredentialUnknown,
  credentialKey,
  credentialStatus,
  credentialsAsked,
} from '../credentials.ts';
import { quotePayments } from '../quote-payments.ts';
import { type Reduced, reduce, reduceAll } from '../reduce.ts';
import type { Effect, ProjectState, SaleEntry, SaleState } from '../types.ts';
import { action, listing, NOW, ofType, only, payment, projectOf, soleProject, stateOf, tierOf, XRP } from './book.ts';
import { anyCredentialFeed } from './feeds.ts';

const KYC: CredentialRequirement = { credential_type: '4B5943', issuers: ['rIssuer'] };
const EITHER: CredentialRequirement = { credential_type: '4B5943', issuers: ['rIssuer', 'rOtherIssuer'] };
const HELD: CredentialEntry = { accepted: true, expiresAtMs: null };
const RUNS = { numRuns: 300 };

/** What ledger 99, the one before the entries of book.ts, holds of rInvestor's. */
const holding = (entries: Record<string, CredentialEntry | null>, ledgerIndex = 99) =>
  new Map(
    Object.entries(entries).map(([issuer, entry]) => [
      credentialKey({ ledgerIndex, subject: 'rInvestor', issuer, credentialType: '4B5943' }),
      entry,
    ]),
  );

/** A sale whose two tiers require the credential. */
const requiring = (
  credentials: Map<string, CredentialEntry | null>,
  { credential = KYC, ...over }: { credential?: CredentialRequirement } & Partial<ProjectState> = {},
): SaleState => ({
  ...stateOf(projectOf({ tiers: [tierOf(1, { credential }), tierOf(2, { credential })], ...over })),
  credentials,
});

describe('a tier that requires a credential', () => {
  it.each([
    ['is accepted', HELD, 'invested'],
    ['expires with the payment’s ledger', { accepted: true, expiresAtMs: NOW }, 'invested'],
    ['expired before the payment’s ledger closed', { accepted: true, expiresAtMs: NOW - 1 }, 'refused'],
    ['was not accepted', { accepted: false, expiresAtMs: null }, 'refused'],
    ['is not there', null, 'refused'],
  ])('sells by what the ledger before the payment holds: a credential that %s', (_, entry, type) => {
    const effect = only(requiring(holding({ rIssuer: entry })), payment(XRP));
    expect(effect).toMatchObject(type === 'invested' ? { type } : { type, reason: 'not_admitted' });
  });

  it('takes a credential of any of its issuers', () => {
    const state = requiring(holding({ rIssuer: null, rOtherIssuer: HELD }), { credential: EITHER });
    expect(only(state, payment(XRP))).toMatchObject({ type: 'invested' });
  });

  it('decides each payment by its own ledger: given, and taken away again', () => {
    const credentials = new Map([
      ...holding({ rIssuer: null }, 99),
      ...holding({ rIssuer: HELD }, 100),
      ...holding({ rIssuer: null }, 101),
    ]);
    const { effects } = reduceAll(
      requiring(credentials),
      [100, 101, 102].map((ledgerIndex) => payment(XRP, { ledgerIndex })),
    );
    expect(effects.map(({ type }) => type)).toEqual(['refused', 'invested', 'refused']);
  });

  it('ends the buying of whoever lacks it, and is not skipped for an open tier after it', () => {
    const tiers = [tierOf(1), tierOf(2, { credential: KYC }), tierOf(3)];
    const [invested] = reduce(requiring(holding({ rIssuer: null }), { tiers }), payment(150n * XRP)).effects;
    expect(invested).toMatchObject({
      parts: [{ tier: 1, drops: 100n * XRP }],
      refundedDrops: 50n * XRP,
      refundReason: 'not_admitted',
    });
  });

  it.each([
    ['on the list and with the credential', { rInvestor: null }, HELD, 'invested'],
    ['with the credential alone', { rElse: null }, HELD, 'refused'],
    ['on the list alone', { rInvestor: null }, null, 'refused'],
    ['with neither', { rElse: null }, null, 'refused'],
  ])('and the list as well sells to who meets both: a wallet %s', (_, list, entry, type) => {
    const tiers = [tierOf(1, { credential: KYC, listed: true })];
    const state = requiring(holding({ rIssuer: entry }), { tiers, ...listing(list) });
    expect(only(state, payment(XRP)).type).toBe(type);
  });

  it('decides an assigned payment by the ledger before the action that assigns it', () => {
    const held = payment(XRP, { destinationTag: null, ledgerIndex: 90 });
    const assign = (ledgerIndex: number) => action('assign', { paymentHash: held.hash, ledgerIndex });
    const state = { ...requiring(holding({ rIssuer: HELD }, 99)), held: new Map([[held.hash, held]]) };
    expect(reduce(state, assign(100)).effects.map(({ type }) => type)).toEqual(['action_applied', 'invested']);
    const without = {
      ...state,
      credentials: new Map([...holding({ rIssuer: HELD }, 89), ...holding({ rIssuer: null })]),
    };
    expect(only(without, assign(100))).toMatchObject({ detail: 'the payment would be refused: not_admitted' });
  });
});

describe('a credential that was not read', () => {
  it('is never guessed: what depends on it is not decided', () => {
    expect(() => reduce(requiring(new Map()), payment(XRP))).toThrow(CredentialUnknown);
    const { credentials: _, ...withoutAny } = requiring(new Map());
    expect(() => reduce(withoutAny, payment(XRP))).toThrow(CredentialUnknown);
    expect(() => reduce(requiring(holding({ rIssuer: null }), { credential: EITHER }), payment(XRP))).toThrow(
      CredentialUnknown,
    );
  });

  it('stops no payment that does not depend on it', () => {
    const open = requiring(new Map(), { tiers: [tierOf(1), tierOf(2, { credential: KYC })] });
    expect(only(open, payment(XRP))).toMatchObject({ type: 'invested' });
    const closed = requiring(new Map(), { status: 'paused' });
    expect(only(closed, payment(XRP))).toMatchObject({ reason: 'not_active' });
    const minimum = requiring(new Map(), { minInvestmentDrops: 2n * XRP });
    expect(only(minimum, payment(XRP))).toMatchObject({ reason: 'below_minimum' });
    const one = requiring(holding({ rOtherIssuer: HELD }), { credential: EITHER });
    expect(only(one, payment(XRP))).toMatchObject({ type: 'invested' });
  });

  it('is asked for only where an open tier requires it', () => {
    const asked = (state: SaleState, entries: SaleEntry[]) =>
      credentialsAsked(state.credentials, (credentials) => reduceAll({ ...state, credentials }, entries));
    const late = requiring(new Map(), { tiers: [tierOf(1), tierOf(2, { credential: KYC })] });
    expect(asked(late, [payment(XRP), payment(XRP)])).toEqual([]);
    expect(asked(late, [payment(99n * XRP), payment(5n * XRP), payment(XRP, { sender: 'rElse' })])).toEqual([
      { ledgerIndex: 99, subject: 'rInvestor', issuer: 'rIssuer', credentialType: '4B5943' },
      { ledgerIndex: 99, subject: 'rElse', issuer: 'rIssuer', credentialType: '4B5943' },
    ]);
    const full = requiring(new Map(), {
      tiers: [tierOf(1, { credential: KYC, soldUnits: 1_000n * XRP }), tierOf(2)],
    });
    expect(asked(full, [payment(XRP)])).toEqual([]);
  });

  it('is not asked for where the payment, or what is left of it, buys no unit of the tier', () => {
    const state = requiring(new Map(), { decimals: 0, tiers: [tierOf(1), tierOf(2, { credential: KYC })] });
    const asked = (entries: SaleEntry[], start: SaleState) =>
      credentialsAsked(start.credentials, (credentials) => reduceAll({ ...start, credentials }, entries));
    const unit = costCeil(1n, tierOf(2).price, 0);
    const first = requiring(new Map(), { decimals: 0, tiers: [tierOf(2, { credential: KYC })] });
    expect(asked([payment(unit - 1n)], first)).toEqual([]);
    expect(only(first, payment(unit - 1n))).toMatchObject({ type: 'refused', reason: 'below_one_unit' });
    expect(asked([payment(unit)], first)).toHaveLength(1);
    const whole = costCeil(tierOf(1).totalUnits, tierOf(1).price, 0);
    expect(asked([payment(whole + unit - 1n)], state)).toEqual([]);
    const [invested] = ofType(reduce(state, payment(whole + unit - 1n)).effects, 'invested');
    expect(invested).toMatchObject({ refundedDrops: unit - 1n, refundReason: 'change' });
    expect(asked([payment(whole + unit)], state)).toHaveLength(1);
    const spent = requiring(new Map(), { maxPerWalletDrops: 0n });
    expect(asked([payment(XRP)], spent)).toEqual([]);
    expect(only(spent, payment(XRP))).toMatchObject({ type: 'refused', reason: 'above_wallet_cap' });
  });

  it('is not asked of other issuers where one of those that were read admits', () => {
    const asked = (read: Map<string, CredentialEntry | null>) =>
      credentialsAsked(read, (credentials) =>
        reduce({ ...requiring(new Map(), { credential: EITHER }), credentials }, payment(XRP)),
      ).map(({ issuer }) => issuer);
    expect(asked(holding({}))).toEqual(['rIssuer', 'rOtherIssuer']);
    expect(asked(holding({ rIssuer: null }))).toEqual(['rOtherIssuer']);
    expect(asked(holding({ rOtherIssuer: HELD }))).toEqual([]);
    expect(asked(holding({ rOtherIssuer: { accepted: false, expiresAtMs: null } }))).toEqual(['rIssuer']);
  });

  it('leaves no quote either', () => {
    const paid = payment(XRP);
    expect(() => quotePayments(requiring(new Map()), [paid], new Set([paid.hash]))).toThrow(CredentialUnknown);
    const [quote] = quotePayments(requiring(holding({ rIssuer: null })), [paid], new Set([paid.hash]));
    expect(quote).toMatchObject({ tier: 1, units: 0n });
  });
});

/** Reads what is asked for, a few at a time, until everything can be decided. */
function readAsAsked(
  start: SaleState,
  entries: readonly SaleEntry[],
  read: ReadonlyMap<string, CredentialEntry | null>,
  most: number,
) {
  const known = new Map<string, CredentialEntry | null>();
  let rounds = 0;
  for (;;) {
    const asked = credentialsAsked(known, (credentials) => reduceAll({ ...start, credentials }, entries));
    if (asked.length === 0) return { known, rounds };
    rounds += 1;
    for (const question of asked.slice(0, most)) {
      const key = credentialKey(question);
      known.set(key, read.get(key) ?? null);
    }
  }
}

const resultOf = ({ state, effects }: Reduced) => ({ project: soleProject(state), held: state.held, effects });

describe('any feed with credentials', () => {
  it('sells in no tier to a wallet that did not hold its credential in the ledger before', () => {
    let sold = 0;
    let refused = 0;
    fc.assert(
      fc.property(anyCredentialFeed, ({ start, entries, read }) => {
        const { effects } = reduceAll(start, entries);
        const tiers = new Map(soleProject(start).tiers.map((tier) => [tier.tier, tier]));
        refused += effects.filter((each) => 'reason' in each && each.reason === 'not_admitted').length;
        for (const { payment: paid, assignedBy, decidedAtMs, parts } of ofType(effects, 'invested')) {
          const ledgerIndex = (assignedBy ?? paid).ledgerIndex - 1;
          for (const { tier } of parts) {
            const required = tiers.get(tier)?.credential ?? null;
            if (required === null) continue;
            sold += 1;
            const held = required.issuers.some((issuer) => {
              const question = { ledgerIndex, subject: paid.sender, issuer, credentialType: required.credential_type };
              return credentialStatus(read.get(credentialKey(question)) ?? null, decidedAtMs) === 'valid';
            });
            expect(held).toBe(true);
          }
        }
      }),
      RUNS,
    );
    expect(sold).toBeGreaterThan(30);
    expect(refused).toBeGreaterThan(30);
  });

  it('conserves every drop', () => {
    fc.assert(
      fc.property(anyCredentialFeed, ({ start, entries }) => {
        const last = new Map<string, Effect>();
        for (const effect of reduceAll(start, entries).effects) {
          if (effect.type === 'invested' || effect.type === 'refused' || effect.type === 'held')
            last.set(effect.payment.hash, effect);
        }
        for (const entry of entries) {
          if (entry.kind !== 'payment') continue;
          const effect = last.get(entry.hash);
          if (effect?.type === 'invested')
            expect(effect.investedDrops + effect.refundedDrops).toBe(entry.receivedDrops);
          else if (effect?.type === 'refused')
            expect(effect.heldDrops + effect.refundedDrops).toBe(entry.receivedDrops);
          else expect(effect?.type).toBe('held');
        }
      }),
      RUNS,
    );
  });

  it('gives the same in any paging', () => {
    fc.assert(
      fc.property(anyCredentialFeed, fc.integer({ min: 1, max: 7 }), ({ start, entries }, size) => {
        let state = start;
        const effects: Effect[] = [];
        for (let from = 0; from < entries.length; from += size) {
          const reduced = reduceAll(state, entries.slice(from, from + size));
          state = reduced.state;
          effects.push(...reduced.effects);
        }
        expect({ state, effects }).toEqual(reduceAll(start, entries));
      }),
      RUNS,
    );
  });

  it('decides by a part of the credentials either the same or nothing', () => {
    fc.assert(
      fc.property(anyCredentialFeed, fc.infiniteStream(fc.boolean()), ({ start, entries, read }, keep) => {
        const part = new Map([...read].filter(() => keep.next().value));
        const whole = resultOf(reduceAll(start, entries));
        try {
          expect(resultOf(reduceAll({ ...start, credentials: part }, entries))).toEqual(whole);
        } catch (error) {
          if (!(error instanceof CredentialUnknown)) throw error;
          const { ledgerIndex } = error.question;
          // What lies before the first unknown one is decided as with all of them.
          const before = entries.filter((entry) => entry.kind !== 'close' && entry.ledgerIndex <= ledgerIndex);
          expect(resultOf(reduceAll({ ...start, credentials: part }, before))).toEqual(
            resultOf(reduceAll(start, before)),
          );
        }
      }),
      RUNS,
    );
  });

  it('is decided alike from what it asks for, in a few rounds', () => {
    fc.assert(
      fc.property(anyCredentialFeed, fc.constantFrom(1, 3, 1_000), ({ start, entries, read }, most) => {
        const { known, rounds } = readAsAsked(start, entries, read, most);
        expect(resultOf(reduceAll({ ...start, credentials: known }, entries))).toEqual(
          resultOf(reduceAll(start, entries)),
        );
        if (most === 1_000) expect(rounds).toBeLessThanOrEqual(1 + soleProject(start).tiers.length);
        if (soleProject(start).tiers.every(({ credential }) => credential === null)) expect(rounds).toBe(0);
      }),
      RUNS,
    );
  });
});
