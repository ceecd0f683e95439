import { describe, expect, test } from 'vitest';
import { toTrustLine } from '#lib/xrpl/trust-lines.ts';

const ISSUER = 'rKK5xnBPXYwGqXWmG1QcCsE6sKLoFb3Trf';
const HOLDER = 'rPtC9Yp9ZVnExX5E38HQX9xPVX3gWbka94';

/** `ledger_entry` of a line between a low issuer and a high holder, as xrpld 3.2.0 recorded it. */
const recorded = (over: object = {}) => ({
  index: '6730B4C85C714C9175D74841DD185B442E57E0A288A7E16B3BC1B9A332AB169B',
  node: {
    Balance: { currency: 'USD', issuer: 'rrrrrrrrrrrrrrrrrrrrBZbvji', value: '-206.009900990099' },
    Flags: 2228224,
    HighLimit: { currency: 'USD', issuer: HOLDER, value: '6000' },
    LedgerEntryType: 'RippleState',
    LowLimit: { currency: 'USD', issuer: ISSUER, value: '0' },
    ...over,
  },
});

describe('a trust line', () => {
  test('is read from the holder’s side, whichever side that is', () => {
    expect(toTrustLine(HOLDER, recorded())).toEqual({
      balance: '206.009900990099',
      limit: '6000',
      authorized: false,
      frozen: false,
    });
    expect(toTrustLine(ISSUER, recorded())).toMatchObject({ balance: '-206.009900990099', limit: '0' });
  });

  test('an empty line has a balance of zero, not of minus zero', () => {
    const empty = recorded({ Balance: { currency: 'USD', issuer: 'rrrrrrrrrrrrrrrrrrrrBZbvji', value: '0' } });
    expect(toTrustLine(HOLDER, empty).balance).toBe('0');
  });

  test('only the issuer’s own flags authorise or freeze it', () => {
    const flags = { lowAuth: 0x40000, highAuth: 0x80000, lowFreeze: 0x400000, highFreeze: 0x800000 };
    expect(toTrustLine(HOLDER, recorded({ Flags: flags.lowAuth })).authorized).toBe(true);
    expect(toTrustLine(HOLDER, recorded({ Flags: flags.highAuth })).authorized).toBe(false);
    expect(toTrustLine(HOLDER, recorded({ Flags: flags.lowFreeze })).frozen).toBe(true);
    expect(toTrustLine(HOLDER, recorded({ Flags: flags.highFreeze })).frozen).toBe(false);
    expect(toTrustLine(HOLDER, recorded({ Flags: 0x2000000 })).frozen).toBe(true);
  });
});
