import { describe, expect, it } from 'vitest';
import { quotePayments } from '../quote-payments.ts';
import type { SaleAction, SalePayment } from '../types.ts';
import { action, payment, projectOf, REFUND_MIN, stateOf, XRP } from './book.ts';

const START = stateOf(projectOf({ minInvestmentDrops: XRP }));
const quotesOf = (entries: readonly (SalePayment | SaleAction)[], wanted = entries) =>
  quotePayments(START, entries, new Set(wanted.map((entry) => entry.hash)));

describe('the quotes of a page', () => {
  it('count every earlier payment', () => {
    expect(quotesOf([payment(95n * XRP), payment(10n * XRP), payment(10n * XRP)])).toMatchObject([
      { tier: 1, units: 950n * XRP },
      { tier: 1, units: 75n * XRP },
      { tier: 2, units: 50n * XRP },
    ]);
  });

  it('are the same wherever the page ends, also for a payment that buys nothing', () => {
    const entries = [payment(XRP - 1n), payment(100n * XRP), payment(XRP - 1n), payment(500n * XRP), payment(XRP)];
    const whole = quotesOf(entries);
    expect(whole.map((quote) => [quote.tier, quote.units > 0n])).toEqual([
      [1, false],
      [1, true],
      [2, false],
      [2, true],
      [3, false],
    ]);
    for (let end = 1; end < entries.length; end++) {
      expect(quotesOf(entries.slice(0, end))).toEqual(whole.slice(0, end));
    }
  });

  it('are made for the payments that are asked for only', () => {
    const [earlier, later] = [payment(95n * XRP), payment(10n * XRP)];
    expect(quotesOf([earlier, later], [later])).toMatchObject([{ payment: later, units: 75n * XRP }]);
  });

  it('leave out what no project was paid, also when an action of the same page assigns it', () => {
    const dust = payment(REFUND_MIN - 1n, { destinationTag: null });
    const operating = payment(5n * XRP, { destinationTag: null, sender: 'rOperator' });
    const assign = action('assign', { paymentHash: operating.hash });
    expect(quotesOf([dust, operating, assign])).toEqual([]);
    // It counts all the same.
    expect(quotesOf([operating, assign, payment(100n * XRP)])).toMatchObject([
      { tier: 1, units: 950n * XRP + 25n * XRP },
    ]);
  });
});
