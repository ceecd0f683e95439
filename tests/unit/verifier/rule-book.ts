import type { CredentialQuestion } from '@tranche/rules/credentials.ts';
import { rippleSecondsToMs, toFeedEntry } from '@tranche/rules/feed-entry.ts';
import { expectedAllocations, expectedLate, expectedPayment } from '@tranche/verifier/expected.ts';
import { feedBegins, type Inputs, loadInputs } from '@tranche/verifier/inputs.ts';
import { putLists } from '@tranche/verifier/lists.ts';
import { cancellationObligation, changeObligation, tokenObligations, unitsOf } from '@tranche/verifier/obligations.ts';
import { newProgress, type Progress } from '@tranche/verifier/progress.ts';
import { putCredentials } from '@tranche/verifier/put-credentials.ts';
import type { ReadCredential } from '@tranche/verifier/read-credentials.ts';
import { type Decision, reduceSteps, saleSteps } from '@tranche/verifier/reduce-steps.ts';
import { draftOf, type ParsedTerms } from '@tranche/verifier/terms.ts';
import type { FeedEntry } from '#lib/xrpl/types.ts';
import { type Outcome, paidUnits, type SaleOutcome } from './outcome.ts';
import { publishedSource } from './published-source.ts';
import { DEPOSIT, REFUND_MIN_DROPS, START_MS } from './random-sales/accounts.ts';
import { credentialIn } from './random-sales/credentials.ts';
import type { DrawnSale } from './random-sales/sale.ts';

/** What has a row in `/payments`. */
type Own = Extract<Decision, { type: 'late' | 'invested' | 'refused' }>;

/** The sale through the platform's own verifier and reducer, page by page; with every decision, for the coverage. */
export async function byRuleBook(sale: DrawnSale): Promise<{ outcome: Outcome; decisions: Decision[] }> {
  const source = publishedSource(sale);
  const inputs = await loadInputs(source, sale.projects[0]?.row.id ?? '');
  const entries = feedOf(sale, feedBegins(inputs));
  const progress = begin(inputs, sale.last.ledger_index);
  const lists = new Map();
  const decisions: Decision[] = [];
  for (let from = 0, page = 0; from <= entries.length; page++) {
    const through = from + (sale.pageSizes[page % sale.pageSizes.length] ?? 1);
    const steps = saleSteps(inputs, progress, entries.slice(from, through));
    const actions = steps.flatMap(({ entry }) => (entry.kind === 'action' ? [entry] : []));
    const before = await putLists(source, inputs, progress, lists, actions);
    const closedAtMs = through > entries.length ? lastCloseMs(sale) : null;
    const { state } = await putCredentials({ credentials: readCredentials }, before, steps, closedAtMs);
    const reduced = reduceSteps(state, steps, closedAtMs);
    progress.sale = reduced.state;
    decisions.push(...reduced.decisions);
    from = through;
  }
  const sales = [...inputs.terms.values()].map((terms) => outcomeOf(terms, progress, decisions));
  return { decisions, outcome: { sales, strays: straysOf(inputs, decisions), held: [...progress.sale.held.keys()] } };
}

/** As a server's answers are read. */
export const readCredentials = async (questions: readonly CredentialQuestion[]): Promise<ReadCredential[]> =>
  questions.map(({ ledgerIndex, subject, issuer, credentialType }) => {
    const entry = credentialIn(ledgerIndex, subject, issuer, credentialType);
    return (
      entry && {
        accepted: entry.Flags === 65_536,
        expiresAtMs: entry.Expiration === undefined ? null : rippleSecondsToMs(entry.Expiration),
      }
    );
  });

function feedOf({ history, last }: DrawnSale, after: number): FeedEntry[] {
  return history
    .filter((line) => line.ledger_index > after && line.ledger_index <= last.ledger_index)
    .map((line) => toFeedEntry(DEPOSIT, { ...line, validated: true }))
    .sort((a, b) => a.ledgerIndex - b.ledgerIndex || a.transactionIndex - b.transactionIndex);
}

const lastCloseMs = ({ last }: DrawnSale): number => (last.close_time + 946_684_800) * 1_000;

function begin(inputs: Inputs, asOf: number): Progress {
  const projects = new Map([...inputs.terms.values()].map((each) => [each.terms.destination_tag, draftOf(each)]));
  const sale = { projects, held: new Map(), refundMinDrops: REFUND_MIN_DROPS };
  return newProgress(asOf, START_MS, { afterLedger: feedBegins(inputs), through: asOf }, sale);
}

function outcomeOf(target: ParsedTerms, { sale }: Progress, decisions: readonly Decision[]): SaleOutcome {
  const { destination_tag } = target.terms;
  const final = sale.projects.get(destination_tag);
  if (final === undefined) throw new Error(`No project has the tag ${destination_tag}`);
  const own = decisions.flatMap((each): Own[] => {
    if (each.type === 'late') return each.payment.destinationTag === destination_tag ? [each] : [];
    return (each.type === 'invested' || each.type === 'refused') && each.projectId === target.projectId ? [each] : [];
  });
  const payments = own.map((each) =>
    each.type === 'late' ? expectedLate(each.payment, target) : expectedPayment(each, target),
  );
  return {
    project: target.projectId,
    status: final.status,
    endReason: final.endReason,
    endedAt: final.endedAtMs,
    raised: final.raisedDrops,
    soldByTier: final.tiers.map((tier) => tier.soldUnits),
    listHash: final.listHash,
    payments,
    allocations: own.flatMap((each) =>
      each.type === 'invested' ? expectedAllocations(each, expectedPayment(each, target), target) : [],
    ),
    payouts: payments.flatMap((payment) => {
      const change = changeObligation(payment, target);
      return [...tokenObligations(payment, target, final), ...(change === null ? [] : [change])];
    }),
    unwinding: payments.flatMap((payment) => {
      if (final.status !== 'cancelled' || payment.invested_xrp === '0.000000') return [];
      const units = tokenObligations(payment, target, final).map(({ tokens }) => unitsOf(tokens ?? '', target));
      const { owed } = cancellationObligation(payment, target, final, paidUnits(payment.transaction_hash, units));
      return [{ payment: payment.transaction_hash, back: owed }];
    }),
  };
}

/** Late payments with a project's tag have rows of their own. */
const straysOf = ({ terms }: Inputs, decisions: readonly Decision[]): Outcome['strays'] => {
  const tags = new Set<number | null>([...terms.values()].map((each) => each.terms.destination_tag));
  return decisions.flatMap((each): Outcome['strays'] => {
    if (each.type === 'late') {
      const { hash, destinationTag, receivedDrops } = each.payment;
      return tags.has(destinationTag) ? [] : [{ hash, reason: 'late_discovery', refunded: 0n, held: receivedDrops }];
    }
    if (each.type === 'held') {
      return [{ hash: each.payment.hash, reason: each.reason, refunded: 0n, held: each.payment.receivedDrops }];
    }
    if (each.type !== 'refused' || each.projectId !== null) return [];
    return [{ hash: each.payment.hash, reason: each.reason, refunded: each.refundedDrops, held: each.heldDrops }];
  });
};
