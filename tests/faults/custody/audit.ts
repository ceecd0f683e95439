import { purposeId } from '@tranche/rules/custody.ts';
import { refund } from '#tests/integration/witness/world.ts';
import type { Book, Sent } from './books.ts';
import { type Arrival, type Scene, UNIT_DROPS } from './scene.ts';
import { CURRENCY, LIMITS } from './stage.ts';

const DAY_MS = 86_400_000;
const FLAGS_ALLOWED = 0x7fff_ffff;

/**
 * What must hold whatever was tried, by the ledger alone: everything that left the two accounts, payment by payment and in
 * sums. No code of a witness is used. When it `isOver`, everything owed has been paid.
 */
export async function auditBooks(scene: Scene, isOver: boolean): Promise<string[]> {
  const books = await scene.readBoth();
  const { deposit, distributor } = books;
  const found: string[] = [];
  for (const book of [deposit, distributor]) {
    for (const sent of book.sent) if (!scene.byHand.has(sent.hash)) found.push(...faultsOf(sent));
    found.push(...feeFaults(book, scene.byHand));
  }
  const owed = debts(scene);
  const worth = new Map<Arrival, bigint>();
  const paid = new Set<string>();
  for (const sent of [...deposit.payments, ...distributor.payments]) {
    if (sent.purpose === scene.releaseId) {
      if (sent.destination !== scene.treasury.classicAddress || sent.tag !== null) {
        found.push(`${sent.hash} releases to ${sent.destination}`);
      }
      continue;
    }
    const debt = owed.get(sent.purpose ?? '');
    if (debt === undefined) {
      if (!scene.byHand.has(sent.hash)) found.push(`${sent.hash} pays ${sent.destination} for ${sent.purpose}`);
      continue;
    }
    const key = sent.purpose ?? '';
    if (paid.has(key)) found.push(`${key} is paid twice`);
    paid.add(key);
    found.push(...differences(scene, sent, debt));
    worth.set(debt.arrival, (worth.get(debt.arrival) ?? 0n) + worthOf(sent));
  }
  for (const arrival of scene.arrivals) {
    const got = worth.get(arrival) ?? 0n;
    if (got > arrival.drops) found.push(`${arrival.hash} paid ${arrival.drops} drops and got what is worth ${got}`);
    if (isOver && got < arrival.drops) {
      found.push(`${arrival.hash} paid ${arrival.drops} drops and got only what is worth ${got}`);
    }
  }
  const [released, earned] = [scene.releasedDrops(books), scene.earnedDrops(books)];
  if (released > earned) found.push(`${released} drops are released, and ${earned} earned`);
  return found;
}

const sumOf = (amount: unknown): { isXrp: boolean; units: bigint } =>
  typeof amount === 'string'
    ? { isXrp: true, units: BigInt(amount) }
    : { isXrp: false, units: BigInt(Math.round(Number((amount as { value: string }).value) * 100)) };

function worthOf({ amount }: Sent): bigint {
  const { isXrp, units } = sumOf(amount);
  return isXrp ? units : units * UNIT_DROPS;
}

interface Debt {
  arrival: Arrival;
  isXrp: boolean;
  /** Null where it follows from what was distributed. */
  amount: bigint | null;
  dueAtMs: number;
}

/** All that could ever be owed, by purpose: each sale's end leaves some of it. */
function debts(scene: Scene): Map<string, Debt> {
  const all = new Map<string, Debt>();
  for (const arrival of scene.arrivals) {
    const { backDrops, kind, closedAtMs } = arrival;
    if (backDrops > 0n) {
      all.set(purposeId(refund(arrival)), { arrival, isXrp: true, amount: backDrops, dueAtMs: closedAtMs });
    }
    if (kind !== 'invested') continue;
    for (const { purpose, owed, dueAtMs } of scene.partsOf(arrival)) {
      all.set(purposeId(purpose), { arrival, isXrp: false, amount: owed.amount, dueAtMs });
    }
    if (scene.status === 'cancelled') {
      all.set(purposeId(refund(arrival, 2)), { arrival, isXrp: true, amount: null, dueAtMs: closedAtMs });
    }
  }
  return all;
}

function differences(scene: Scene, sent: Sent, { arrival, isXrp, amount, dueAtMs }: Debt): string[] {
  const found: string[] = [];
  const paid = sumOf(sent.amount);
  const { currency, issuer } = sent.amount as { currency?: string; issuer?: string };
  const isRightAsset = paid.isXrp ? isXrp : !isXrp && currency === CURRENCY && issuer === scene.issuer.classicAddress;
  if (!isRightAsset || (amount !== null && amount !== paid.units)) {
    found.push(`${sent.hash} pays ${JSON.stringify(sent.amount)}, and ${amount} are owed`);
  }
  if (sent.destination !== arrival.from.classicAddress || sent.tag !== arrival.sourceTag) {
    found.push(`${sent.hash} pays ${sent.destination} with the tag ${sent.tag}`);
  }
  if (sent.closedAtMs < dueAtMs) found.push(`${sent.hash} is paid ${dueAtMs - sent.closedAtMs} ms before it is due`);
  const isEndAwaited = !isXrp && scene.sale.atEnd && scene.status !== 'completed';
  if (isEndAwaited) found.push(`${sent.hash} distributes before the end`);
  return found;
}

/** Of a transaction whatever it pays. */
function faultsOf({ hash, type, fields, flags, feeDrops, lastLedgerSequence, ledgerIndex, ...rest }: Sent): string[] {
  const found: string[] = [];
  if (!['Payment', 'TicketCreate', 'AccountSet'].includes(type)) found.push(`${hash} is a ${type}`);
  if (type === 'AccountSet' && (fields.length > 0 || (flags & FLAGS_ALLOWED) !== 0))
    found.push(`${hash} sets ${fields}`);
  if (feeDrops > LIMITS.feeDrops) found.push(`${hash} costs ${feeDrops} drops`);
  if (lastLedgerSequence === null || lastLedgerSequence > ledgerIndex + 20) {
    found.push(`${hash} could be validated up to ledger ${lastLedgerSequence}, and was in ${ledgerIndex}`);
  }
  if (type === 'Payment' && rest.result === 'tesSUCCESS' && rest.purpose === null) {
    found.push(`${hash} pays without a purpose`);
  }
  return found;
}

/** Each of the two honest witnesses limits what it signs: together they let twice as much pass at most. */
function feeFaults({ sent, account }: Book, byHand: ReadonlySet<string>): string[] {
  for (const pot of ['debts', 'other'] as const) {
    const own = sent.filter(
      ({ type, purpose, hash }) =>
        !byHand.has(hash) && (type === 'Payment' && purpose?.startsWith('03') !== true) === (pot === 'debts'),
    );
    for (const { closedAtMs: end } of own) {
      const day = own.filter(({ closedAtMs }) => closedAtMs <= end && closedAtMs > end - DAY_MS);
      const spent = day.reduce((sum, { feeDrops }) => sum + feeDrops, 0n);
      if (spent > 2n * LIMITS.feesOfDayDrops[pot]) return [`${account} has spent ${spent} drops of fees in a day`];
    }
  }
  return [];
}
