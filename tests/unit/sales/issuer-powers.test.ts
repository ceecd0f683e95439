import { describe, expect, test } from 'vitest';
import { isBlackHoled, mptPowers } from '#lib/sales/projects/issuer-powers.ts';
import { ACCOUNT_FLAGS } from '#lib/xrpl/account.ts';
import type { MptIssuance } from '#lib/xrpl/types.ts';

const KEYLESS = ['rrrrrrrrrrrrrrrrrrrrrhoLvTp', 'rrrrrrrrrrrrrrrrrrrrBZbvji', 'rrrrrrrrrrrrrrrrrrrn5RM1rHd'];
const MASTER_OFF = { flags: ACCOUNT_FLAGS.disableMasterKey };

describe('an issuer is black-holed', () => {
  test.each([null, ...KEYLESS])('without a master key and with %s as its regular key', (regularKey) => {
    expect(isBlackHoled({ ...MASTER_OFF, regularKey, signerList: null })).toBe(true);
    expect(isBlackHoled({ ...MASTER_OFF, regularKey, signerList: { quorum: 1, signers: [], setInLedger: 1 } })).toBe(
      false,
    );
    expect(isBlackHoled({ flags: 0, regularKey, signerList: null })).toBe(false);
  });

  test('not while somebody may hold its regular key', () => {
    const regularKey = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
    expect(isBlackHoled({ ...MASTER_OFF, regularKey, signerList: null })).toBe(false);
  });
});

test('what an MPT’s issuer has declared unchangeable stands by its name', () => {
  const issuer = {
    address: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
    balanceDrops: 0n,
    sequence: 1,
    ownerCount: 1,
    flags: 0,
    transferRate: 1_000_000_000,
    regularKey: null,
    signerList: null,
    ledgerIndex: 8,
  };
  const issuance: MptIssuance = {
    ledgerIndex: 7,
    issuer: issuer.address,
    assetScale: 0,
    outstanding: 0n,
    maximum: 1n,
    transferFee: 0,
    locked: false,
    requiresAuthorization: false,
    canLock: false,
    canEscrow: false,
    canTrade: false,
    canTransfer: false,
    canClawback: false,
    immutableFlags: 0x0002_0042,
  };
  expect(mptPowers(issuer, issuance, 0)).toMatchObject({
    ledger_index: 7,
    declared_immutable: ['can_lock', 'can_claw_back', 'transfer_fee'],
  });
});
