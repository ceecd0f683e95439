import { encodeMoveMemo, type MoveMemo } from '@tranche/rules/move-memo.ts';
import { allowedMoves, type Move } from '@tranche/rules/types.ts';
import { and, eq, gt, inArray, isNull, lt, or } from 'drizzle-orm';
import { moves, projects } from '#drizzle/schema/sale.ts';
import { appendAudit } from '#lib/audit.ts';
import type { Tx } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import { withLease } from '#lib/base/lease.ts';
import type { Ctx } from '#lib/ctx.ts';
import { nextSequence } from '#lib/next-sequence.ts';
import { transactionFee } from '#lib/xrpl/fees.ts';
import { signerFor } from '#lib/xrpl/signer.ts';
import { LEDGERS_TO_LIVE } from '#lib/xrpl/transactions.ts';
import type { SignedTransaction } from '#lib/xrpl/types.ts';
import { getProject } from '../projects/get-project.ts';
import { findProject, lockProject, type ProjectRow } from '../projects/project-resource.ts';
import type { ProjectResource } from '../schemas.ts';
import { assertLaunchable, type Launch, lockPurse, readLaunch } from './launch-readiness.ts';

const SIGNER_LEASE_SECONDS = 20;
/** A slice of payouts may hold the signer for its whole budget, and a pause must not fail for that. */
const SIGNER_WAIT_MS = 30_000;

/** What an operator asks for. */
interface MoveRequest {
  projectId: string;
  move: Move;
  reason: string;
  /** With `list`: the version to put in force. */
  listHash?: string;
  /** With `assign`: the held payment to credit. */
  paymentHash?: string;
  /** Checks and writes that stand or fall with the move's own row, under the deposit account's lock. */
  inTransaction?: (tx: Tx, project: ProjectRow) => Promise<void>;
}

interface Prepared extends SignedTransaction {
  sequence: number;
  lastLedgerSequence: number;
}

/**
 * Makes a move on the ledger: an AccountSet of the deposit account with the move in a memo. The signed blob is persisted
 * before it is submitted; the move is real only when the feed brings it. Throws `transition_not_allowed`,
 * `launch_not_ready` with every fault, `conflict` while another move is open.
 */
export async function submitMove(ctx: Ctx, input: MoveRequest): Promise<ProjectResource> {
  const row = await findProject(ctx.db, input.projectId);
  assertAllowed(row, input.move);
  const launch = input.move === 'launch' ? await readLaunch(ctx, row) : null;
  // Told early and whole; what may change meanwhile is asked again when the move is persisted.
  if (launch !== null) await assertLaunchable(ctx.db, ctx.clock.nowMs(), row, launch);

  const lease = {
    name: `signer:${row.depositAddress}`,
    holder: newId('mov', ctx.random),
    ttlSeconds: SIGNER_LEASE_SECONDS,
    waitMs: SIGNER_WAIT_MS,
  };
  const submitted = await withLease(ctx.db, lease, async (stillMine) => {
    const { validatedIndex } = await ctx.ledger.serverState();
    await resubmitMoves(ctx, row.depositAddress, validatedIndex);
    const prepared = await signMove(ctx, row, {
      v: 1,
      project: row.id,
      move: input.move,
      ...(launch === null ? {} : { terms_hash: launch.termsHash }),
      ...(input.listHash === undefined ? {} : { list_hash: input.listHash }),
      ...(input.paymentHash === undefined ? {} : { payment: input.paymentHash }),
    });
    // Signing asks the ledger and may take its time: whoever lost the lease meanwhile must not use the sequence.
    if (!(await stillMine())) throw signerBusy();
    await persistMove(ctx, row, input, prepared, launch);
    await submitPrepared(ctx, prepared, validatedIndex);
  });
  if (submitted === null) throw signerBusy();
  return getProject(ctx, row.id);
}

const signerBusy = (): PlatformError =>
  new PlatformError('conflict', 'The deposit account is busy paying out. Try again in a few seconds.', {
    headers: { 'retry-after': '5' },
  });

/** What moves need that are asked for by other doors than the project's own. */
const NEEDS: Partial<Record<Move, string>> = {
  assign: 'an active sale',
  list: 'a draft, or a sale that is not over',
};

function assertAllowed(row: ProjectRow, move: Move): void {
  const possibleMoves = allowedMoves(row.status);
  if (possibleMoves.includes(move)) return;
  const needed = NEEDS[move];
  if (needed !== undefined) throw notAllowed(row, `${move} needs ${needed}`);
  const allowed = possibleMoves.filter((each) => each !== 'list' && each !== 'assign');
  const possible =
    allowed.length === 0 ? 'no move is' : `only ${allowed.join(', ')} ${allowed.length === 1 ? 'is' : 'are'}`;
  throw notAllowed(row, `${possible} possible now`);
}

