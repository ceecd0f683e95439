import { describe, expect, it } from 'vitest';
import { reduceAll } from '../reduce.ts';
import type { SaleEntry } from '../types.ts';
import { action, NOW, ofType, payment, projectOf, soleProject, stateOf, T0, XRP } from './book.ts';

const CAPPED = { softCapDrops: 50n * XRP, endsAtMs: NOW };
const close: SaleEntry = { kind: 'close', closedAtMs: NOW + 1 };
const late = payment(XRP, { closedAtMs: NOW + 1 });

const endings: [string, SaleEntry, string][] = [
  ['the end date', close, 'end_date'],
  ['an end action', action('end'), 'ended'],
];

describe('a soft cap', () => {
  it.each(endings)('that is missed by a drop cancels the sale at %s, and refuses what comes later', (_, ending) => {
    const { state, effects } = reduceAll(stateOf(projectOf(CAPPED)), [payment(50n * XRP - 1n), ending, late]);
    expect(soleProject(state)).toMatchObject({ status: 'cancelled', endReason: 'soft_cap_missed', endedAtMs: NOW });
    expect(ofType(effects, 'sale_ended')).toMatchObject([{ reason: 'soft_cap_missed', raisedDrops: 50n * XRP - 1n }]);
    expect(ofType(effects, 'refused')).toMatchObject([{ reason: 'soft_cap_missed', refundedDrops: XRP }]);
  });

  it.each(endings)('that is reached to the drop completes the sale at %s', (_, ending, endReason) => {
    const { state, effects } = reduceAll(stateOf(projectOf(CAPPED)), [payment(50n * XRP), ending, late]);
    expect(soleProject(state)).toMatchObject({ status: 'completed', endReason });
    expect(ofType(effects, 'refused')).toMatchObject([{ reason: 'after_end' }]);
  });

  it('that is missed while paused cancels the sale all the same', () => {
    const { state } = reduceAll(stateOf(projectOf(CAPPED)), [payment(XRP), action('pause'), close]);
    expect(soleProject(state)).toMatchObject({ status: 'cancelled', endReason: 'soft_cap_missed' });
  });

  it('is asked for when the sale ends and not before: nothing is refused while it is open', () => {
    const { effects } = reduceAll(stateOf(projectOf(CAPPED)), [payment(XRP), payment(XRP)]);
    expect(effects.map((effect) => effect.type)).toEqual(['invested', 'invested']);
  });

  it('is met by a sale that sells out', () => {
    const { state } = reduceAll(stateOf(projectOf({ softCapDrops: 600n * XRP })), [payment(600n * XRP)]);
    expect(soleProject(state)).toMatchObject({ status: 'completed', endReason: 'sold_out' });
  });

  it('that was missed says so in the end action itself', () => {
    const { effects } = reduceAll(stateOf(projectOf(CAPPED)), [action('end')]);
    expect(effects).toMatchObject([
      { type: 'action_applied', status: 'cancelled' },
      { type: 'sale_ended', reason: 'soft_cap_missed' },
    ]);
  });
});

describe('a cancel', () => {
  it('cancels whatever was raised, and refuses what comes later as cancelled', () => {
    const { state, effects } = reduceAll(stateOf(projectOf({ ...CAPPED, endsAtMs: null })), [
      payment(60n * XRP),
      action('cancel'),
      late,
    ]);
    expect(soleProject(state)).toMatchObject({ status: 'cancelled', endReason: 'cancelled', endedAtMs: NOW });
    expect(ofType(effects, 'cancelled')).toMatchObject([{ raisedDrops: 60n * XRP }]);
    expect(ofType(effects, 'refused')).toMatchObject([{ reason: 'cancelled' }]);
  });

  it('is final: no date ends a cancelled sale a second time', () => {
    const { effects } = reduceAll(stateOf(projectOf({ endsAtMs: T0 + 5_000 })), [
      action('cancel'),
      { kind: 'close', closedAtMs: T0 + 5_001 },
    ]);
    expect(effects.map((effect) => effect.type)).toEqual(['cancelled']);
  });
});
