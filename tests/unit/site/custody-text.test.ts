import { custodyFaults, isQuorum, type SignerSet } from '@tranche/rules/custody.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { custodySentences, signersText } from '../../../app/(site)/_data/custody-text.ts';

const setOf = (quorum: number, platform: number, weights: readonly number[]): SignerSet => ({
  quorum,
  platform: { account: 'rP', weight: platform },
  witnesses: weights.map((weight, index) => ({
    account: `rW${index}`,
    weight,
    name: `Witness ${index}`,
    operator: 'Ltd',
  })),
});

test('three witnesses of which two must sign with the platform: what a thief can do, who can do all, who may be away', () => {
  const set = setOf(4, 2, [1, 1, 1]);
  expect(signersText(set)).toBe('The platform and at least 2 of 3 witnesses');
  const { isSound, sentences } = custodySentences(set);
  expect(isSound).toBe(true);
  const [stolen, together, away, lost] = sentences;
  expect(stolen).toMatch(/^One stolen key moves nothing/);
  expect(together).toMatch(/^The platform and any 2 witnesses together can move everything.* All 3 witnesses without/);
  expect(away).toBe(
    'While any 1 witness is away, payouts and refunds go out as usual. While 2 witnesses are away, they wait until enough are back.',
  );
  expect(lost).toMatch(/^If 2 witnesses, or the platform, lost their keys for good, .* would stay/);
});

test('of witnesses with different weights, only what holds for all of them is promised', () => {
  const text = custodySentences(setOf(7, 4, [2, 1, 1, 1])).sentences.join(' ');
  expect(text).toContain('The platform and as few as 2 witnesses together can move everything');
  expect(text).toContain('While any 1 witness is away, payouts and refunds go out as usual');
  expect(text).toContain('While 2 witnesses are away, they may wait');
});

test('one key is called one key, and a set that does not protect the money promises nothing', () => {
  expect(signersText(null)).toBe('One key for each account');
  const { isSound, sentences } = custodySentences(setOf(2, 2, [1, 1]));
  expect(isSound).toBe(false);
  expect(sentences).toContain('This signer set lets the platform sign alone.');
  expect(sentences.join(' ')).not.toMatch(/moves nothing|as usual/);
  expect(signersText(setOf(9, 2, [1, 1]))).toMatch(/^Nobody/);
});

test('what is said of any signer set is what its weights allow', () => {
  const soundSets: SignerSet[] = [];
  const weight = fc.integer({ min: 1, max: 4 });
  fc.assert(
    fc.property(
      // About as much as the witnesses weigh: of other sets hardly any is sound.
      fc.integer({ min: 0, max: 3 }),
      fc.integer({ min: 1, max: 12 }),
      fc.array(weight, { minLength: 2, maxLength: 6 }),
      (above, platform, weights) => {
        const set = setOf(above + weights.reduce((sum, one) => sum + one), platform, weights);
        const { isSound, sentences } = custodySentences(set);
        expect(isSound).toBe(custodyFaults(set).length === 0);
        if (!isSound) return;
        soundSets.push(set);
        const [, together = '', away = ''] = sentences;
        const numberIn = (text: string, form: RegExp) => Number(form.exec(text)?.[1]);
        // Every group of witnesses, by who is in it.
        const groups = Array.from({ length: 2 ** weights.length }, (_, bits) =>
          set.witnesses.filter((_, index) => (bits >> index) % 2 === 1).map(({ account }) => account),
        );
        const canPay = (group: readonly string[]) => isQuorum(set, ['rP', ...group]);
        const fewest = numberIn(together, /(\d+) witness/);
        expect(fewest).toBe(Math.min(...groups.filter(canPay).map(({ length }) => length)));
        expect(groups.filter(({ length }) => length === fewest).every(canPay)).toBe(together.includes(' any '));
        const mayBeAway = numberIn(away, /^While any (\d+)/);
        expect(groups.filter(({ length }) => length === weights.length - mayBeAway).every(canPay)).toBe(true);
        const withoutMore = groups.filter(({ length }) => length === weights.length - mayBeAway - 1);
        expect(withoutMore.every(canPay)).toBe(false);
        expect(withoutMore.some(canPay)).toBe(away.includes('may wait'));
      },
    ),
    { numRuns: 300 },
  );
  expect(soundSets.length).toBeGreaterThan(10);
});
