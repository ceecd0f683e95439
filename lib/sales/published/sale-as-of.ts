import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { actions, depositAccounts, type ProjectRow, payments, projects } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/base/db.ts';
import type { Ctx } from '#lib/ctx.ts';

type Project = Pick<ProjectRow, 'id'>;

/** The ledger that rows are as of, and whether their sale had ended by then. */
export interface AsOf {
  ledger: number;
  hasEnded: boolean;
}

/**
 * A ledger that is confirmed, and whether the sale had ended or was cancelled by then: what the end owes or takes back is
 * shown from then on. Once known it never changes. The ledger server is asked only about an end by time alone, between two
 * entries of the feed. Throws `ledger_unavailable` then.
 */
export const saleAsOf = async (ctx: Ctx, project: Project, ledger: number): Promise<AsOf> => ({
  ledger,
  hasEnded: await hasEndedBy(ctx, project, ledger),
});

async function hasEndedBy(ctx: Ctx, project: Project, asOf: number): Promise<boolean> {
  const { db } = ctx;
  // In one statement: an end and the ledger up to which it is confirmed are written together.
  const [now] = await db
    .select({
      account: depositAccounts.address,
      confirmedLedger: depositAccounts.confirmedLedger,
      endedAt: projects.endedAt,
      endReason: projects.endReason,
    })
    .from(projects)
    .innerJoin(depositAccounts, eq(depositAccounts.address, projects.depositAddress))
    .where(eq(projects.id, project.id));
  if (now === undefined || now.endedAt === null) return false;
  if (asOf >= now.confirmedLedger) return true;
  const endedAtMs = now.endedAt.getTime();
  const movedIn = await ledgerOfAction(db, project.id);
  if (movedIn !== null) return movedIn <= asOf;
  const before = await closedAtMsOf(db, now.account, sql`ledger_index <= ${asOf}::bigint`, sql`desc`);
  // The payment that bought the last unit is itself an entry.
  if (now.endReason === 'sold_out') return before !== null && before >= endedAtMs;
  if (before !== null && before > endedAtMs) return true;
  const after = await closedAtMsOf(db, now.account, sql`ledger_index > ${asOf}::bigint`, sql`asc`);
  if (after !== null && after <= endedAtMs) return false;
  return (await ctx.ledger.closedAtMs(asOf)) > endedAtMs;
}

/** Where an operator's action ended the sale; null when none did. */
async function ledgerOfAction(db: Db, projectId: string): Promise<number | null> {
  const [action] = await db
    .select({ ledgerIndex: actions.ledgerIndex })
    .from(actions)
    .where(
      and(
        eq(actions.projectId, projectId),
        eq(actions.status, 'applied'),
        inArray(actions.action, ['end', 'cancel'] as const),
      ),
    );
  return action?.ledgerIndex ?? null;
}

/** Close time of the next entry of an account's feed on one side of a ledger. */
async function closedAtMsOf(db: Db, account: string, side: SQL, order: SQL): Promise<number | null> {
  const { rows } = await db.execute<{ closed_at: string | null }>(sql`
    select (extract(epoch from closed_at) * 1000)::bigint::text as closed_at from (
      (select ledger_index, closed_at from ${payments} where account = ${account} and ${side}
        order by ledger_index ${order} limit 1)
      union all
      (select ledger_index, closed_at from ${actions} where account = ${account} and closed_at is not null and ${side}
        order by ledger_index ${order} limit 1)) as entries
    order by ledger_index ${order} limit 1`);
  const [row] = rows;
  return row?.closed_at == null ? null : Number(row.closed_at);
}
