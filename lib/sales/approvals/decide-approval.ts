import { and, eq } from 'drizzle-orm';
import { type ApprovalRow, approvals } from '#drizzle/schema/approvals.ts';
import { members } from '#drizzle/schema/members.ts';
import { appendAudit } from '#lib/audit.ts';
import type { Tx } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Drops } from '#lib/base/money.ts';
import { formatDrops } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import { releaseRaised } from '#lib/payouts/release/release-raised.ts';
import { submitAction } from '../actions/submit-action.ts';
import {
  ASKED_BY_NO_OWNER,
  type Asked,
  isOwn,
  isRequester,
  lapseOf,
  nameFor,
  type Person,
  personOf,
} from './approval-resource.ts';
import type { ApprovalResource } from './contracts.ts';
import { findAsked, getApproval } from './list-approvals.ts';

interface Decision {
  id: string;
  reason: string;
}

/**
 * Carries out what was asked for, by its own verb and in the approver's name, with all of its checks; the request is closed in
 * the transaction of that, so that both happen or neither. Throws `not_found`, `forbidden` for who asked, `conflict` for a
 * request that is closed or has lapsed, and whatever the action throws: the request stays open then.
 */
export async function approve(ctx: Ctx, { id, reason }: Decision): Promise<ApprovalResource> {
  const asked = await findAsked(ctx.db, id);
  const approver = assertMayDecide(ctx, asked);
  await assertOpen(ctx, asked);
  const { row } = asked;
  if (row.action === 'launch') {
    await submitAction(ctx, {
      projectId: row.projectId,
      action: 'launch',
      reason,
      approval: {
        id,
        close: async (tx, { termsHash, transactionHash }) => {
          if (termsHash !== row.termsHash) throw changedMeanwhile();
          await close(ctx, tx, { row, status: 'approved', person: approver, reason, outcome: { transactionHash } });
        },
      },
    });
  } else {
    await releaseRaised(ctx, {
      projectId: row.projectId,
      amountDrops: amountOf(row),
      dryRun: false,
      reason,
      approval: {
        id,
        close: async (tx, { destination, amountDrops, payoutId }) => {
          if (destination !== row.destination || amountDrops !== row.amountDrops) throw changedMeanwhile();
          await close(ctx, tx, { row, status: 'approved', person: approver, reason, outcome: { payoutId } });
        },
      },
    });
  }
  return getApproval(ctx, id);
}

/** Refuses a request for good. Throws `not_found`, `forbidden` for who asked, `conflict` when it is closed or has lapsed. */
export async function refuse(ctx: Ctx, { id, reason }: Decision): Promise<ApprovalResource> {
  const asked = await findAsked(ctx.db, id);
  const person = assertMayDecide(ctx, asked);
  await assertOpen(ctx, asked);
  await ctx.db.transaction((tx) => close(ctx, tx, { row: asked.row, status: 'refused', person, reason }));
  return getApproval(ctx, id);
}

/** Takes back one's own request. Throws `not_found`, `forbidden` for anybody else, `conflict` when it is closed or has lapsed. */
export async function withdraw(ctx: Ctx, { id, reason }: Decision): Promise<ApprovalResource> {
  const person = personOf(ctx.actor);
  const asked = await findAsked(ctx.db, id);
  if (!isOwn(asked.row, person)) {
    throw new PlatformError(
      'forbidden',
      `${nameFor(person, { kind: asked.row.requesterKind, name: asked.row.requesterName })} asked for it, and alone may withdraw it. Refuse it instead.`,
    );
  }
  await assertOpen(ctx, asked);
  await ctx.db.transaction((tx) => close(ctx, tx, { row: asked.row, status: 'withdrawn', person, reason }));
  return getApproval(ctx, id);
}

function assertMayDecide({ actor }: Ctx, { row }: Asked): Person {
  const person = personOf(actor);
  if (person.kind !== 'administrator') throw new PlatformError('forbidden', 'Only an operator may decide a request.');
  if (isOwn(row, person)) {
    throw new PlatformError(
      'forbidden',
      'You asked for it: somebody else has to decide, whichever token you use. Withdraw it if it is no longer wanted.',
    );
  }
  return person;
}

