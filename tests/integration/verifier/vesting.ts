import { derivedId } from '@tranche/rules/ids.ts';
import { sql } from 'drizzle-orm';
import type { EscrowCreate, Wallet } from 'xrpl';
import { planDistributions } from '#lib/sales/plan-distributions.ts';
import { holders } from '#tests/integration/sales/cancelled-sales.ts';
import { RIPPLE_EPOCH_SECONDS } from '#tests/integration/sales/escrows.ts';
import type { ProjectBody, Stage } from '#tests/integration/sales/stage.ts';
import { tokenAmount, type UnsoldParties, type UnsoldSale } from '#tests/integration/sales/unsold-sale.ts';
import { vestingDraft } from '#tests/integration/sales/vesting-sale.ts';
import { rowsOf } from '#tests/support/rows.ts';
import { quiet } from './altered.ts';
import { tamper } from './scene.ts';
import { endSale, launch, putInEscrow } from './unsold.ts';

const DAY_MS = 86_400_000;
const SCALE = 1_000_000n;

/** A lock as the sale must make it. */
export interface DueLock {
  part: number;
  units: bigint;
  until: string;
}
export type Paid = Awaited<ReturnType<typeof putInEscrow>>;

/** A sale that promises to lock what its vesting owes at the end: two investors have bought 500 and 300 of its 6,000 tokens. */
export async function vestingSale(
  stage: Stage,
  body: Partial<ProjectBody> = {},
  parties?: UnsoldParties,
): Promise<UnsoldSale> {
  const sale = await vestingDraft(stage, body, parties);
  await launch(stage, sale);
  const [first, second] = (await holders(stage, sale, 2)) as [Wallet, Wallet];
  await stage.pay(first, sale, 50);
  await stage.pay(second, sale, 30);
  await quiet(stage, { ...sale, issuer: sale.distributor });
  return sale;
}

/** Ends it, and writes what it owes its investors then. */
export async function endVesting(stage: Stage, sale: UnsoldSale): Promise<void> {
  await endSale(stage, sale);
  await planDistributions(stage.ctx, stage.ctx.clock.nowMs() + 60_000);
  await removeLocks(stage, sale);
}

export async function endedVesting(stage: Stage, parties?: UnsoldParties): Promise<UnsoldSale> {
  const sale = await vestingSale(stage, {}, parties);
  await endVesting(stage, sale);
  return sale;
}

/** The three locks of a sale that gives a tenth of 800 tokens at its end: 240 tokens each, after 40, 70 and 100 days. */
export async function dueLocks(stage: Stage, { project }: UnsoldSale): Promise<DueLock[]> {
  const [row] = await rowsOf(stage.database.db, 'projects', { id: project.id });
  const endedAtMs = row?.endedAt?.getTime() ?? Number.NaN;
  return [40, 70, 100].map((days, index) => {
    const until = new Date(endedAtMs + days * DAY_MS);
    until.setUTCHours(0, 0, 0, 0);
    return { part: index + 2, units: 240n * SCALE, until: until.toISOString() };
  });
}

const secondsOf = (until: string): number => Date.parse(until) / 1_000 - RIPPLE_EPOCH_SECONDS;

/** The distributor's escrow for a lock, in a ledger that is closed. */
export const lockUp = (
  stage: Stage,
  sale: UnsoldSale,
  { units, until }: DueLock,
  over: Partial<EscrowCreate> = {},
  signer: Wallet = sale.distributor,
): Promise<Paid> => {
  const Amount = tokenAmount(sale.issuer, String(units / SCALE));
  return putInEscrow(stage, sale, { Amount, FinishAfter: secondsOf(until), ...over }, signer);
};

export const lockId = ({ project }: UnsoldSale, part: number): string =>
  derivedId('pay', 'lock', project.id, String(part));

export const removeLocks = (stage: Stage, { project }: UnsoldSale) =>
  tamper(stage, sql`delete from payouts where project_id = ${project.id} and kind in ('lock', 'unlock')`);

/** A lock as the books are to have it: owed, or paid by that transaction. */
export async function writeLock(
  stage: Stage,
  sale: UnsoldSale,
  { part, units, until }: DueLock,
  paid: Paid | null = null,
): Promise<string> {
  const id = lockId(sale, part);
  const { address } = sale.distributor;
  await tamper(stage, sql`delete from payouts where id = ${id}`);
  await tamper(
    stage,
    sql`
      insert into payouts (id, kind, project_id, part, account, destination, amount, locked_until, status, due_at, tx_hash, ledger_index)
      select ${id}, 'lock', p.id, ${part}, ${address}, ${address}, ${units}, ${until}::timestamptz,
        ${paid === null ? 'held' : 'validated'}, p.ended_at, ${paid?.hash ?? null}, ${paid?.ledgerIndex ?? null}
      from projects p where p.id = ${sale.project.id}`,
  );
  return id;
}

/** Puts all locks in escrow as the terms promise, but those that the test writes itself. */
export async function keepLocks(stage: Stage, sale: UnsoldSale, except: readonly number[] = []): Promise<DueLock[]> {
  const due = await dueLocks(stage, sale);
  for (const lock of due) {
    if (!except.includes(lock.part)) await writeLock(stage, sale, lock, await lockUp(stage, sale, lock));
  }
  return due;
}

/** What ended the escrow of a lock, as the books are to have it. */
export async function writeUnlock(stage: Stage, sale: UnsoldSale, { part, units, until }: DueLock, paid: Paid) {
  const { address } = sale.distributor;
  await tamper(
    stage,
    sql`
      insert into payouts (id, kind, project_id, part, account, destination, amount, locked_until, status, due_at, tx_hash, ledger_index)
      values (${derivedId('pay', 'unlock', sale.project.id, String(part))}, 'unlock', ${sale.project.id}, ${part}, ${address}, ${address},
        ${units}, ${until}::timestamptz, 'validated', ${until}::timestamptz, ${paid.hash}, ${paid.ledgerIndex})`,
  );
}
