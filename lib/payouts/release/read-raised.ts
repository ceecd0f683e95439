import { and, eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { payouts } from '#drizzle/schema/payouts.ts';
import { investments, moves, payments, projects } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Drops } from '#lib/base/money.ts';
import { sha256Hex } from '#lib/base/secretbox.ts';
import { paidForDrops } from './paid-for.ts';

type ProjectRow = typeof projects.$inferSelect;

/** What a project has raised and what of it has been released. */
export interface Raised extends Pick<ProjectRow, 'id' | 'status' | 'distribution' | 'depositAddress'> {
  /** From the anchored terms; null while none are, or when they name none. */
  treasury: string | null;
  /** Invested now: less what a cancelled sale has given back. */
  investedDrops: Drops;
  /** Of it, what validated tokens were paid with. */
  paidForDrops: Drops;
  /** On the treasury, or on its way there. */
  releasedDrops: Drops;
}

/** Throws `project_not_found`. */
export async function readRaised(db: Db, projectId: string): Promise<Raised> {
  const [project] = await db.select().from(projects).where(eq(projects.id, projectId));
  if (project === undefined) throw new PlatformError('project_not_found', 'There is no such project.');
  const [treasury, sums] = [await anchoredTreasury(db, project), await readSums(db, projectId)];
  const { id, status, distribution, depositAddress } = project;
  return { id, status, distribution, depositAddress, treasury, ...sums };
}

const treasuryTerm = z.object({ treasury: z.string().nullable() });

/** The column may change with the database; what the launch anchored on the ledger may not. */
async function anchoredTreasury(db: Db, { id, terms }: ProjectRow): Promise<string | null> {
  if (terms === null) return null;
  const [launch] = await db
    .select({ termsHash: moves.termsHash })
    .from(moves)
    .where(and(eq(moves.projectId, id), eq(moves.move, 'launch'), eq(moves.status, 'applied')));
  if (launch === undefined) return null;
  if (launch.termsHash !== sha256Hex(terms))
    throw new Error(`The terms of ${id} are not those that its launch anchored`);
  return treasuryTerm.parse(JSON.parse(terms)).treasury;
}

async function readSums(
  db: Db,
  projectId: string,
): Promise<Pick<Raised, 'investedDrops' | 'paidForDrops' | 'releasedDrops'>> {
  const { rows } = await db.execute<Record<'invested' | 'paid_for' | 'released', string>>(sql`
    with raised as (
      select coalesce(sum(${payments.investedDrops}), 0) as invested, coalesce(sum(${paidForDrops()}), 0) as paid_for
      from ${investments} join ${payments} on ${payments.txHash} = ${investments.txHash}
      where ${investments.projectId} = ${projectId} and ${investments.status} = 'confirmed'
    )
    select raised.*, (select coalesce(sum(${payouts.amount}), 0) from ${payouts}
      where ${payouts.kind} = 'release' and ${payouts.projectId} = ${projectId}
        and ${payouts.status} <> 'cancelled') as released
    from raised`);
  const [row] = rows;
  return {
    investedDrops: BigInt(row?.invested ?? 0),
    paidForDrops: BigInt(row?.paid_for ?? 0),
    releasedDrops: BigInt(row?.released ?? 0),
  };
}
