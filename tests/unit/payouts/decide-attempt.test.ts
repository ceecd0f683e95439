import { describe, expect, test } from 'vitest';
import { decideAttempt as decide } from '#lib/payouts/decide-attempt.ts';
import type { OpenAttempt, TicketStatus } from '#lib/payouts/types.ts';
import type { LookUp } from '#lib/xrpl/types.ts';

const attempt = (over: Partial<OpenAttempt> & { kind?: OpenAttempt['payout']['kind'] } = {}): OpenAttempt => ({
  txHash: 'A'.repeat(64),
  txBlob: '00',
  ticket: 7,
  feeDrops: 12n,
  firstLedger: 100,
  lastLedgerSequence: 120,
  submittedLedger: null,
  engineResult: 'tesSUCCESS',
  failures: 0,
  expiries: 0,
  stopped: false,
  isAssigned: false,
  ...over,
  payout: {
    id: 'pay_1',
    kind: over.kind ?? 'distribution',
    projectId: null,
    investmentId: null,
    paymentPlace: null,
    part: 1,
    account: 'rPayer',
    destination: 'rHolder',
    destinationTag: null,
    amount: 1n,
    asset: { kind: 'xrp' },
  },
});
/** With the ticket still standing, as it does for whatever was never applied. */
const decideAttempt = (open: OpenAttempt, lookUp: LookUp) => decide(open, lookUp, { kind: 'unused' });
const usedElsewhere = (paid: readonly string[], unclear = false): TicketStatus & { kind: 'used_outside' } => ({
  kind: 'used_outside',
  use: { ticket: 7, hash: 'B'.repeat(64), ledgerIndex: 104, paid, payment: null, unclear },
});
const validated = (result: string): LookUp => ({
  state: 'validated',
  ledgerIndex: 105,
  result,
  closedAtMs: 1_000,
});
const absent = (validatedIndex: number, from = 2): LookUp => ({
  state: 'not_validated',
  history: { validatedIndex, completeLedgers: [[from, validatedIndex]] },
});

