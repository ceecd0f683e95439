import fc from 'fast-check';
import { expect, it } from 'vitest';
import { HAPPENINGS, happenings } from './coverage.ts';
import { CUSTODY_HAPPENINGS, custodyHappenings, SENT_BACK_FIRST } from './custody-coverage.ts';
import { custodyVerdicts } from './custody-verdicts.ts';
import { leftToPay } from './published-payouts.ts';
import { type Drawing, type DrawnSale, drawing, writeSale } from './random-sales/sale.ts';
import { withSoftCap } from './random-sales/terms.ts';
import { byRuleBook } from './rule-book.ts';
import { bookOf, outcomeOf } from './second-opinion.ts';

const ACCOUNTS = 500;
const SENT_BACK = 150;
const SEED = 20_261_121;
const OFTEN = 15;
/** It takes a few seconds of one processor, which other tests may want too. */
const TIMEOUT_MS = 60_000;

it(
  `a second implementation, written from docs/verification.md alone, agrees on ${ACCOUNTS} random accounts of two sales (seed ${SEED})`,
  async () => {
    const seen = await agreeOn(drawing, ACCOUNTS);
    const wanted = [...HAPPENINGS, ...CUSTODY_HAPPENINGS.map((name) => `custody: ${name}`)];
    const rare = wanted.filter((name) => (seen.get(name) ?? 0) < OFTEN);
    expect(rare).toEqual([]);
  },
  TIMEOUT_MS,
);

it(
  `and on ${SENT_BACK} where a held payment was sent back and is assigned in a later page of the feed`,
  async () => {
    const assigns = { ticket: 'made' as const, seconds: 1 as const, sentBack: true };
    const sentBack = drawing
      .map((drawn) => ({ ...drawn, custody: drawn.custody && { ...drawn.custody, assigns }, pageSizes: [1] }))
      .filter(({ custody }) => custody !== null);
    const seen = await agreeOn(sentBack, SENT_BACK);
    expect(seen.get(`custody: ${SENT_BACK_FIRST}`)).toBeGreaterThan(OFTEN);
  },
  TIMEOUT_MS,
);

/** Draws accounts and compares what both say of them. Gives what happened in them, and how often. */
async function agreeOn(drawn: fc.Arbitrary<Drawing>, numRuns: number): Promise<ReadonlyMap<string, number>> {
  const seen = new Map<string, number>();
  const count = (name: string) => seen.set(name, (seen.get(name) ?? 0) + 1);
  await fc.assert(
    fc.asyncProperty(drawn, async (each) => {
      const sale = await saleOf(each);
      const { outcome, decisions } = await byRuleBook(sale);
      const book = bookOf(sale);
      const custody = each.custody === null ? null : await custodyVerdicts(sale, book);
      expect(custody?.second.unpublishedList).toBe(custody?.verifier.unpublishedList);
      if (custody?.second.unpublishedList) {
        // Nothing after it can be decided.
        count('custody: a list that nobody has published');
        return;
      }
      expect(custody?.second.differences).toEqual(custody?.verifier.differences);
      expect(outcomeOf(book)).toEqual(outcome);
      for (const name of happenings(sale, outcome, decisions)) count(name);
      if (custody === null) return;
      const { payouts, second } = custody;
      for (const name of custodyHappenings(sale, book, payouts, second)) count(`custody: ${name}`);
    }),
    { numRuns, seed: SEED, endOnFailure: true },
  );
  return seen;
}

const settling = (sale: DrawnSale) => leftToPay(sale, bookOf(sale), sale.projects[0]?.row.id ?? '');

/** A soft cap decides nothing before the end: what is raised without it is raised with it. */
async function saleOf(drawn: Drawing): Promise<DrawnSale> {
  const [first, second] = drawn.projects;
  if (drawn.softCapBesideRaised === null) return writeSale(drawn, settling);
  const { outcome } = await byRuleBook(writeSale(drawn, settling));
  const raised = outcome.sales[0]?.raised ?? 0n;
  if (raised === 0n) return writeSale(drawn, settling);
  return writeSale(drawn, settling, [withSoftCap(first, raised + drawn.softCapBesideRaised), second]);
}