/** Throws `conflict`, and writes down that a request has lapsed when it finds that. */
async function assertOpen({ db, clock, actor }: Ctx, asked: Asked): Promise<void> {
  const { row } = asked;
  const nowMs = clock.nowMs();
  const lapse = lapseOf(asked, nowMs);
  if (lapse !== null) {
    await db
      .update(approvals)
      .set({ status: 'lapsed', closedAt: new Date(nowMs), closedReason: lapse })
      .where(and(eq(approvals.id, row.id), eq(approvals.status, 'open')));
    throw new PlatformError('conflict', `The request has lapsed. ${lapse} Ask again for what is wanted now.`);
  }
  if (row.status !== 'open') throw isClosed(row, personOf(actor));
}

const isClosed = ({ status, closerKind, closerName, closedReason }: ApprovalRow, person: Person): PlatformError =>
  new PlatformError(
    'conflict',
    status === 'lapsed'
      ? `The request has lapsed. ${closedReason ?? ''} Ask again for what is wanted now.`
      : `The request is closed already: ${closerKind === null || closerName === null ? 'nobody' : nameFor(person, { kind: closerKind, name: closerName })} has ${status} it.`,
  );

const changedMeanwhile = (): PlatformError =>
  new PlatformError(
    'conflict',
    'What was asked for has changed meanwhile, so nothing was done. Ask again for what is wanted now.',
  );

function amountOf({ id, amountDrops }: ApprovalRow): Drops {
  if (amountDrops === null) throw new Error(`${id} names no amount`);
  return amountDrops;
}

interface Closing {
  row: ApprovalRow;
  status: 'approved' | 'refused' | 'withdrawn';
  person: Person;
  reason: string;
  outcome?: { transactionHash?: string; payoutId?: string };
}

/** Of all who decide at once, one does: the others find the row closed. Throws `conflict`. */
async function close(ctx: Ctx, tx: Tx, { row, status, person, reason, outcome = {} }: Closing): Promise<void> {
  if (status === 'approved') await assertAskedByOwner(tx, row);
  const [closed] = await tx
    .update(approvals)
    .set({
      status,
      closedAt: new Date(ctx.clock.nowMs()),
      closerKind: person.kind,
      closerName: person.name,
      closedReason: reason,
      ...outcome,
    })
    .where(and(eq(approvals.id, row.id), eq(approvals.status, 'open')))
    .returning({ id: approvals.id });
  if (closed === undefined) {
    const [now] = await tx.select().from(approvals).where(eq(approvals.id, row.id));
    throw isClosed(now ?? row, person);
  }
  await appendAudit(tx, ctx, {
    action: `approval.${VERBS[status]}`,
    subject: row.id,
    projectId: row.projectId,
    reason,
    before: { status: 'open', requested_by: `${row.requesterKind}:${row.requesterName}`, reason: row.reason },
    after: {
      status,
      project: row.projectId,
      action: row.action,
      ...(row.amountDrops === null
        ? { terms_hash: row.termsHash }
        : { destination: row.destination, amount_xrp: formatDrops(row.amountDrops) }),
      ...(outcome.payoutId === undefined ? {} : { payout: outcome.payoutId }),
      ...(outcome.transactionHash === undefined ? {} : { transaction_hash: outcome.transactionHash }),
    },
  });
}

/** Their membership stays as it is until the approval is written. Throws `conflict`. */
async function assertAskedByOwner(tx: Tx, { id, requesterKind }: ApprovalRow): Promise<void> {
  if (requesterKind !== 'member') return;
  const [requester] = await tx
    .select({ role: members.role })
    .from(members)
    .innerJoin(approvals, isRequester)
    .where(eq(approvals.id, id))
    .for('share', { of: members });
  if (requester?.role !== 'owner') throw new PlatformError('conflict', `${ASKED_BY_NO_OWNER} Nothing was done.`);
}

const VERBS = { approved: 'approve', refused: 'refuse', withdrawn: 'withdraw' } as const;
