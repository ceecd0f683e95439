import { eq, sql } from 'drizzle-orm';
import { listEntries, lists } from '#drizzle/schema/sale.ts';
import { appendAudit } from '#lib/audit.ts';
import { bulkRows } from '#lib/base/bulk.ts';
import type { Tx } from '#lib/base/db.ts';
import { type FieldError, PlatformError } from '#lib/base/errors.ts';
import { type Drops, MAX_DROPS, parseDecimal, XRP_DECIMALS } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import { parseAccountAddress } from '#lib/xrpl/address.ts';
import type { EntryInput } from './contracts.ts';
import { MAX_ENTRIES } from './create-list.ts';
import { listNotFound, ofProject } from './list-lists.ts';

/** What one part has changed, and how many wallets are on the draft now. */
interface PartCounts {
  added: number;
  changed: number;
  entries: number;
}

/**
 * Adds a part to a draft; a wallet that is on it already gets the new cap, so the same part twice changes nothing.
 * Throws `invalid_request` with the place of each fault, `not_found`, `conflict` for a published version,
 * `limit_reached` beyond 100,000 wallets; then nothing is written.
 */
export async function addEntries(
  ctx: Ctx,
  input: {
    projectId: string;
    listId: string;
    entries: readonly EntryInput[];
    /** Line of the caller's file on which each entry stands, or the line of the first one. */
    lines?: readonly number[] | undefined;
    first_line?: number | undefined;
    reason?: string | undefined;
  },
): Promise<PartCounts> {
  const { lines, first_line: firstLine } = input;
  const part = checkEntries(
    input.entries,
    (index) => lines?.[index] ?? (firstLine === undefined ? null : firstLine + index),
  );
  return ctx.db.transaction(async (tx) => {
    const [list] = await tx.select().from(lists).where(ofProject(input.projectId, input.listId)).for('no key update');
    if (list === undefined) throw listNotFound();
    if (list.status !== 'draft') {
      throw new PlatformError('conflict', 'This version is published and never changes. Begin a new draft.');
    }
    const { added, changed } = await writeEntries(tx, list.id, part);
    const entries = list.entries + added;
    if (entries > MAX_ENTRIES) {
      throw new PlatformError(
        'limit_reached',
        `An allowlist holds at most ${MAX_ENTRIES} wallets; with this part it would hold ${entries}. Nothing was added.`,
      );
    }
    // Also when the count stays: a commit sees by this row that the entries are no longer those that were hashed.
    await tx.update(lists).set({ entries }).where(eq(lists.id, list.id));
    await appendAudit(tx, ctx, {
      action: 'list.add_entries',
      subject: list.id,
      projectId: list.projectId,
      reason: input.reason ?? 'part uploaded',
      before: { entries: list.entries },
      after: { added, changed, entries },
    });
    return { added, changed, entries };
  });
}

async function writeEntries(
  tx: Tx,
  listId: string,
  part: readonly Entry[],
): Promise<Pick<PartCounts, 'added' | 'changed'>> {
  const rows = part.map(({ walletAddress, capDrops }) => ({ wallet_address: walletAddress, cap_drops: capDrops }));
  // A row that the statement itself has inserted has no xmax yet.
  const { rows: counts } = await tx.execute<{ added: number; changed: number }>(sql`
    with written as (
      insert into ${listEntries} as e (list_id, wallet_address, cap_drops)
      select ${listId}, d.wallet_address, d.cap_drops
      from ${bulkRows('d', { wallet_address: 'text', cap_drops: 'bigint' }, rows)}
      on conflict (list_id, wallet_address) do update set cap_drops = excluded.cap_drops
        where e.cap_drops is distinct from excluded.cap_drops
      returning e.xmax = 0 as is_new)
    select (count(*) filter (where is_new))::integer as added, (count(*) filter (where not is_new))::integer as changed
    from written`);
  return counts[0] ?? { added: 0, changed: 0 };
}

/** A whole part of wrong entries has one cause: the first faults show it. */
const MAX_FAULTS = 20;

/** A wallet with what it may invest; null is no limit of its own. */
export interface Entry {
  walletAddress: string;
  capDrops: Drops | null;
}

/**
 * The entries of one part with canonical addresses and caps in drops. Throws `invalid_request` with the first 20 faults,
 * each under its place (`entries[17].wallet_address`), and with the line of the caller's file where `lineOf` knows it; a wallet given twice is one, also in two forms of its address.
 */
export function checkEntries(
  given: readonly EntryInput[],
  lineOf: (index: number) => number | null = () => null,
): Entry[] {
  const faults: FieldError[] = [];
  const positionOf = new Map<string, number>();
  const entries = given.map(({ wallet_address, cap_xrp }, at): Entry => {
    const line = lineOf(at);
    const fault = (field: keyof EntryInput, message: string) =>
      void faults.push({
        field: `entries[${at}].${field}`,
        message: line === null ? message : `line ${line}: ${message}`,
      });
    const parsed = parseAccountAddress(wallet_address);
    const walletAddress = 'address' in parsed ? parsed.address : '';
    if ('fault' in parsed) {
      fault('wallet_address', parsed.fault);
    } else {
      const earlier = positionOf.get(walletAddress);
      if (earlier === undefined) positionOf.set(walletAddress, at);
      else
        fault(
          'wallet_address',
          `is the same wallet as ${lineOf(earlier) === null ? `entries[${earlier}]` : `line ${lineOf(earlier)}`}`,
        );
    }
    const capDrops = cap_xrp == null ? null : parseDecimal(cap_xrp, XRP_DECIMALS);
    if (cap_xrp != null && (capDrops === null || capDrops === 0n || capDrops > MAX_DROPS)) {
      fault('cap_xrp', 'must be an XRP amount above 0 of up to 6 fractional digits, or null for no limit of its own');
    }
    return { walletAddress, capDrops };
  });
  const [first] = faults;
  if (first !== undefined) {
    const errors = faults.slice(0, MAX_FAULTS);
    throw new PlatformError('invalid_request', `${first.field}: ${first.message}`, { errors });
  }
  return entries;
}
