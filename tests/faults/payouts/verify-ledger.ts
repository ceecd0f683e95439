import { REFUND_SOURCE_TAG } from '@tranche/rules/types.ts';
import type { Obligation } from './obligations.ts';
import type { Scene } from './scene.ts';
import { CURRENCY, DECIMALS } from './tokens.ts';

/** A successful payment of a paying account that the scene did not make itself, as the ledger shows it. */
export interface ShownPayment {
  hash: string;
  ledgerIndex: number;
  closedAt: string;
  key: string;
  sourceTag: number | undefined;
  isPlain: boolean;
}

export interface Shown {
  payments: ShownPayment[];
  /** Hashes of payments that failed and took their fee. */
  failed: Map<string, string>;
  /** Payments, failed ones included. */
  attempts: number;
  /** Tickets that each paying account holds. */
  tickets: Map<string, number>;
}

const PARTIAL_PAYMENT = 0x0002_0000;
const MAX_TICKETS = 250;
/** Tickets are asked for ten at a time at least, with five to spare. */
const SPARE_TICKETS = 15;

/** Token units of a decimal value, written out here so that nothing of the product's own arithmetic is trusted. */
function unitsOf(value: string): string {
  const [mantissa = '', exponent = '0'] = value.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const scale = Number(exponent) + DECIMALS - fraction.length;
  const digits = BigInt(whole + fraction);
  if (scale >= 0) return String(digits * 10n ** BigInt(scale));
  const divisor = 10n ** BigInt(-scale);
  return digits % divisor === 0n ? String(digits / divisor) : `${value} (finer than a unit)`;
}

const keyOf = (...parts: (string | number | null | undefined)[]): string => parts.map((part) => part ?? '-').join(' ');

/** Everything about an obligation that a payment of it must show. */
const obligationKey = ({ payer, destination, destinationTag, asset, amount }: Obligation): string =>
  keyOf(payer, destination, destinationTag, asset, String(amount));

type Delivered = string | { currency?: string; issuer?: string; value: string; mpt_issuance_id?: string };

function deliveredKey(scene: Scene, delivered: Delivered): string {
  if (typeof delivered === 'string') return keyOf('xrp', delivered);
  const { currency, issuer, value, mpt_issuance_id: issuanceId } = delivered;
  if (issuanceId === scene.issuanceId) return keyOf('mpt', value);
  const isToken = currency === CURRENCY && issuer === scene.issuer.address;
  return isToken ? keyOf('iou', unitsOf(value)) : JSON.stringify(delivered);
}

/** Every transaction of an account since the start, in ledger order. */
async function* transactionsOf({ client, startLedger }: Scene, account: string) {
  let marker: unknown;
  do {
    const { result } = await client.request({
      command: 'account_tx',
      account,
      ledger_index_min: startLedger + 1,
      forward: true,
      limit: 200,
      ...(marker === undefined ? {} : { marker }),
    });
    yield* result.transactions;
    marker = result.marker;
  } while (marker !== undefined);
}

/** Reads what the paying accounts did since the start, by plain xrpl.js from a server without faults. */
export async function readLedger(scene: Scene): Promise<Shown> {
  const shown: Shown = { payments: [], failed: new Map(), attempts: 0, tickets: new Map() };
  for (const { address } of [scene.issuer, scene.distributor, scene.deposit]) {
    const { result } = await scene.client.request({
      command: 'account_objects',
      account: address,
      type: 'ticket',
      ledger_index: 'validated',
      limit: 400,
    });
    shown.tickets.set(address, result.account_objects.length);
    for await (const entry of transactionsOf(scene, address)) {
      const {
        tx_json: tx,
        meta,
        hash = '',
        ledger_index: ledgerIndex = 0,
        close_time_iso: closedAt,
      } = entry as typeof entry & { close_time_iso: string };
      if (tx?.TransactionType !== 'Payment' || tx.Account !== address || scene.own.has(hash)) continue;
      if (typeof meta !== 'object') throw new Error('The ledger shows a transaction without its outcome');
      shown.attempts += 1;
      if (meta.TransactionResult !== 'tesSUCCESS') {
        shown.failed.set(hash, meta.TransactionResult);
        continue;
      }
      const delivered = deliveredKey(scene, meta.delivered_amount as Delivered);
      shown.payments.push({
        hash,
        ledgerIndex,
        closedAt,
        key: keyOf(address, tx.Destination, tx.DestinationTag, delivered),
        sourceTag: tx.SourceTag,
        isPlain: tx.Paths === undefined && (Number(tx.Flags ?? 0) & PARTIAL_PAYMENT) === 0,
      });
    }
  }
  return shown;
}

/** The payments that the ledger shows for each obligation. */
export function paymentsByObligation(owed: readonly Obligation[], shown: Shown): Map<Obligation, ShownPayment[]> {
  return new Map(owed.map((each) => [each, shown.payments.filter(({ key }) => key === obligationKey(each))]));
}

/** Whether the ledger shows each obligation paid at most once, in full, and nothing else paid. */
export function verifyLedger(owed: readonly Obligation[], shown: Shown): string[] {
  const wrong: string[] = [];
  const known = new Set(owed.map(obligationKey));
  for (const [{ id, kind, dueAt }, paid] of paymentsByObligation(owed, shown)) {
    if (paid.length > 1) wrong.push(`${id} was paid ${paid.length} times: ${paid.map(({ hash }) => hash).join(', ')}`);
    for (const { hash, sourceTag, isPlain, closedAt } of paid) {
      if (!isPlain) wrong.push(`${id} was paid by ${hash} with paths or as a partial payment`);
      const expected = kind === 'distribution' ? undefined : REFUND_SOURCE_TAG;
      if (sourceTag !== expected) wrong.push(`${id} was paid by ${hash} with source tag ${sourceTag}`);
      if (Date.parse(closedAt) < dueAt.getTime()) wrong.push(`${id} was paid by ${hash} before it was due`);
    }
  }
  for (const { key, hash } of shown.payments) {
    if (!known.has(key)) wrong.push(`${hash} paid what nobody is owed: ${key}`);
  }
  for (const [account, held] of shown.tickets) {
    const liabilitiesByAccount = owed.filter(({ payer }) => payer === account).length;
    const limit = Math.min(MAX_TICKETS, liabilitiesByAccount + SPARE_TICKETS);
    if (held > limit) wrong.push(`${account} holds ${held} tickets for ${liabilitiesByAccount} obligations`);
  }
  return wrong;
}
