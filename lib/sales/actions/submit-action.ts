import type { ActionMemo } from '@tranche/rules/action-memo.ts';
import { actionTransaction } from '@tranche/rules/transactions.ts';
import { type Action, allowedActions } from '@tranche/rules/types.ts';
import { and, eq, gt, inArray, isNull, lt, or } from 'drizzle-orm';
import { actions, type ProjectRow, projects } from '#drizzle/schema/sale.ts';
import { accountCustody } from '#lib/account-custody.ts';
import { appendAudit, wasLastByAdministrator } from '#lib/audit.ts';
import type { Db, Tx } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import { withLease } from '#lib/base/lease.ts';
import type { Ctx } from '#lib/ctx.ts';
import { nextSequence } from '#lib/next-sequence.ts';
import { ticketForAssign, ticketNotYet, waitForTicket } from '#lib/payouts/ticket-for-assign.ts';
import { type Approval, assertMayActAlone } from '#lib/two-person.ts';
import { transactionFee } from '#lib/xrpl/server-state.ts';
import { signerFor, signOne } from '#lib/xrpl/signer.ts';
import type { SignedTransaction } from '#lib/xrpl/types.ts';
import { getProject } from '../projects/get-project.ts';
import { findProject, lockProject } from '../projects/project-resource.ts';
import type { ProjectResource } from '../schemas.ts';
import { assertLaunchable, type Launch, lockDistributor, readLaunch } from './launch-readiness.ts';

const SIGNER_LEASE_SECONDS = 20;
/** A slice of payouts may hold the signer for its whole budget, and a pause must not fail for that. */
const SIGNER_WAIT_MS = 30_000;

/** What an operator asks for. */
interface ActionRequest {
  projectId: string;
  action: Action;
  reason: string;
  /** With `list`: the version to put in force. */
  listHash?: string;
  /** With `assign`: the held payment to credit. */
  paymentHash?: string;
  /** Checks and writes that stand or fall with the action's own row, under the deposit account's lock. */
  inTransaction?: (tx: Tx, project: ProjectRow) => Promise<void>;
  /** With `launch`: the approval that it carries out. */
  approval?: Approval<{ termsHash: string; transactionHash: string }>;
}

interface Prepared extends SignedTransaction {
  /** Or its ticket. */
  sequence: number;
  lastLedgerSequence: number;
}

/**
 * Submits an action to the ledger: an AccountSet of the deposit account with the action in a memo. The signed blob is persisted
 * before it is submitted; the action is real only when the feed brings it. Throws `approval_required`, `transition_not_allowed`,
 * `launch_not_ready` with every fault, `conflict` while another action is open.
 */
export async function submitAction(ctx: Ctx, input: ActionRequest): Promise<ProjectResource> {
  const row = await findProject(ctx.db, input.projectId);
  if (input.approval === undefined) assertMayActAlone(ctx.actor, input.action);
  assertActionAllowed(row, input.action);
  await assertNotStopped(ctx.db, ctx, row, input.action);
  const launch = input.action === 'launch' ? await readLaunch(ctx, row) : null;
  // Told early and whole; what may change meanwhile is asked again when the action is persisted.
  if (launch !== null) await assertLaunchable(ctx.db, ctx.clock.nowMs(), row, launch);

  const lease = {
    name: `signer:${row.depositAddress}`,
    holder: newId('mov', ctx.random),
    ttlSeconds: SIGNER_LEASE_SECONDS,
    waitMs: SIGNER_WAIT_MS,
  };
  /** Gives the ticket to wait for where it is still being created; nothing is signed then. */
  const submit = async (): Promise<{ awaited: number } | null> => {
    const submitted = await withLease(ctx.db, lease, async (stillMine) => {
      const { validatedIndex } = await ctx.ledger.serverState();
      await resubmitActions(ctx, row.depositAddress, validatedIndex);
      const memo: ActionMemo = {
        v: 1,
        project: row.id,
        move: input.action,
        ...(launch === null ? {} : { terms_hash: launch.termsHash }),
        ...(input.listHash === undefined ? {} : { list_hash: input.listHash }),
        ...(input.paymentHash === undefined ? {} : { payment: input.paymentHash }),
      };
      const prepared = await signAction(ctx, row, input, memo, stillMine);
      if ('awaited' in prepared) return prepared;
      // Signing asks the ledger and may take its time: a process that lost the lease meanwhile must not use the sequence.
      if (!(await stillMine())) throw signerBusy();
      await persistAction(ctx, row, input, prepared, launch);
      await submitPrepared(ctx, prepared, validatedIndex);
      return null;
    });
    if (submitted === null) throw signerBusy();
    return submitted.done;
  };
  const first = await submit();
  if (first !== null) {
    await waitForTicket(ctx, row.depositAddress, first.awaited);
    if ((await submit()) !== null) throw ticketNotYet();
  }
  return getProject(ctx, row.id);
}

