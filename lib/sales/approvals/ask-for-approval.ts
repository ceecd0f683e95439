import { and, eq } from 'drizzle-orm';
import { approvals } from '#drizzle/schema/approvals.ts';
import type { ProjectRow } from '#drizzle/schema/sale.ts';
import { appendAudit } from '#lib/audit.ts';
import type { Tx } from '#lib/base/db.ts';
import type { ApprovableAction } from '#lib/base/env.ts';
import { fieldError, PlatformError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import { type Drops, formatDrops, parseDecimal, XRP_DECIMALS } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import { releaseRaised } from '#lib/payouts/release/release-raised.ts';
import { assertLaunchable, readLaunch } from '../actions/launch-readiness.ts';
import { assertActionAllowed } from '../actions/submit-action.ts';
import { termsOf } from '../projects/get-terms.ts';
import { findProject, findTiers, lockProject } from '../projects/project-resource.ts';
import { APPROVAL_DAYS, lapseOf, nameFor, type Person, personOf, readAsked } from './approval-resource.ts';
import type { ApprovalResource } from './contracts.ts';
import { getApproval } from './list-approvals.ts';

export interface ApprovalRequest {
  projectId: string;
  action: ApprovableAction;
  /** Of a release; everything that is releasable when omitted. */
  amountDrops?: Drops | undefined;
  reason: string;
}

/** Exactly what would be done. */
type Named =
  | { action: 'launch'; terms: string; termsHash: string }
  | { action: 'release'; destination: string; amountDrops: Drops };

/**
 * Asks another person to approve an action. It is checked as if it were done, and named exactly; nothing is done. Throws
 * `forbidden`, `conflict` while such a request of the project is open, and whatever the action itself would throw.
 */
export async function askForApproval(ctx: Ctx, request: ApprovalRequest): Promise<ApprovalResource> {
  const person = personOf(ctx.actor);
  const project = await findProject(ctx.db, request.projectId);
  const named = await nameAction(ctx, project, request);
  const id = newId('apr', ctx.random);
  await ctx.db.transaction((tx) => write(ctx, tx, { id, project, person, named, reason: request.reason }));
  return getApproval(ctx, id);
}

async function nameAction(
  ctx: Ctx,
  project: ProjectRow,
  { action, amountDrops, reason }: ApprovalRequest,
): Promise<Named> {
  if (action === 'launch') {
    if (amountDrops !== undefined) throw fieldError('amount_xrp', 'is for a release; omit it');
    assertActionAllowed(project, action);
    const launch = await readLaunch(ctx, project);
    await assertLaunchable(ctx.db, ctx.clock.nowMs(), project, launch);
    return { action, terms: launch.terms, termsHash: launch.termsHash };
  }
  const { amount_xrp: amount, figures } = await releaseRaised(ctx, {
    projectId: project.id,
    amountDrops,
    dryRun: true,
    reason,
  });
  const drops = parseDecimal(amount, XRP_DECIMALS);
  if (drops === null || figures.treasury === null)
    throw new Error(`A release of ${project.id} names no amount or treasury`);
  return { action, destination: figures.treasury, amountDrops: drops };
}

interface NewRequest {
  id: string;
  project: ProjectRow;
  person: Person;
  named: Named;
  reason: string;
}

async function write(ctx: Ctx, tx: Tx, { id, project, person, named, reason }: NewRequest): Promise<void> {
  const current = await lockProject(tx, project);
  if (named.action === 'launch') {
    const { termsHash } = termsOf(current, await findTiers(tx, project.id));
    if (current.status !== 'draft' || termsHash !== named.termsHash) {
      throw new PlatformError('conflict', 'The project was changed meanwhile. Read it and ask again.');
    }
  }
  const now = new Date(ctx.clock.nowMs());
  const replaced = await closeLapsed(tx, person, { projectId: project.id, action: named.action, now });
  const { action, ...what } = named;
  const expiresAt = new Date(now.getTime() + APPROVAL_DAYS * 86_400_000);
  await tx.insert(approvals).values({
    id,
    projectId: project.id,
    action,
    requesterKind: person.kind,
    requesterName: person.name,
    tenantId: person.tenantId,
    reason,
    ...what,
    expiresAt,
    createdAt: now,
  });
  await appendAudit(tx, ctx, {
    action: 'approval.ask',
    subject: id,
    projectId: project.id,
    reason,
    before: replaced === null ? null : { lapsed: replaced },
    after: { project: project.id, action, ...shown(named), expires_at: expiresAt.toISOString() },
  });
}

/** What of a request stands in the audit log. */
const shown = (named: Named): Record<string, string> =>
  named.action === 'launch'
    ? { terms_hash: named.termsHash }
    : { destination: named.destination, amount_xrp: formatDrops(named.amountDrops) };

/** Makes room for a new request, under the project's lock: gives the id of the one that had lapsed. Throws `conflict`. */
async function closeLapsed(
  tx: Tx,
  person: Person,
  { projectId, action, now }: { projectId: string; action: ApprovableAction; now: Date },
): Promise<string | null> {
  const isOpen = and(eq(approvals.projectId, projectId), eq(approvals.action, action), eq(approvals.status, 'open'));
  // A decision that is being made is waited for.
  await tx.select({ id: approvals.id }).from(approvals).where(isOpen).for('update');
  const [asked] = await readAsked(tx, isOpen);
  if (asked === undefined) return null;
  const { row } = asked;
  const lapse = lapseOf(asked, now.getTime());
  if (lapse === null) {
    throw new PlatformError(
      'conflict',
      `${nameFor(person, { kind: row.requesterKind, name: row.requesterName })} has asked for this ${action} already: ${row.id}. It can be approved, refused or withdrawn.`,
    );
  }
  await tx
    .update(approvals)
    .set({ status: 'lapsed', closedAt: now, closedReason: lapse })
    .where(eq(approvals.id, row.id));
  return row.id;
}
