import fc from 'fast-check';
import { expect, it } from 'vitest';
import { HAPPENINGS, happenings } from './coverage.ts';
import { type Drawing, type DrawnSale, drawing, writeSale } from './random-sales/sale.ts';
import { withSoftCap } from './random-sales/terms.ts';
import { byRuleBook } from './rule-book.ts';
import { bySecondImplementation } from './second-opinion.ts';

const ACCOUNTS = 500;
const SEED = 20_261_121;
const OFTEN = 15;
/** It takes a few seconds of one processor, which other tests may want too. */
const TIMEOUT_MS = 60_000;

it(
  `a second implementation, written from docs/verification.md alone, agrees on ${ACCOUNTS} random accounts of two sales (seed ${SEED})`,
  async () => {
    const seen = new Map(HAPPENINGS.map((name) => [name, 0]));
    await fc.assert(
      fc.asyncProperty(drawing, async (drawn) => {
        const sale = await saleOf(drawn);
        const { outcome, decisions } = await byRuleBook(sale);
        expect(bySecondImplementation(sale)).toEqual(outcome);
        for (const name of happenings(sale, outcome, decisions)) seen.set(name, (seen.get(name) ?? 0) + 1);
      }),
      { numRuns: ACCOUNTS, seed: SEED },
    );
    const rare = HAPPENINGS.filter((name) => (seen.get(name) ?? 0) < OFTEN);
    expect(rare).toEqual([]);
  },
  TIMEOUT_MS,
);

/** A soft cap decides nothing before the end: what is raised without it is raised with it. */
async function saleOf(drawn: Drawing): Promise<DrawnSale> {
  const [first, second] = drawn.projects;
  if (drawn.softCapBesideRaised === null) return writeSale(drawn);
  const { outcome } = await byRuleBook(writeSale(drawn));
  const raised = outcome.sales[0]?.raised ?? 0n;
  if (raised === 0n) return writeSale(drawn);
  return writeSale(drawn, [withSoftCap(first, raised + drawn.softCapBesideRaised), second]);
}
