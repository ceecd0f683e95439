import { describe, expect, test } from 'vitest';
import { decideAttempt } from '#lib/payouts/decide-attempt.ts';
import type { OpenAttempt, Payout, TicketStatus } from '#lib/payouts/types.ts';
import type { LookUp } from '#lib/xrpl/types.ts';

/**
 * Every result of the ledger that can meet a payout, and what becomes of the payout. The ledger itself produces most of
 * them in tests/integration/payouts/results.test.ts.
 */
const LAST_LEDGER = 120;
const UNUSED: TicketStatus = { kind: 'unused' };
const UNKNOWN: TicketStatus = { kind: 'unknown' };

function attempt(kind: Payout['kind'], engineResult: string | null, over: Partial<OpenAttempt> = {}): OpenAttempt {
  return {
    txHash: 'A'.repeat(64),
    txBlob: '00',
    ticket: 7,
    feeDrops: 12n,
    firstLedger: 100,
    lastLedgerSequence: LAST_LEDGER,
    engineResult,
    submittedLedger: null,
    failures: 0,
    expiries: 0,
    stopped: false,
    isAssigned: false,
    payout: {
      id: 'pay_1',
      kind,
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
    ...over,
  };
}

const validated = (result: string): LookUp => ({
  state: 'validated',
  ledgerIndex: 105,
  result,
  closedAtMs: 1_000,
});
const absentAt = (validatedIndex: number): LookUp => ({
  state: 'not_validated',
  history: { validatedIndex, completeLedgers: [[2, validatedIndex]] },
});
const PROVED_ABSENT = absentAt(LAST_LEDGER + 2);

/** A tec is final: it cost a fee and a ticket, and paid nothing. Where it sends a distribution, and where XRP. */
const TEC = {
  // The destination's side must change: a distribution waits for it, XRP is the operator's.
  tecDST_TAG_NEEDED: ['waiting_holder', 'held'],
  tecFROZEN: ['waiting_holder', 'held'],
  tecLOCKED: ['waiting_holder', 'held'],
  tecNO_AUTH: ['waiting_holder', 'held'],
  tecNO_DST: ['waiting_holder', 'held'],
  tecNO_DST_INSUF_XRP: ['waiting_holder', 'held'],
  tecNO_LINE: ['waiting_holder', 'held'],
  tecNO_PERMISSION: ['waiting_holder', 'held'],
  tecOBJECT_NOT_FOUND: ['waiting_holder', 'held'],
  tecPATH_DRY: ['waiting_holder', 'held'],
  tecPATH_PARTIAL: ['waiting_holder', 'held'],
  // The paying account lacks something: it goes on by itself once that is there.
  tecINSUFFICIENT_FUNDS: ['ready', 'ready'],
  tecINSUFFICIENT_RESERVE: ['ready', 'ready'],
  tecINSUFF_FEE: ['ready', 'ready'],
  tecUNFUNDED_PAYMENT: ['ready', 'ready'],
  // None of these should ever meet a direct payment: a person looks.
  tecBAD_CREDENTIALS: ['held', 'held'],
  tecCLAIM: ['held', 'held'],
  tecDIR_FULL: ['held', 'held'],
  tecEXPIRED: ['held', 'held'],
  tecINTERNAL: ['held', 'held'],
  tecINVARIANT_FAILED: ['held', 'held'],
  tecKILLED: ['held', 'held'],
  tecNO_ISSUER: ['held', 'held'],
  tecNO_TARGET: ['held', 'held'],
  tecOVERSIZE: ['held', 'held'],
} as const;

describe('a validated tec', () => {
  test.each(Object.entries(TEC))('%s is final and sends the payout where it can be mended', (result, [tokens, xrp]) => {
    for (const [kind, status] of [
      ['distribution', tokens],
      ['refund', xrp],
      ['release', xrp],
    ] as const) {
      expect(decideAttempt(attempt(kind, result), validated(result), UNKNOWN)).toEqual({
        kind: 'failed',
        result,
        ledgerIndex: 105,
        next: { status, reason: result },
      });
    }
  });

  test.each(Object.keys(TEC))('%s that keeps coming is held for a person the fifth time', (result) => {
    expect(decideAttempt(attempt('distribution', result, { failures: 4 }), validated(result), UNKNOWN)).toMatchObject({
      next: { status: 'held', reason: result },
    });
  });
});

/** A tec that was only answered, not validated, may still turn into a success in another order of the same ledger. */
const PROVISIONAL_TEC = Object.keys(TEC);
/** Refused by this server, in this state of the ledger: another one may take it until it expires. */
const REFUSED = [
  'tefALREADY',
  'tefBAD_AUTH',
  'tefBAD_AUTH_MASTER',
  'tefBAD_LEDGER',
  'tefBAD_QUORUM',
  'tefBAD_SIGNATURE',
  'tefEXCEPTION',
  'tefFAILURE',
  'tefINTERNAL',
  'tefINVARIANT_FAILED',
  'tefMASTER_DISABLED',
  'tefNOT_MULTI_SIGNING',
  'tefNO_AUTH_REQUIRED',
  'tefNO_TICKET',
  'tefPAST_SEQ',
  'tefTOO_BIG',
  'tefWRONG_PRIOR',
  'telBAD_PATH_COUNT',
  'telBAD_PUBLIC_KEY',
  'telCAN_NOT_QUEUE',
  'telCAN_NOT_QUEUE_BALANCE',
  'telCAN_NOT_QUEUE_BLOCKED',
  'telCAN_NOT_QUEUE_BLOCKS',
  'telCAN_NOT_QUEUE_FEE',
  'telCAN_NOT_QUEUE_FULL',
  'telFAILED_PROCESSING',
  'telINSUF_FEE_P',
  'telLOCAL_ERROR',
  'telNETWORK_ID_MAKES_TX_NON_CANONICAL',
  'telNO_DST_PARTIAL',
  'telREQUIRES_NETWORK_ID',
  'telWRONG_NETWORK',
  'terFUNDS_SPENT',
  'terINSUF_FEE_B',
  'terLAST',
  'terNO_ACCOUNT',
  'terNO_AUTH',
  'terNO_LINE',
  'terNO_RIPPLE',
  'terOWNERS',
  'terPRE_SEQ',
  'terPRE_TICKET',
  'terRETRY',
] as const;
/** No server will ever take it. */
const MALFORMED = [
  'temBAD_AMOUNT',
  'temBAD_CURRENCY',
  'temBAD_EXPIRATION',
  'temBAD_FEE',
  'temBAD_ISSUER',
  'temBAD_PATH',
  'temBAD_PATH_LOOP',
  'temBAD_SEND_XRP_LIMIT',
  'temBAD_SEND_XRP_MAX',
  'temBAD_SEND_XRP_NO_DIRECT',
  'temBAD_SEND_XRP_PARTIAL',
  'temBAD_SEND_XRP_PATHS',
  'temBAD_SEQUENCE',
  'temBAD_SIGNATURE',
  'temBAD_SRC_ACCOUNT',
  'temDISABLED',
  'temDST_IS_SRC',
  'temDST_NEEDED',
  'temINVALID',
  'temINVALID_FLAG',
  'temMALFORMED',
  'temREDUNDANT',
  'temRIPPLE_EMPTY',
  'temSEQ_AND_TICKET',
  'temUNKNOWN',
  'invalidTransaction',
] as const;
/** Taken or queued and never seen again, or too late for this server: nobody refused it. */
const LOST = ['tesSUCCESS', 'terQUEUED', 'tefMAX_LEDGER', null] as const;

describe('an answer to a submission', () => {
  test.each([...PROVISIONAL_TEC, ...REFUSED, ...MALFORMED, ...LOST])('%s alone ends nothing', (answer) => {
    for (const ledger of [101, LAST_LEDGER, LAST_LEDGER + 1]) {
      expect(decideAttempt(attempt('distribution', answer), absentAt(ledger), UNUSED).kind).toBe('pending');
    }
    expect(decideAttempt(attempt('distribution', answer), PROVED_ABSENT, UNKNOWN).kind).toBe('pending');
    expect(decideAttempt(attempt('distribution', answer), validated('tesSUCCESS'), UNKNOWN).kind).toBe('validated');
  });

  test.each([...PROVISIONAL_TEC, ...REFUSED, ...LOST])('%s is handed in again until it expires', (answer) => {
    expect(decideAttempt(attempt('distribution', answer), absentAt(104), UNUSED)).toEqual({
      kind: 'pending',
      resubmit: true,
    });
    expect(decideAttempt(attempt('distribution', answer), absentAt(LAST_LEDGER), UNUSED)).toEqual({
      kind: 'pending',
      resubmit: false,
    });
  });
});

describe('an expired attempt', () => {
  test.each(REFUSED)('answered with %s is made anew later, and the operator reads why', (answer) => {
    for (const kind of ['distribution', 'refund', 'release'] as const) {
      expect(decideAttempt(attempt(kind, answer), PROVED_ABSENT, UNUSED)).toEqual({
        kind: 'expired',
        next: { status: 'ready', reason: answer },
        usedBy: null,
      });
    }
  });

  test.each([...PROVISIONAL_TEC, ...LOST])('answered with %s is made anew at once', (answer) => {
    expect(decideAttempt(attempt('distribution', answer), PROVED_ABSENT, UNUSED)).toEqual({
      kind: 'expired',
      next: { status: 'ready', reason: null },
      usedBy: null,
    });
  });

  test.each(MALFORMED)('answered with %s is held: the same would be signed again', (answer) => {
    expect(decideAttempt(attempt('distribution', answer), absentAt(110), UNUSED)).toEqual({
      kind: 'pending',
      resubmit: false,
    });
    expect(decideAttempt(attempt('distribution', answer), PROVED_ABSENT, UNUSED)).toEqual({
      kind: 'expired',
      next: { status: 'held', reason: answer },
      usedBy: null,
    });
  });
});
