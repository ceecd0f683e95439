import { type CredentialsRead, CredentialUnknown } from '@tranche/rules/credentials.ts';
import { signersOf } from '@tranche/rules/custody.ts';
import { reduceAll } from '@tranche/rules/reduce.ts';
import type { SaleAction, SalePayment, SaleState } from '@tranche/rules/types.ts';
import { eq } from 'drizzle-orm';
import { depositAccounts } from '#drizzle/schema/sale.ts';
import type { Db, Tx } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import { submitAction } from '../actions/submit-action.ts';
import { loadSenderState } from '../feed/load-sender-state.ts';
import { loadAccount, loadPending } from '../feed/load-state.ts';
import { presentCredentials } from '../feed/read-credentials.ts';
import { findProject } from '../projects/project-resource.ts';
import type { ProjectResource } from '../schemas.ts';
import { findPayment, lockPayment } from './payment-resource.ts';
import { loadPreconditions, whyNotAssignable } from './preconditions.ts';

/**
 * Credits a payment that is held whole to a project, as an exception that stands on the ledger: the action counts when the
 * feed brings it, by the rules of its own place, and changes nothing when they refuse it there. Gives the project with
 * its pending action. Throws `not_found`, `project_not_found`, `transition_not_allowed`, `conflict` with what is in the way.
 */
export async function assignPayment(
  ctx: Ctx,
  input: { transactionHash: string; projectId: string; reason: string },
): Promise<ProjectResource> {
  const payment = await findPayment(ctx.db, input.transactionHash);
  const project = await findProject(ctx.db, input.projectId);
  if (payment.account !== project.depositAddress) {
    throw new PlatformError(
      'conflict',
      `The payment is on ${payment.account}, and the project receives on ${project.depositAddress}. Refund it instead.`,
    );
  }
  const assign = { account: payment.account, projectId: project.id, paymentHash: payment.txHash };
  // Outside of the transaction: the ledger may be asked.
  const present = await readPresent(ctx, assign);
  return submitAction(ctx, {
    projectId: project.id,
    action: 'assign',
    paymentHash: payment.txHash,
    reason: input.reason,
    inTransaction: (tx) => assertAssignable(ctx, tx, assign, present),
  });
}

interface Assign {
  account: string;
  projectId: string;
  paymentHash: string;
}

/** Where the action would stand, and the credentials that its effect depends on. */
interface Present {
  ledgerIndex: number;
  credentials: CredentialsRead;
}

async function readPresent(ctx: Ctx, assign: Assign): Promise<Present> {
  const { state, run, ledgerIndex } = await loadRun(ctx.db, assign, ctx.clock.nowMs());
  return { ledgerIndex, credentials: await presentCredentials(ctx, state, run) };
}

async function assertAssignable(ctx: Ctx, tx: Tx, assign: Assign, present: Present): Promise<void> {
  const { paymentHash: transactionHash } = assign;
  const payment = await lockPayment(tx, transactionHash);
  const [account] = await tx
    .select({ halted: depositAccounts.halted })
    .from(depositAccounts)
    .where(eq(depositAccounts.address, payment.account));
  if (account?.halted !== false) {
    throw new PlatformError(
      'conflict',
      'The deposit account is halted: its feed is not read, so the effect of the assign cannot be computed. Resume it first.',
    );
  }
  const preconditions = (await loadPreconditions(tx, [transactionHash]))(transactionHash);
  const obstacle = whyNotAssignable(payment, preconditions);
  if (obstacle !== null) throw new PlatformError('conflict', obstacle);
  const refusal = await assignRefusal(tx, assign, ctx.clock.nowMs(), present);
  if (refusal !== null) throw new PlatformError('conflict', `The assign would have no effect now: ${refusal}.`);
}

/**
 * Why an `assign` would have no effect if the ledger brought it now, or null: asked of the rule book itself, with
 * everything counted that has been seen. What arrives before the action may still change the answer.
 */
async function assignRefusal(
  db: Db,
  assign: Assign,
  nowMs: number,
  { ledgerIndex, credentials }: Present,
): Promise<string | null> {
  const { state, run, action } = await loadRun(db, assign, nowMs, ledgerIndex);
  try {
    const { effects } = reduceAll({ ...state, credentials }, run);
    const refused = effects.find((effect) => effect.type === 'action_without_effect' && effect.action === action);
    return refused?.type === 'action_without_effect' ? refused.detail : null;
  } catch (error) {
    if (!(error instanceof CredentialUnknown)) throw error;
    throw new PlatformError('conflict', 'Payments came meanwhile. Try again.');
  }
}

/** The account as it stands, and what is reduced: all that is pending, and the action after it. */
async function loadRun(
  db: Db,
  assign: Assign,
  nowMs: number,
  ledgerIndex?: number,
): Promise<{ state: SaleState; run: (SalePayment | SaleAction)[]; action: SaleAction; ledgerIndex: number }> {
  const { account, state, rows } = await loadAccount(db, assign.account, {
    entries: [{ kind: 'action', projectId: assign.projectId }],
  });
  const custody = rows.get(assign.projectId)?.custody ?? null;
  const { entries } = await loadPending(db, assign.account, account.cursorLedger);
  const action: SaleAction = {
    kind: 'action',
    hash: 'dry run',
    ledgerIndex: ledgerIndex ?? account.cursorLedger + 1,
    transactionIndex: 0,
    closedAtMs: nowMs,
    projectId: assign.projectId,
    action: 'assign',
    termsHash: null,
    listHash: null,
    paymentHash: assign.paymentHash,
    signers: custody === null ? [] : signersOf(custody),
  };
  const run = [...entries, action];
  return { state: await loadSenderState(db, state, run), run, action, ledgerIndex: action.ledgerIndex };
}