const notAllowed = (row: ProjectRow, why: string): PlatformError =>
  new PlatformError('transition_not_allowed', `The project is ${row.status}: ${why}.`);

async function signMove(ctx: Ctx, row: ProjectRow, memo: MoveMemo): Promise<Prepared> {
  const [account, server, sequence] = await Promise.all([
    ctx.ledger.account(row.depositAddress),
    ctx.ledger.serverState(),
    nextSequence(ctx, row.depositAddress),
  ]);
  if (account === null) {
    throw new PlatformError('service_unavailable', `Account ${row.depositAddress} does not exist on the ledger`);
  }
  const signer = await signerFor(account);
  const lastLedgerSequence = server.validatedIndex + LEDGERS_TO_LIVE;
  const signed = await signer.sign({
    TransactionType: 'AccountSet',
    Account: row.depositAddress,
    Fee: transactionFee(server).toString(),
    Sequence: sequence,
    LastLedgerSequence: lastLedgerSequence,
    Memos: [encodeMoveMemo(memo)],
  });
  return { ...signed, sequence, lastLedgerSequence };
}

async function persistMove(
  ctx: Ctx,
  row: ProjectRow,
  input: MoveRequest,
  prepared: Prepared,
  launch: Launch | null,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const current = await lockProject(tx, row);
    assertAllowed(current, input.move);
    if (launch !== null) {
      await lockPurse(tx, row);
      await assertLaunchable(tx, ctx.clock.nowMs(), current, launch);
    }
    const [open] = await tx
      .select({ txHash: moves.txHash })
      .from(moves)
      .where(and(eq(moves.projectId, row.id), inArray(moves.status, ['submitted', 'seen'])));
    if (open !== undefined) throw moveIsOpen();
    await input.inTransaction?.(tx, current);
    const [inserted] = await tx
      .insert(moves)
      .values({
        txHash: prepared.hash,
        account: row.depositAddress,
        projectId: row.id,
        move: input.move,
        termsHash: launch?.termsHash ?? null,
        listHash: input.listHash ?? null,
        paymentHash: input.paymentHash ?? null,
        status: 'submitted',
        txBlob: prepared.blob,
        sequence: prepared.sequence,
        lastLedgerSequence: prepared.lastLedgerSequence,
      })
      .onConflictDoNothing()
      .returning({ txHash: moves.txHash });
    if (inserted === undefined) throw moveIsOpen();
    if (launch !== null) {
      const { terms, termsHash } = launch;
      await tx.update(projects).set({ terms, termsHash }).where(eq(projects.id, row.id));
    }
    await appendAudit(tx, ctx, {
      action: `project.${input.move}`,
      subject: row.id,
      reason: input.reason,
      before: { status: current.status },
      after: {
        transaction_hash: prepared.hash,
        ...(launch === null ? {} : { terms_hash: launch.termsHash }),
        ...(input.listHash === undefined ? {} : { list_hash: input.listHash }),
        ...(input.paymentHash === undefined ? {} : { payment: input.paymentHash }),
      },
    });
  });
}

const moveIsOpen = (): PlatformError =>
  new PlatformError('conflict', 'Another move of this project is waiting for the ledger.');

/**
 * A failed submission is no failure: the blob is persisted, and process-payments submits it again until it is seen or has
 * expired. `validatedLedger` is the newest that is known.
 */
async function submitPrepared(ctx: Ctx, prepared: SignedTransaction, validatedLedger: number): Promise<void> {
  try {
    const result = await ctx.ledger.submit(prepared.blob);
    ctx.log.info({ transaction_hash: prepared.hash, engine_result: result.engineResult }, 'move submitted');
    await ctx.db.update(moves).set({ submittedLedger: validatedLedger }).where(eq(moves.txHash, prepared.hash));
  } catch (cause) {
    ctx.log.warn({ err: cause, transaction_hash: prepared.hash }, 'move not submitted yet');
  }
}

/**
 * Submits our open moves of an account again; harmless when they are in already (docs/ledger-facts.md, 29). Once a
 * validated ledger: while the ledger stands still a server that has answered would only say the same.
 */
export async function resubmitMoves(ctx: Ctx, account: string, validatedLedger: number): Promise<void> {
  const open = await ctx.db
    .select({ hash: moves.txHash, blob: moves.txBlob })
    .from(moves)
    .where(
      and(
        eq(moves.account, account),
        eq(moves.status, 'submitted'),
        gt(moves.lastLedgerSequence, validatedLedger),
        or(isNull(moves.submittedLedger), lt(moves.submittedLedger, validatedLedger)),
      ),
    );
  for (const move of open) {
    if (move.blob !== null) await submitPrepared(ctx, { hash: move.hash, blob: move.blob }, validatedLedger);
  }
}
