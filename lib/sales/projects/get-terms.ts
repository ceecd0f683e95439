import { and, asc, eq } from 'drizzle-orm';
import type { z } from 'zod';
import { moves, tiers } from '#drizzle/schema/sale.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { termsContract } from '../contracts.ts';
import { projectNotFound } from './get-project.ts';
import { findProject } from './project-resource.ts';
import { termsOf } from './terms.ts';

export type TermsResource = z.output<(typeof termsContract)['responses'][200]>;

/**
 * The terms as canonical JSON with their SHA-256, and the launch that anchors them on the ledger. Before a launch they
 * are what a launch now would anchor. Throws `project_not_found`.
 */
export async function getTerms(ctx: Ctx, id: string): Promise<TermsResource> {
  const row = await findProject(ctx.db, id);
  if (row === null) throw projectNotFound();
  const [launch] = await ctx.db
    .select({ txHash: moves.txHash, ledgerIndex: moves.ledgerIndex })
    .from(moves)
    .where(and(eq(moves.projectId, id), eq(moves.move, 'launch'), eq(moves.status, 'applied')));
  const published =
    launch !== undefined && row.terms !== null && row.termsHash !== null
      ? { terms: row.terms, termsHash: row.termsHash }
      : termsOf(row, await ctx.db.select().from(tiers).where(eq(tiers.projectId, id)).orderBy(asc(tiers.tier)));
  return {
    project_id: id,
    canonical: published.terms,
    sha256: published.termsHash,
    anchor:
      launch === undefined || launch.ledgerIndex === null
        ? null
        : { transaction_hash: launch.txHash, ledger_index: launch.ledgerIndex },
  };
}
