import { describe, expect, it } from 'vitest';
import { newProjectPlace, placeOf, planOf, valuesOf } from '../../../app/(site)/operator/tokens/plan.ts';

const ISSUER = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
const DISTRIBUTOR = 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe';
const IOU = {
  kind: 'iou',
  issuer: ISSUER,
  currency: 'DMO',
  decimals: '6',
  supply: '1 000 000',
  distributor: DISTRIBUTOR,
};
const MPT = { ...IOU, kind: 'mpt', currency: '', decimals: '2', flag: ['can_transfer', 'can_lock', 'made_up'] };

const planned = (given: Record<string, string | string[]>) => planOf(valuesOf(given).values);

describe('the plan of a token', () => {
  it('is made of what the address says, amounts in the token’s smallest units', () => {
    expect(planned(IOU).plan).toEqual({
      kind: 'iou',
      currency: 'DMO',
      issuer: ISSUER,
      distributor: DISTRIBUTOR,
      decimals: 6,
      supplyUnits: 1_000_000_000_000n,
    });
  });

  it('issues at most the supply unless more is asked for, and only with flags that there are', () => {
    expect(planned(MPT).plan).toMatchObject({
      issuanceId: null,
      newIssuance: { assetScale: 2, maximum: 100_000_000n, flags: ['can_lock', 'can_transfer'], metadata: null },
    });
    expect(planned({ ...MPT, maximum: '2000000' }).plan).toMatchObject({ newIssuance: { maximum: 200_000_000n } });
    expect(planned({ ...MPT, maximum: '10' }).faults).toEqual({ maximum: 'must be at least the supply' });
  });

  it('names metadata by the short names of XLS-89, whole or not at all', () => {
    const whole = { ticker: 'DMO', name: 'Demo', issuer_name: 'Demo Ltd', icon: 'https://example.com/i.png' };
    expect(planned({ ...MPT, ...whole }).plan).toMatchObject({
      newIssuance: { metadata: { t: 'DMO', n: 'Demo', i: 'https://example.com/i.png', ac: 'other', in: 'Demo Ltd' } },
    });
    expect(Object.keys(planned({ ...MPT, ticker: 'DMO' }).faults ?? {}).toSorted()).toEqual([
      'icon',
      'issuer_name',
      'name',
    ]);
  });

  it('says all that is wrong with it at once', () => {
    const wrong = { kind: 'iou', issuer: ISSUER, currency: 'XRP', decimals: '7', supply: '1,000', distributor: ISSUER };
    expect(Object.keys(planned(wrong).faults ?? {}).toSorted()).toEqual([
      'currency',
      'decimals',
      'distributor',
      'supply',
    ]);
    const ofAnother = { ...MPT, issuance_id: `00000001${'0'.repeat(40)}` };
    expect(planned(ofAnother).faults).toEqual({ issuance_id: 'is an issuance of another account than the issuer' });
  });

  it('is not judged while its kind is only being chosen, and keeps what was typed', () => {
    const { values, isSent } = valuesOf({ ...IOU, to_kind: 'mpt' });
    expect(isSent).toBe(false);
    expect(values).toMatchObject({ kind: 'mpt', issuer: ISSUER, supply: '1 000 000', distributor: DISTRIBUTOR });
  });

  it('comes back whole from its own address, and is handed to a new project', () => {
    const { values } = valuesOf(MPT);
    const again = Object.groupBy(new URL(placeOf(values), 'http://x').searchParams, ([name]) => name);
    const given = Object.fromEntries(
      Object.entries(again).map(([name, all = []]) => [
        name,
        all.length > 1 ? all.map(([, v]) => v) : (all[0]?.[1] ?? ''),
      ]),
    );
    expect(valuesOf(given).values).toEqual(values);
    const { plan } = planned(IOU);
    if (plan === null) throw new Error('no plan');
    expect(newProjectPlace(plan)).toBe(
      `/operator/projects/new?token_kind=iou&currency=DMO&issuer=${ISSUER}&decimals=6&distributor=${DISTRIBUTOR}&total_tokens=1000000`,
    );
  });
});
