import { and, asc, eq, sql } from 'drizzle-orm';
import { payouts } from '#drizzle/schema/payouts.ts';
import { moves, projects, tiers } from '#drizzle/schema/sale.ts';
import { appendAudit } from '#lib/audit.ts';
import type { Ctx } from '#lib/ctx.ts';
import { transactionFee } from '#lib/ledger/fees.ts';
import { signerFor } from '#lib/ledger/signer.ts';
import type { SignedTransaction } from '#lib/ledger/types.ts';
import { PlatformError } from '#lib/platform/errors.ts';
import { newId } from '#lib/platform/ids.ts';
import { withLease } from '#lib/platform/lease.ts';
import type { ProjectResource } from '../contracts.ts';
import { projectNotFound } from '../get-project.ts';
import { encodeMoveMemo } from '../move-memo.ts';
import { findProject, loadProjectResources, type ProjectRow, type TierRow } from '../project-resource.ts';
import { termsOf } from '../terms.ts';
import { allowedMoves } from '../transitions.ts';
import type { Move } from '../types.ts';
import { launchFaults, readLaunchFacts, unsoldUnits } from './launch-checklist.ts';

/** Ledgers a move may wait to be included; then it has expired and can be asked for again (ledger fact 17). */
const LEDGERS_TO_LIVE = 20;
const SIGNER_LEASE_SECONDS = 20;
/** Payouts hold the signer for seconds at most. */
const SIGNER_WAIT_MS = 10_000;

interface Prepared extends SignedTransaction {
  sequence: number;
  lastLedgerSequence: number;
}

/**
 * Makes a move on the ledger: an AccountSet of the deposit account with the move in a memo. The signed blob is persisted
 * before it is submitted; the move is real only when the feed brings it. Throws `transition_not_allowed`,
 * `launch_not_ready` with every fault, `conflict` while another move is open.
 */
export async function submitMove(
  ctx: Ctx,
  input: { projectId: string; move: Move; reason: string },
): Promise<ProjectResource> {
  const row = await findProject(ctx.db, input.projectId);
  if (row === null) throw projectNotFound();
  assertAllowed(row, input.move);
  const tierRows = await ctx.db.select().from(tiers).where(eq(tiers.projectId, row.id)).orderBy(asc(tiers.tier));
  if (input.move === 'launch') await assertLaunchable(ctx, row, tierRows);
  const terms = input.move === 'launch' ? termsOf(row, tierRows) : null;

  const lease = {
    name: `signer:${row.depositAddress}`,
    holder: newId('mov', ctx.random),
    ttlSeconds: SIGNER_LEASE_SECONDS,
    waitMs: SIGNER_WAIT_MS,
  };
  const submitted = await withLease(ctx.db, lease, async () => {
    const prepared = await signMove(ctx, row, input.move, terms?.termsHash);
    await persistMove(ctx, row, input, prepared, terms);
    await submitPrepared(ctx, prepared);
  });
  if (submitted === null) {
    throw new PlatformError('conflict', 'The deposit account is busy paying out. Try again in a few seconds.', {
      headers: { 'retry-after': '5' },
    });
  }
  const updated = await findProject(ctx.db, row.id);
  const [resource] = await loadProjectResources(ctx.db, updated === null ? [] : [updated]);
  if (resource === undefined) throw projectNotFound();
  return resource;
}

function assertAllowed(row: ProjectRow, move: Move): void {
  const allowed = allowedMoves(row.status);
  if (allowed.includes(move)) return;
  const possible =
    allowed.length === 0 ? 'no move is' : `only ${allowed.join(', ')} ${allowed.length === 1 ? 'is' : 'are'}`;
  throw new PlatformError('transition_not_allowed', `The project is ${row.status}: ${possible} possible now.`);
}

async function assertLaunchable(ctx: Ctx, row: ProjectRow, tierRows: readonly TierRow[]): Promise<void> {
  if (row.endsAt !== null && row.endsAt.getTime() <= ctx.clock.nowMs()) {
    throw new PlatformError('launch_not_ready', 'ends_at lies in the past.', {
      errors: [{ field: 'ends_at', message: 'lies in the past' }],
    });
  }
  const [facts, owedElsewhere] = await Promise.all([readLaunchFacts(ctx, row), owedByDistributor(ctx, row)]);
  const errors = launchFaults(row, unsoldUnits(tierRows) + owedElsewhere, facts);
  const first = errors[0];
  if (first !== undefined) {
    throw new PlatformError('launch_not_ready', `${first.field}: ${first.message}`, { errors });
  }
}