const signerBusy = (): PlatformError =>
  new PlatformError('conflict', 'The deposit account is busy paying out. Try again in a few seconds.', {
    headers: { 'retry-after': '5' },
  });

/** What actions need that are asked for by other doors than the project's own. */
const NEEDS: Partial<Record<Action, string>> = {
  assign: 'an active sale',
  list: 'a draft, or a sale that is not over',
};

/** Throws `transition_not_allowed` when the project is in no state for the action. */
export function assertActionAllowed(row: ProjectRow, action: Action): void {
  const possibleActions = allowedActions(row.status);
  if (possibleActions.includes(action)) return;
  const needed = NEEDS[action];
  if (needed !== undefined) throw notAllowed(row, `${action} needs ${needed}`);
  const allowed = possibleActions.filter((each) => each !== 'list' && each !== 'assign');
  const possible =
    allowed.length === 0 ? 'no action is' : `only ${allowed.join(', ')} ${allowed.length === 1 ? 'is' : 'are'}`;
  throw notAllowed(row, `${possible} possible now`);
}

/** A pause by an administrator is no owner's to end. Throws `forbidden`. */
async function assertNotStopped(db: Db, { actor }: Ctx, row: ProjectRow, action: Action): Promise<void> {
  if (actor.kind !== 'member' || row.status !== 'paused' || action === 'list') return;
  const pause = { tenantId: actor.tenantId, subject: row.id, action: 'project.pause' };
  if (!(await wasLastByAdministrator(db, pause))) return;
  throw new PlatformError(
    'forbidden',
    'An administrator paused this sale: only an administrator can resume or end it. The audit says why.',
  );
}

const notAllowed = (row: ProjectRow, why: string): PlatformError =>
  new PlatformError('transition_not_allowed', `The project is ${row.status}: ${why}.`);

async function signAction(
  ctx: Ctx,
  row: ProjectRow,
  input: ActionRequest,
  memo: ActionMemo,
  keepLease: () => Promise<boolean>,
): Promise<Prepared | { awaited: number }> {
  const account = await ctx.ledger.account(row.depositAddress);
  if (account === null) {
    throw new PlatformError('service_unavailable', `Account ${row.depositAddress} does not exist on the ledger`);
  }
  const signer = await signerFor(account, await accountCustody(ctx.db, row.depositAddress));
  let place: { ticket: number } | { sequence: number };
  if (signer.isWitnessed && input.paymentHash !== undefined) {
    // No ticket for what would be refused afterwards.
    await ctx.db.transaction(async (tx) => input.inTransaction?.(tx, row));
    const found = await ticketForAssign(ctx, { account, signer, paymentHash: input.paymentHash, keepLease });
    if ('awaited' in found) return found;
    place = found;
  } else place = { sequence: await nextSequence(ctx, row.depositAddress) };
  const server = await ctx.ledger.serverState();
  const lastLedgerSequence = server.validatedIndex + signer.ledgersToLive;
  const feeDrops = transactionFee(server, signer.signatures);
  const signed = await signOne(signer, {
    transaction: actionTransaction(row.depositAddress, memo, { feeDrops, lastLedgerSequence, ...place }),
    candidate: {
      kind: 'action',
      memo,
      ...place,
      fee_drops: feeDrops.toString(),
      last_ledger_sequence: lastLedgerSequence,
    },
  });
  return { ...signed, sequence: 'ticket' in place ? place.ticket : place.sequence, lastLedgerSequence };
}

