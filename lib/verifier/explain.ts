import { formatDrops } from '@tranche/rules/amounts.ts';
import { checkPurpose, purposeOf } from './check-custody.ts';
import { isAssetOfSale } from './check-sent.ts';
import { paymentKey, payoutKey } from './delivered.ts';
import type { TaggedPayment } from './expected.ts';
import { addDifference } from './findings.ts';
import { explainByOperating, isXrpOfSale } from './other-transfers.ts';
import type { Progress, VerificationWork } from './progress.ts';
import type { PublishedPayment, PublishedPayout } from './published.ts';
import type { ParsedTerms } from './terms.ts';
import type { Unmatched } from './types.ts';

type Token = ParsedTerms['terms']['token'];

/** What is left of a sale's unmatched payments, to be looked up by what they paid. */
class Open {
  readonly #byKey: Map<string | null, Unmatched[]>;
  readonly #byHash: Map<string, Unmatched>;
  readonly #token: Token;

  constructor(unmatched: readonly Unmatched[], token: Token) {
    const open = unmatched.filter((each) => each.explainedBy === null);
    this.#byKey = Map.groupBy(open, (each) => paymentKey(each, token));
    this.#byHash = new Map(open.map((each) => [each.hash, each]));
    this.#token = token;
  }

  /** The payment that a validated payout names, if it pays just this. */
  named(row: PublishedPayout): Unmatched | null {
    const named = this.#byHash.get(row.transaction_hash ?? '');
    const pays = named !== undefined && paymentKey(named, this.#token) === payoutKey(row, this.#token);
    return pays && named.explainedBy === null ? named : null;
  }

  /** A payment of just what a payout owes. */
  same(row: PublishedPayout, isFor: (each: Unmatched) => boolean = () => true): Unmatched | null {
    const paid = this.#byKey.get(payoutKey(row, this.#token)) ?? [];
    return paid.find((each) => each.explainedBy === null && isFor(each)) ?? null;
  }
}

/** Looks at published rows, in the reading that compares them all, for what stands for payments that nothing stood for. */
export interface Explainer {
  /** True when the payout's payment was recorded only after the validated payouts had been read. */
  payout(row: PublishedPayout): boolean;
  payment(row: PublishedPayment): void;
}

export function explainerOf({ inputs, progress }: VerificationWork): Explainer {
  const { target } = inputs;
  const open = new Open(progress.unmatched, target.terms.token);
  const byDestination = Map.groupBy(progress.unmatched, (each) => each.destination);
  const isCustody = target.terms.custody !== undefined;
  // Of a purpose the ticket tells that it was paid, whatever the payment brought to whom.
  const byPurpose = Map.groupBy(isCustody ? progress.unmatched : [], (each) => each.purpose);
  return {
    payout(row) {
      if (row.kind === 'lock') return false;
      const isFor = ({ purpose }: Unmatched): boolean => !isCustody || purpose === purposeOf(inputs, progress, row);
      const named = row.status === 'validated' ? open.named(row) : null;
      if (named !== null) {
        named.explainedBy = row.id;
        progress.findings.counts.payouts_validated += 1;
        if (isCustody) checkPurpose(inputs, progress, row, named);
        return true;
      }
      if (row.status === 'owed') {
        const paid = open.same(row, isFor);
        if (paid !== null) paid.explainedBy = row.id;
      } else if (row.status === 'validated') {
        const again = open.same(row);
        if (again !== null) again.paidAlready ??= row.id;
        if (!isCustody || row.kind === 'release') return false;
        for (const each of byPurpose.get(purposeOf(inputs, progress, row)) ?? []) {
          each.paidAlready ??= row.id;
          each.isSamePurpose = true;
        }
      }
      return false;
    },
    payment({ sender }) {
      for (const each of byDestination.get(sender) ?? []) each.isInvestor = true;
    },
  };
}

/**
 * Looks into payments on the ledger that no payout of the sale stands for, and that went to an investor of it, pay a payout
 * again or take XRP from the deposit account. What was held of a payment without a project explains one that sends it back, a
 * payout of another sale of the account explains one that pays it, and what operating accounts have paid in explains what they
 * got back. What is left is a difference.
 */
export async function explainUnmatchedPayments(work: VerificationWork): Promise<void> {
  const { inputs, progress } = work;
  const open = progress.unmatched.filter((each) => each.explainedBy === null);
  for (const each of open) if (each.isSamePurpose) report(progress, inputs.target, each);
  const concerns = open.filter(
    (each) =>
      !each.isSamePurpose &&
      isAssetOfSale(each, inputs.target) &&
      (each.isInvestor || each.paidAlready !== null || isXrpOfSale(inputs, progress, each)),
  );
  explainByHeld(work, concerns);
  await explainByOthers(work, concerns);
  explainByOperating(inputs, progress, concerns);
  for (const each of concerns) if (each.explainedBy === null) report(progress, inputs.target, each);
}

/** What an operator sends back of payments without a project is published by no sale: the feed shows what is held of them. */
function explainByHeld({ inputs, progress }: VerificationWork, concerns: readonly Unmatched[]): void {
  const { token } = inputs.target.terms;
  const { held, projects } = progress.sale;
  const stray = [...held.values()].filter((each) => each.destinationTag === null || !projects.has(each.destinationTag));
  const byRefund = Map.groupBy(stray as TaggedPayment[], (each) =>
    paymentKey(
      {
        account: inputs.account.address,
        destination: each.sender,
        destinationTag: each.sourceTag,
        delivered: each.receivedDrops.toString(),
      },
      token,
    ),
  );
  for (const each of concerns) {
    const sentBack = byRefund.get(paymentKey(each, token)) ?? [];
    const index = sentBack.findIndex(({ ledgerIndex }) => ledgerIndex <= each.ledgerIndex);
    each.explainedBy = sentBack.splice(index, index < 0 ? 0 : 1)[0]?.hash ?? null;
  }
}

async function explainByOthers(
  { source, inputs, progress }: VerificationWork,
  concerns: readonly Unmatched[],
): Promise<void> {
  for (const other of inputs.others) {
    if (concerns.every((each) => each.explainedBy !== null)) return;
    const open = new Open(concerns, other.token);
    const asOf = Math.min(progress.asOf, other.confirmedLedger);
    for await (const page of source.payouts(other.id, asOf, null)) {
      for (const row of page) {
        const payment = row.status === 'owed' ? open.same(row) : open.named(row);
        if (payment !== null) payment.explainedBy = row.id;
      }
    }
  }
}

/** As a reader of the ledger sees it. */
function amountOf({ delivered }: Unmatched): string {
  if (typeof delivered === 'string') return `${formatDrops(BigInt(delivered))} XRP`;
  const value = typeof delivered === 'object' && delivered !== null && 'value' in delivered ? delivered.value : '?';
  return `${value} of the token`;
}

function report({ findings }: Progress, { projectId }: ParsedTerms, unmatched: Unmatched): void {
  const { hash, ledgerIndex, account, destination, paidAlready, isInvestor } = unmatched;
  const about = { ledger_index: ledgerIndex, found: hash };
  if (paidAlready !== null) {
    addDifference(findings, {
      ...about,
      kind: 'payout_paid_twice',
      subject: paidAlready,
      message: `${paidAlready}: was paid, and ${hash} in ledger ${ledgerIndex} pays the same to ${destination} again`,
    });
    return;
  }
  addDifference(findings, {
    ...about,
    kind: 'unexplained_payment',
    subject: hash,
    message: `${hash}: ${account} has paid ${amountOf(unmatched)} to ${destination}${isInvestor ? `, an investor of ${projectId}` : ''}, and nothing published stands for it`,
  });
}
