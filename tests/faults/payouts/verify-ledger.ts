import { REFUND_SOURCE_TAG } from '@tranche/rules/types.ts';
import { readHistory, type Shown } from '#tests/faults/ledger-history.ts';
import type { Obligation } from './obligations.ts';
import type { Scene } from './scene.ts';

/** What the paying accounts did since the start. */
export interface Paid {
  /** Successful payments and escrows that the scene did not make itself, and every end of an escrow. */
  payments: Shown[];
  /** Payments and escrows that failed and took their fee, by hash. */
  failed: Map<string, string>;
  /** Tickets that each paying account holds. */
  tickets: Map<string, number>;
}

/** The ledger counts seconds from 2000-01-01T00:00:00Z. */
const RIPPLE_EPOCH_SECONDS = 946_684_800;
const MAX_TICKETS = 250;
/** Tickets are asked for ten at a time at least, with five to spare. */
const SPARE_TICKETS = 15;

/** What pays an obligation, locks it, or ends its lock: that may be anybody. */
const TYPES = {
  distribution: 'Payment',
  refund: 'Payment',
  release: 'Payment',
  lock: 'EscrowCreate',
  unlock: 'EscrowFinish',
} as const;
const PAYS: ReadonlySet<string> = new Set(Object.values(TYPES));
const senderOf = (type: string, sender: string): string => (type === TYPES.unlock ? 'anybody' : sender);

/** Everything about an obligation that a payment of it must show. */
const obligationKey = (owed: Obligation): string => {
  const { kind, payer, destination, destinationTag, asset, amount, lockedUntil } = owed;
  const type = TYPES[kind];
  const finishAfter = lockedUntil === null ? null : lockedUntil.getTime() / 1_000 - RIPPLE_EPOCH_SECONDS;
  return [type, senderOf(type, payer), destination, destinationTag, asset, amount, finishAfter].join(' ');
};
const paymentKey = ({ type, sender, destination, destinationTag, asset, units, finishAfter }: Shown): string =>
  [type, senderOf(type, sender), destination, destinationTag, asset, units, finishAfter].join(' ');

/** Reads it from the ledger. */
export async function readPaid(scene: Scene): Promise<Paid> {
  const paid: Paid = { payments: [], failed: new Map(), tickets: new Map() };
  for (const { address: account } of [scene.issuer, scene.distributor, scene.deposit]) {
    const { result } = await scene.client.request({
      command: 'account_objects',
      account,
      type: 'ticket',
      ledger_index: 'validated',
      limit: 400,
    });
    paid.tickets.set(account, result.account_objects.length);
    for (const shown of await readHistory(scene.client, account, scene)) {
      const isEnd = shown.type === TYPES.unlock && shown.destination === account && shown.result === 'tesSUCCESS';
      if (!isEnd && (!PAYS.has(shown.type) || shown.sender !== account || scene.own.has(shown.hash))) continue;
      if (shown.result === 'tesSUCCESS') paid.payments.push(shown);
      else paid.failed.set(shown.hash, shown.result);
    }
  }
  return paid;
}

/** The payments that the ledger shows for each obligation. */
export function paymentsByObligation(owed: readonly Obligation[], { payments }: Paid): Map<Obligation, Shown[]> {
  const byKey = Map.groupBy(payments, paymentKey);
  return new Map(owed.map((each) => [each, byKey.get(obligationKey(each)) ?? []]));
}

/** Whether the ledger shows each obligation paid at most once, in full, and nothing else paid. */
export function verifyLedger(owed: readonly Obligation[], shown: Paid): string[] {
  const wrong: string[] = [];
  const known = new Set(owed.map(obligationKey));
  for (const [{ id, kind, dueAt }, paid] of paymentsByObligation(owed, shown)) {
    if (paid.length > 1) wrong.push(`${id} was paid ${paid.length} times: ${paid.map(({ hash }) => hash).join(', ')}`);
    for (const { hash, sourceTag, isPlain, closedAt } of paid) {
      if (!isPlain) wrong.push(`${id} was paid by ${hash} with paths or as a partial payment`);
      const expected = kind === 'refund' || kind === 'release' ? REFUND_SOURCE_TAG : null;
      if (sourceTag !== expected) wrong.push(`${id} was paid by ${hash} with source tag ${sourceTag}`);
      if (Date.parse(closedAt) < dueAt.getTime()) wrong.push(`${id} was paid by ${hash} before it was due`);
    }
  }
  for (const payment of shown.payments) {
    const key = paymentKey(payment);
    if (!known.has(key)) wrong.push(`${payment.hash} paid what nobody is owed: ${key}`);
  }
  for (const [account, held] of shown.tickets) {
    const liabilitiesByAccount = owed.filter(({ payer }) => payer === account).length;
    const limit = Math.min(MAX_TICKETS, liabilitiesByAccount + SPARE_TICKETS);
    if (held > limit) wrong.push(`${account} holds ${held} tickets for ${liabilitiesByAccount} obligations`);
  }
  return wrong;
}