async function persistAction(
  ctx: Ctx,
  row: ProjectRow,
  input: ActionRequest,
  prepared: Prepared,
  launch: Launch | null,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const current = await lockProject(tx, row);
    assertActionAllowed(current, input.action);
    await assertNotStopped(tx, ctx, current, input.action);
    if (launch !== null) {
      await lockDistributor(tx, row);
      await assertLaunchable(tx, ctx.clock.nowMs(), current, launch);
    }
    const [open] = await tx
      .select({ txHash: actions.txHash })
      .from(actions)
      .where(and(eq(actions.projectId, row.id), inArray(actions.status, ['submitted', 'seen'])));
    if (open !== undefined) throw actionIsOpen();
    await input.inTransaction?.(tx, current);
    if (launch !== null) {
      await input.approval?.close(tx, { termsHash: launch.termsHash, transactionHash: prepared.hash });
    }
    const [inserted] = await tx
      .insert(actions)
      .values({
        txHash: prepared.hash,
        account: row.depositAddress,
        projectId: row.id,
        action: input.action,
        termsHash: launch?.termsHash ?? null,
        listHash: input.listHash ?? null,
        paymentHash: input.paymentHash ?? null,
        status: 'submitted',
        txBlob: prepared.blob,
        sequence: prepared.sequence,
        lastLedgerSequence: prepared.lastLedgerSequence,
      })
      .onConflictDoNothing()
      .returning({ txHash: actions.txHash });
    if (inserted === undefined) throw actionIsOpen();
    if (launch !== null) {
      const { terms, termsHash } = launch;
      await tx.update(projects).set({ terms, termsHash }).where(eq(projects.id, row.id));
    }
    await appendAudit(tx, ctx, {
      action: `project.${input.action}`,
      subject: row.id,
      reason: input.reason,
      before: { status: current.status },
      after: {
        transaction_hash: prepared.hash,
        ...(launch === null ? {} : { terms_hash: launch.termsHash }),
        ...(input.listHash === undefined ? {} : { list_hash: input.listHash }),
        ...(input.paymentHash === undefined ? {} : { payment: input.paymentHash }),
        ...(input.approval === undefined ? {} : { approval: input.approval.id }),
      },
    });
  });
}

const actionIsOpen = (): PlatformError =>
  new PlatformError('conflict', 'Another action of this project is pending on the ledger.');

/**
 * A failed submission is no failure: the blob is persisted, and process-payments submits it again until it is seen or has
 * expired. `validatedLedger` is the newest that is known.
 */
async function submitPrepared(ctx: Ctx, prepared: SignedTransaction, validatedLedger: number): Promise<void> {
  try {
    const result = await ctx.ledger.submit(prepared.blob);
    ctx.log.info({ transaction_hash: prepared.hash, engine_result: result.engineResult }, 'action submitted');
    await ctx.db.update(actions).set({ submittedLedger: validatedLedger }).where(eq(actions.txHash, prepared.hash));
  } catch (cause) {
    ctx.log.warn({ err: cause, transaction_hash: prepared.hash }, 'action not submitted yet');
  }
}

/**
 * Submits our open actions of an account again; harmless when they are in already (docs/ledger-facts.md, 29). Once a
 * validated ledger: while the ledger stands still a server that has answered would only say the same.
 */
export async function resubmitActions(ctx: Ctx, account: string, validatedLedger: number): Promise<void> {
  const open = await ctx.db
    .select({ hash: actions.txHash, blob: actions.txBlob })
    .from(actions)
    .where(
      and(
        eq(actions.account, account),
        eq(actions.status, 'submitted'),
        gt(actions.lastLedgerSequence, validatedLedger),
        or(isNull(actions.submittedLedger), lt(actions.submittedLedger, validatedLedger)),
      ),
    );
  for (const action of open) {
    if (action.blob !== null) await submitPrepared(ctx, { hash: action.hash, blob: action.blob }, validatedLedger);
  }
}
