import { encodeProgress, readProgress } from '@tranche/verifier/progress.ts';
import { reportOf, type VerificationReport } from '@tranche/verifier/report.ts';
import { verifySale } from '@tranche/verifier/verify-sale.ts';
import { and, eq } from 'drizzle-orm';
import { z } from 'zod';
import { verifications } from '#drizzle/schema/verifications.ts';
import type { Ctx } from '#lib/ctx.ts';
import { appendEvents } from '#lib/events/append.ts';
import { alertEvent } from '#lib/events/envelope.ts';
import { platformError } from '#lib/xrpl/fault.ts';
import { databaseSource } from './database-source.ts';

/** How `verifications.progress` holds it: JSON in JSON, because of numbers that JSON has no form for. */
const kept = z.object({ packed: z.string() });

/**
 * One slice of a run of the platform's own: verifies until `deadlineMs` (of ctx.clock) or while `stillMine`, and writes where
 * it stands or what it found. A difference raises `system.alert` in the transaction of the verdict. True when the run goes
 * on. Throws what the ledger throws; the run then stands where its last slice left it.
 */
export async function runVerificationSlice(
  ctx: Ctx,
  input: { id: string; deadlineMs: number; stillMine: () => Promise<boolean> },
): Promise<{ goesOn: boolean; deliveries: number }> {
  const [row] = await ctx.db.select().from(verifications).where(eq(verifications.id, input.id));
  if (row === undefined || row.status !== 'running') return { goesOn: false, deliveries: 0 };
  const { progress, inputs } = await verifySale({
    source: databaseSource(ctx),
    ledger: ctx.ledger,
    projectId: row.projectId,
    asOf: row.asOfLedger,
    progress: row.progress === null ? null : readProgress(kept.parse(row.progress).packed, row.projectId),
    pageDone: async () => ctx.clock.nowMs() < input.deadlineMs && (await input.stillMine()),
  }).catch((error: unknown) => {
    throw platformError(error);
  });
  const { counts, differencesTotal: differences } = progress.findings;
  const figures = { payments: counts.payments, payouts: counts.payouts, differences };
  if (progress.phase !== 'done') {
    await ctx.db
      .update(verifications)
      .set({ ...figures, progress: { packed: encodeProgress(row.projectId, progress) } })
      .where(and(eq(verifications.id, row.id), eq(verifications.status, 'running')));
    return { goesOn: true, deliveries: 0 };
  }
  const report = reportOf(progress, inputs);
  return {
    goesOn: false,
    deliveries: await writeVerdict(ctx, { id: row.id, account: inputs.account.address }, report, figures),
  };
}

async function writeVerdict(
  ctx: Ctx,
  { id, account }: { id: string; account: string },
  report: VerificationReport,
  figures: Pick<typeof verifications.$inferInsert, 'payments' | 'payouts' | 'differences'>,
): Promise<number> {
  const endedAt = new Date(ctx.clock.nowMs());
  return ctx.db.transaction(async (tx) => {
    const ended = await tx
      .update(verifications)
      .set({ ...figures, status: report.verdict, report, progress: null, endedAt })
      .where(and(eq(verifications.id, id), eq(verifications.status, 'running')))
      .returning({ id: verifications.id });
    if (ended.length === 0 || report.verdict !== 'differs') return 0;
    const alert = verificationFailed(id, account, report, endedAt);
    ctx.log.error({ kind: alert.data.kind, details: alert.data.details }, alert.data.message);
    return appendEvents(tx, [alert]);
  });
}

const verificationFailed = (id: string, account: string, report: VerificationReport, at: Date) =>
  alertEvent(id, at.getTime(), {
    kind: 'verification_failed',
    message: `What is published of ${report.project_id} does not follow from the ledger: ${report.differences_total} differences up to ledger ${report.as_of_ledger}, the first: ${report.differences[0]?.message}. Look at GET /api/projects/${report.project_id}/verification, and halt the account until each is explained.`,
    details: {
      account,
      project_id: report.project_id,
      verification_id: id,
      as_of_ledger: report.as_of_ledger,
      differences: report.differences_total,
    },
    raised_at: at.toISOString(),
  });
