import { verificationReport } from '@tranche/verifier/report.ts';
import { and, desc, eq, ne } from 'drizzle-orm';
import type { z } from 'zod';
import { actions, lists } from '#drizzle/schema/sale.ts';
import { verifications } from '#drizzle/schema/verifications.ts';
import type { Db } from '#lib/base/db.ts';
import { env } from '#lib/base/env.ts';
import type { Ctx } from '#lib/ctx.ts';
import { findProject } from '../projects/project-resource.ts';
import type { verificationContract } from './contracts.ts';
import { readAccount } from './read-account.ts';

export type VerificationSummary = z.output<(typeof verificationContract)['responses'][200]>;

/** All that a page about the proof of a sale needs. Throws `project_not_found`. */
export async function getVerification(ctx: Ctx, id: string): Promise<VerificationSummary> {
  const project = await findProject(ctx.db, id);
  const [account, anchors, last, running] = await Promise.all([
    readAccount(ctx.db, project.depositAddress),
    readAnchors(ctx.db, id),
    readLastRun(ctx.db, id),
    ctx.db.$count(verifications, and(eq(verifications.projectId, id), eq(verifications.status, 'running'))),
  ]);
  return {
    project_id: id,
    deposit_account: account,
    anchors,
    command: `npx tranche verify --base-url ${new URL(env().BASE_URL).origin} --project ${id} --ledger ${localLedgerUrl() ?? 'wss://<an XRP Ledger server>'}`,
    running: running > 0,
    last_run: last,
  };
}

/** The ledger server of a sandbox. The platform's own may have a key in its address: only one on this very machine is shown. */
export function localLedgerUrl(): string | null {
  const [first] = env().XRPL_URLS;
  const isLocal = first !== undefined && ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(first).hostname);
  return isLocal ? first : null;
}

async function readAnchors(db: Db, projectId: string): Promise<VerificationSummary['anchors']> {
  const rows = await db
    .select({ action: actions, listId: lists.id })
    .from(actions)
    .leftJoin(lists, and(eq(lists.projectId, actions.projectId), eq(lists.hash, actions.listHash)))
    .where(and(eq(actions.projectId, projectId), eq(actions.status, 'applied')))
    .orderBy(actions.ledgerIndex, actions.transactionIndex);
  const launch = rows.find(({ action }) => action.action === 'launch')?.action;
  return {
    launch:
      launch === undefined || launch.ledgerIndex === null || launch.termsHash === null
        ? null
        : { transaction_hash: launch.txHash, ledger_index: launch.ledgerIndex, terms_hash: launch.termsHash },
    lists: rows.flatMap(({ action, listId }) =>
      action.action !== 'list' || action.ledgerIndex === null || action.closedAt === null || listId === null
        ? []
        : {
            transaction_hash: action.txHash,
            ledger_index: action.ledgerIndex,
            list_id: listId,
            list_hash: action.listHash ?? '',
            applied_at: action.closedAt.toISOString(),
          },
    ),
  };
}

async function readLastRun(db: Db, projectId: string): Promise<VerificationSummary['last_run']> {
  const [row] = await db
    .select()
    .from(verifications)
    .where(and(eq(verifications.projectId, projectId), ne(verifications.status, 'running')))
    .orderBy(desc(verifications.startedAt))
    .limit(1);
  if (row === undefined || row.status === 'running' || row.endedAt === null) return null;
  return {
    id: row.id,
    as_of_ledger: row.asOfLedger,
    verdict: row.status,
    payments: row.payments,
    payouts: row.payouts,
    differences: row.differences,
    started_at: row.startedAt.toISOString(),
    ended_at: row.endedAt.toISOString(),
    report: verificationReport.parse(row.report),
  };
}
