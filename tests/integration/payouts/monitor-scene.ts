import { randomBytes } from 'node:crypto';
import { inArray, sql } from 'drizzle-orm';
import type { TrustSet, Wallet } from 'xrpl';
import { payouts } from '#drizzle/schema/payouts.ts';
import { investments, payments, type projects } from '#drizzle/schema/sale.ts';
import { newId } from '#lib/base/ids.ts';
import type { Queue, QueueMessage } from '#lib/base/queue.ts';
import type { TestCtx } from '#tests/support/ctx.ts';
import { addRows, rowsOf } from '#tests/support/rows.ts';
import { TOKEN, type World } from './world.ts';

/** A queue that keeps what it is given, so that a test decides when a callback arrives. */
export function keptQueue(): { queue: Queue; messages: QueueMessage[]; of(job: string): unknown[] } {
  const messages: QueueMessage[] = [];
  return {
    messages,
    of: (job) => messages.map(({ body }) => body).filter((body) => (body as { job: string }).job === job),
    queue: {
      publish: async (given) => void messages.push(...given),
      verify: async () => false,
      ping: async () => undefined,
    },
  };
}

/** A project with a token of its own, paid from the world's distributor by default. */
export async function addProject(
  world: World,
  token: { tokenKind: 'iou'; issuer: string } | { tokenKind: 'mpt'; issuer: string; issuanceId: string },
  over: Partial<typeof projects.$inferInsert> = {},
): Promise<string> {
  const [sold] = await rowsOf(world.database.db, 'projects', { id: world.projectId });
  const id = newId('proj', randomBytes);
  await addRows(world.database.db, 'projects', {
    ...sold!,
    id,
    slug: id.toLowerCase(),
    destinationTag: 1 + randomBytes(3).readUIntBE(0, 3),
    ...(token.tokenKind === 'iou'
      ? { tokenKind: 'iou', currency: TOKEN.currency, issuer: token.issuer, issuanceId: null }
      : { tokenKind: 'mpt', currency: null, issuer: token.issuer, issuanceId: token.issuanceId }),
    ...over,
  });
  return id;
}

/** Moves what was owed to another project, and has it paid by `account`. */
export async function moveTo(world: World, ids: readonly string[], projectId: string, account?: string): Promise<void> {
  const { db } = world.database;
  const moved = await db
    .update(payouts)
    .set({ projectId, ...(account === undefined ? {} : { account }) })
    .where(inArray(payouts.id, [...ids]))
    .returning({ investmentId: payouts.investmentId, paymentHash: payouts.paymentHash });
  await db
    .update(investments)
    .set({ projectId })
    .where(
      inArray(
        investments.id,
        moved.map((row) => row.investmentId!),
      ),
    );
  await db
    .update(payments)
    .set({ projectId })
    .where(
      inArray(
        payments.txHash,
        moved.map((row) => row.paymentHash!),
      ),
    );
}

/** Owes tokens to each of these accounts; gives the payouts' ids in their order. */
export async function createEach(world: World, holders: readonly Wallet[], amount = 1_000_000n): Promise<string[]> {
  const ids: string[] = [];
  for (const holder of holders) ids.push(await world.owe({ to: holder.address, amount }));
  return ids;
}

/** Every payout that a payer has found without a line, to be looked at by it only in half an hour. */
export async function letWait(world: World): Promise<void> {
  await world.database.db.execute(sql`
    update ${payouts} set status = 'waiting_holder', reason = 'trust_line_missing',
      next_check_at = now() + interval '30 minutes'
    where status = 'scheduled'`);
}

const limitOf = (issuer: string, value: string) => ({ currency: TOKEN.currency, issuer, value });

/** Each holder sets its line; one ledger for all. */
export async function setLines(world: World, holders: readonly Wallet[], value: string, issuer = world.issuer.address) {
  const LimitAmount = limitOf(issuer, value);
  await world.desk.write(
    ...holders.map((holder): [Wallet, TrustSet] => [
      holder,
      { TransactionType: 'TrustSet', Account: holder.address, LimitAmount },
    ]),
  );
}

/** The issuer freezes (0x100000) or authorises (0x10000) lines that stand. */
export async function flagLines(world: World, issuer: Wallet, holders: readonly Wallet[], flag: number): Promise<void> {
  await world.desk.write(
    ...holders.map((holder): [Wallet, TrustSet] => [
      issuer,
      {
        TransactionType: 'TrustSet',
        Account: issuer.address,
        LimitAmount: limitOf(holder.address, '0'),
        Flags: flag,
      },
    ]),
  );
}
export const SET_FREEZE = 0x0010_0000;
export const SET_AUTH = 0x0001_0000;

/** The ctx with a ledger that counts what it is asked, by operation. */
export function counting(ctx: TestCtx): { ctx: TestCtx; asked: Map<string, number> } {
  const asked = new Map<string, number>();
  const ledger = Object.fromEntries(
    Object.entries(ctx.ledger).map(([name, call]) => [
      name,
      (...given: unknown[]) => {
        asked.set(name, (asked.get(name) ?? 0) + 1);
        return (call as (...all: unknown[]) => unknown)(...given);
      },
    ]),
  ) as unknown as TestCtx['ledger'];
  return { ctx: { ...ctx, ledger }, asked };
}

/** How many payouts there are by status and reason. */
export async function tally(world: World): Promise<Record<string, number>> {
  const { rows } = await world.database.db.execute<{ name: string; found: number }>(sql`
    select status || coalesce(' ' || reason, '') as name, count(*)::int as found from ${payouts} group by 1`);
  return Object.fromEntries(rows.map(({ name, found }) => [name, found]));
}

/** Every row of every table, as text. */
export async function wholeDatabase(world: World): Promise<Record<string, unknown>> {
  const { rows: tables } = await world.database.db.execute<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
  );
  const whole: Record<string, unknown> = {};
  for (const { name } of tables) {
    const { rows } = await world.database.db.execute(
      sql`select to_jsonb(t)::text as row from ${sql.identifier(name)} as t order by 1`,
    );
    whole[name] = rows;
  }
  return whole;
}