describe('what a look-up means for an attempt', () => {
  test.each(['tecNO_TARGET', 'tecNO_PERMISSION'])('an unlock that fails with %s is looked at again', (result) => {
    const next = { status: 'ready', reason: result };
    expect(decideAttempt(attempt({ kind: 'unlock' }), validated(result))).toMatchObject({ kind: 'failed', next });
    const held = decideAttempt(attempt({ kind: 'unlock', failures: 4 }), validated(result));
    expect(held).toMatchObject({ kind: 'failed', next: { status: 'held' } });
  });

  test.each([
    ['lock', 'tecFROZEN', 'ready'],
    ['lock', 'tecLOCKED', 'ready'],
    ['lock', 'tecNO_AUTH', 'ready'],
    ['unlock', 'tecFROZEN', 'ready'],
    ['unlock', 'tecLOCKED', 'ready'],
    ['unlock', 'tecNO_AUTH', 'ready'],
    // Only a person can have the issuer allow escrows, or make the balance smaller.
    ['lock', 'tecNO_PERMISSION', 'held'],
    ['lock', 'tecPRECISION_LOSS', 'held'],
    ['unlock', 'tecCRYPTOCONDITION_ERROR', 'held'],
  ] as const)('what the payer must take itself has no holder to wait for: %s with %s is %s', (kind, result, status) => {
    const next = { status, reason: result };
    expect(decideAttempt(attempt({ kind }), validated(result))).toMatchObject({ kind: 'failed', next });
    const fifth = decideAttempt(attempt({ kind, failures: 4 }), validated(result));
    expect(fifth).toMatchObject({ kind: 'failed', next: { status: 'held' } });
  });

  test('a validated success pays the payout', () => {
    expect(decideAttempt(attempt(), validated('tesSUCCESS'))).toEqual({
      kind: 'validated',
      hash: 'A'.repeat(64),
      ledgerIndex: 105,
      closedAtMs: 1_000,
    });
  });

  test('a payout that the same payment with other signatures has paid is settled by it, before the attempt has expired', () => {
    const { use } = usedElsewhere(['rHolder']);
    const ticket: TicketStatus = { kind: 'paid_by_other', use, closedAtMs: 2_000 };
    expect(decide(attempt({ isAssigned: true }), absent(110), ticket)).toEqual({
      kind: 'validated',
      hash: use.hash,
      ledgerIndex: 104,
      closedAtMs: 2_000,
    });
  });

  test('a validated success counts even when the submission was answered with a failure', () => {
    expect(decideAttempt(attempt({ engineResult: 'tefPAST_SEQ' }), validated('tesSUCCESS')).kind).toBe('validated');
  });

  test.each([
    ['tecNO_LINE', 'distribution', 'waiting_holder'],
    ['tecPATH_PARTIAL', 'distribution', 'waiting_holder'],
    ['tecNO_DST', 'refund', 'held'],
    ['tecNO_PERMISSION', 'refund', 'held'],
    ['tecUNFUNDED_PAYMENT', 'refund', 'ready'],
    ['tecINTERNAL', 'distribution', 'held'],
  ] as const)('a validated %s sends a %s to %s', (result, kind, status) => {
    expect(decideAttempt(attempt({ kind }), validated(result))).toMatchObject({
      kind: 'failed',
      result,
      next: { status, reason: result },
    });
  });

  test('a payout that keeps failing on the ledger is held', () => {
    expect(decideAttempt(attempt({ failures: 4 }), validated('tecPATH_DRY'))).toMatchObject({
      next: { status: 'held', reason: 'tecPATH_DRY' },
    });
  });

  test.each([null, 'tesSUCCESS', 'terQUEUED', 'tefPAST_SEQ', 'telINSUF_FEE_P', 'temBAD_FEE'])(
    'until absence is proved an attempt answered with %s stays open',
    (engineResult) => {
      for (const validatedIndex of [100, 110, 120, 121]) {
        expect(decideAttempt(attempt({ engineResult }), absent(validatedIndex)).kind).toBe('pending');
      }
    },
  );

  test('absence past LastLedgerSequence with an unbroken history ends the attempt', () => {
    expect(decideAttempt(attempt(), absent(122))).toEqual({
      kind: 'expired',
      next: { status: 'ready', reason: null },
      usedBy: null,
    });
    expect(decideAttempt(attempt(), absent(500, 101)).kind).toBe('pending');
  });

  test('absence is not believed, whatever the history says, while nobody can tell what became of the ticket', () => {
    expect(decide(attempt(), absent(500), { kind: 'unknown' }).kind).toBe('pending');
    expect(decide(attempt(), absent(500), { kind: 'unused' }).kind).toBe('expired');
    expect(decide(attempt(), absent(500, 101), { kind: 'unused' }).kind).toBe('pending');
  });

  test('a ticket used up elsewhere ends the attempt past LastLedgerSequence, with an unbroken history, and no sooner', () => {
    const decided = (lookUp: LookUp, paid: readonly string[] = []) => decide(attempt(), lookUp, usedElsewhere(paid));
    expect(decided(absent(110)).kind).toBe('pending');
    expect(decided(absent(500, 101)).kind).toBe('pending');
    expect(decided(absent(122))).toEqual({
      kind: 'expired',
      next: { status: 'ready', reason: null },
      usedBy: usedElsewhere([]).use,
    });
    expect(decided(absent(122), ['rSomebodyElse'])).toMatchObject({ next: { status: 'ready' } });
  });

  test('a ticket used up elsewhere to pay the same destination holds the payout: it may be paid already', () => {
    const [open, fate] = [attempt({ engineResult: 'tefNO_TICKET' }), usedElsewhere(['rHolder'])];
    expect(decide(open, absent(122), fate)).toMatchObject({
      kind: 'expired',
      next: { status: 'held', reason: 'paid_elsewhere' },
    });
    expect(decide(open, validated('tesSUCCESS'), fate).kind).toBe('validated');
  });

  test('a ticket of an unlock that was used up elsewhere holds nothing: the escrow stands or is gone, whoever ended it', () => {
    const unlock = attempt({ kind: 'unlock', engineResult: 'tefNO_TICKET' });
    for (const fate of [usedElsewhere(['rHolder']), usedElsewhere([], true)]) {
      expect(decide(unlock, absent(122), fate)).toMatchObject({ kind: 'expired', next: { status: 'ready' } });
    }
  });

  test('a ticket used up by what may pay in ways of its own holds the payout, whomever it names', () => {
    for (const paid of [[], ['rSomebodyElse']]) {
      expect(decide(attempt(), absent(122), usedElsewhere(paid, true))).toMatchObject({
        next: { status: 'held', reason: 'paid_elsewhere' },
      });
    }
  });

  test.each([
    ['tefMASTER_DISABLED', 'tefMASTER_DISABLED'],
    ['telINSUF_FEE_P', 'telINSUF_FEE_P'],
    ['tesSUCCESS', null],
    ['terQUEUED', null],
  ])('an expired attempt that was answered with %s gives the reason %s', (engineResult, reason) => {
    expect(decideAttempt(attempt({ engineResult }), absent(122))).toEqual({
      kind: 'expired',
      next: { status: 'ready', reason },
      usedBy: null,
    });
  });

  test('what no server will ever take is held once it has expired, not signed again', () => {
    expect(decideAttempt(attempt({ engineResult: 'temBAD_AMOUNT' }), absent(122))).toEqual({
      kind: 'expired',
      next: { status: 'held', reason: 'temBAD_AMOUNT' },
      usedBy: null,
    });
  });

  test('an attempt is submitted again when no answer was recorded or it is overdue, and never once it cannot succeed', () => {
    const resubmit = (engineResult: string | null, validatedIndex: number) =>
      decideAttempt(attempt({ engineResult }), absent(validatedIndex));
    expect(resubmit(null, 100)).toEqual({ kind: 'pending', resubmit: true });
    expect(resubmit('tesSUCCESS', 101)).toEqual({ kind: 'pending', resubmit: false });
    expect(resubmit('tesSUCCESS', 104)).toEqual({ kind: 'pending', resubmit: true });
    expect(resubmit('temBAD_FEE', 110)).toEqual({ kind: 'pending', resubmit: false });
    expect(resubmit(null, 120)).toEqual({ kind: 'pending', resubmit: false });
  });
});