/** Units of the same token that the same distributor owes for other running sales and for payouts not yet validated. */
async function owedByDistributor(ctx: Ctx, row: ProjectRow): Promise<bigint> {
  const sameToken = and(
    eq(projects.distributor, row.distributor),
    sql`${projects.currency} is not distinct from ${row.currency}`,
    sql`${projects.issuer} is not distinct from ${row.issuer}`,
    sql`${projects.issuanceId} is not distinct from ${row.issuanceId}`,
  );
  const scale = sql`(10::numeric ^ (${row.decimals}::int - ${projects.decimals}))`;
  const [unsold] = await ctx.db
    .select({
      units: sql<string>`coalesce(ceil(sum((${tiers.totalUnits} - ${tiers.soldUnits}) * ${scale})), 0)::bigint`,
    })
    .from(tiers)
    .innerJoin(projects, eq(projects.id, tiers.projectId))
    .where(and(sameToken, sql`${projects.status} in ('active', 'paused')`));
  const [unpaid] = await ctx.db
    .select({ units: sql<string>`coalesce(ceil(sum(${payouts.amount} * ${scale})), 0)::bigint` })
    .from(payouts)
    .innerJoin(projects, eq(projects.id, payouts.projectId))
    .where(and(sameToken, eq(payouts.kind, 'distribution'), sql`${payouts.status} <> 'validated'`));
  return BigInt(unsold?.units ?? 0) + BigInt(unpaid?.units ?? 0);
}

async function signMove(ctx: Ctx, row: ProjectRow, move: Move, termsHash: string | undefined): Promise<Prepared> {
  const [signer, server, sequence] = await Promise.all([
    signerFor(row.depositAddress),
    ctx.ledger.serverState(),
    ctx.ledger.nextSequence(row.depositAddress),
  ]);
  const lastLedgerSequence = server.validatedIndex + LEDGERS_TO_LIVE;
  const signed = await signer.sign({
    TransactionType: 'AccountSet',
    Account: row.depositAddress,
    Fee: transactionFee(server).toString(),
    Sequence: sequence,
    LastLedgerSequence: lastLedgerSequence,
    Memos: [
      encodeMoveMemo({ v: 1, project: row.id, move, ...(termsHash === undefined ? {} : { terms_hash: termsHash }) }),
    ],
  });
  return { ...signed, sequence, lastLedgerSequence };
}

async function persistMove(
  ctx: Ctx,
  row: ProjectRow,
  input: { move: Move; reason: string },
  prepared: Prepared,
  terms: { terms: string; termsHash: string } | null,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const [current] = await tx.select().from(projects).where(eq(projects.id, row.id)).for('update');
    if (current === undefined) throw projectNotFound();
    assertAllowed(current, input.move);
    const [inserted] = await tx
      .insert(moves)
      .values({
        txHash: prepared.hash,
        account: row.depositAddress,
        projectId: row.id,
        move: input.move,
        termsHash: terms?.termsHash ?? null,
        status: 'submitted',
        txBlob: prepared.blob,
        sequence: prepared.sequence,
        lastLedgerSequence: prepared.lastLedgerSequence,
      })
      .onConflictDoNothing()
      .returning({ txHash: moves.txHash });
    if (inserted === undefined) {
      throw new PlatformError('conflict', 'Another move of this project is waiting for the ledger.');
    }
    if (terms !== null) await tx.update(projects).set(terms).where(eq(projects.id, row.id));
    await appendAudit(tx, ctx, {
      action: `project.${input.move}`,
      subject: row.id,
      reason: input.reason,
      before: { status: current.status },
      after: { transaction_hash: prepared.hash, terms_hash: terms?.termsHash ?? null },
    });
  });
}

/** A failed submission is no failure: the blob is persisted, and every run of process-payments submits it again until it is seen or has expired. */
async function submitPrepared(ctx: Ctx, prepared: SignedTransaction): Promise<void> {
  try {
    const result = await ctx.ledger.submit(prepared.blob);
    ctx.log.info({ transaction_hash: prepared.hash, engine_result: result.engineResult }, 'move submitted');
  } catch (cause) {
    ctx.log.warn({ err: cause, transaction_hash: prepared.hash }, 'move not submitted yet');
  }
}

/** Submits our open moves of an account again; harmless when they are in already (ledger fact 29). */
export async function resubmitMoves(ctx: Ctx, account: string): Promise<void> {
  const open = await ctx.db
    .select({ hash: moves.txHash, blob: moves.txBlob })
    .from(moves)
    .where(and(eq(moves.account, account), eq(moves.status, 'submitted')));
  for (const move of open) {
    if (move.blob !== null) await submitPrepared(ctx, { hash: move.hash, blob: move.blob });
  }
}
