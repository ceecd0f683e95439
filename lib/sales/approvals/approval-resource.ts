import { isDeepStrictEqual } from 'node:util';
import { and, eq, inArray, type SQL } from 'drizzle-orm';
import { type ApprovalRow, approvals } from '#drizzle/schema/approvals.ts';
import { members } from '#drizzle/schema/members.ts';
import { type ProjectRow, projects, type TierRow, tiers } from '#drizzle/schema/sale.ts';
import { toIso, toIsoOrNull } from '#lib/base/clock.ts';
import type { MemberRole } from '#lib/base/contract.ts';
import type { Db } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { formatDrops } from '#lib/base/money.ts';
import type { Actor } from '#lib/ctx.ts';
import { termsOf } from '../projects/get-terms.ts';
import type { ApprovalResource } from './contracts.ts';

/** Undecided for so long, a request lapses. */
export const APPROVAL_DAYS = 7;

/** Who asks, approves, refuses or withdraws. */
export interface Person {
  kind: ApprovalRow['requesterKind'];
  /** An administrator's name, whichever of their tokens they use; a member's wallet. */
  name: string;
  tenantId: string | null;
}

/** Throws `forbidden` for an actor who is no person that may ask. */
export function personOf(actor: Actor): Person {
  if (actor.kind === 'administrator' && actor.role === 'operator') {
    return { kind: 'administrator', name: actor.name, tenantId: null };
  }
  if (actor.kind === 'member' && actor.role === 'owner') {
    return { kind: 'member', name: actor.walletAddress, tenantId: actor.tenantId };
  }
  throw new PlatformError(
    'forbidden',
    'Only an operator or an owner may ask for an approval, and only an operator decide one.',
  );
}

/** True when a request is this person's own. A tenant's members are one party. */
export const isOwn = ({ requesterKind, requesterName, tenantId }: ApprovalRow, person: Person): boolean =>
  requesterKind === person.kind &&
  (person.kind === 'member' ? tenantId === person.tenantId : requesterName === person.name);

/** Who asked or decided, as others are told: members know administrators by that alone. */
export const nameFor = (person: Pick<Person, 'kind'>, { kind, name }: Pick<Person, 'kind' | 'name'>): string =>
  person.kind === 'member' && kind === 'administrator' ? 'An administrator' : name;

/** A request as it is stored, with what it depends on as that stands now. */
export interface Asked {
  row: ApprovalRow;
  project: ProjectRow;
  tierRows: readonly TierRow[];
  /** What the member who asked may do now; null for an administrator, and for a person who is no longer a member. */
  requesterRole: MemberRole | null;
}

/** The membership of who asked. */
export const isRequester = and(
  eq(members.tenantId, approvals.tenantId),
  eq(members.walletAddress, approvals.requesterName),
);

/** Requests in no order, each with its project as it stands. */
export async function readAsked(db: Db, where: SQL | undefined): Promise<Asked[]> {
  const rows = await db
    .select({ row: approvals, project: projects, requesterRole: members.role })
    .from(approvals)
    .innerJoin(projects, eq(projects.id, approvals.projectId))
    .leftJoin(members, isRequester)
    .where(where);
  const ids = [...new Set(rows.map(({ project }) => project.id))];
  const tierRows = ids.length === 0 ? [] : await db.select().from(tiers).where(inArray(tiers.projectId, ids));
  const tiersOf = Map.groupBy(
    tierRows.toSorted((a, b) => a.tier - b.tier),
    ({ projectId }) => projectId,
  );
  return rows.map((row) => ({ ...row, tierRows: tiersOf.get(row.project.id) ?? [] }));
}

/** Why a request of a former owner has lapsed. */
export const ASKED_BY_NO_OWNER = 'The member who asked for it is no longer an owner of the tenant.';

/** Why an open request can no longer be decided; null when it can, or is closed. Pure. */
export function lapseOf({ row, project, tierRows, requesterRole }: Asked, nowMs: number): string | null {
  if (row.status !== 'open') return null;
  if (row.requesterKind === 'member' && requesterRole !== 'owner') return ASKED_BY_NO_OWNER;
  if (project.deletedAt !== null) return 'The draft was deleted.';
  if (row.action === 'launch') {
    if (project.status !== 'draft') return `The project is no longer a draft: it is ${project.status}.`;
    const now = termsOf(project, tierRows);
    if (now.termsHash !== row.termsHash) return `The draft has changed since: ${changedTerms(row.terms, now.terms)}.`;
  } else if (project.status === 'cancelled') {
    return 'The sale was cancelled or missed its soft cap: nothing is released.';
  }
  return row.expiresAt.getTime() <= nowMs ? `Nobody decided it within ${APPROVAL_DAYS} days.` : null;
}

/** The names of the terms that differ. */
function changedTerms(before: string | null, now: string): string {
  const [old, current] = [JSON.parse(before ?? '{}'), JSON.parse(now)];
  const names = [...new Set([...Object.keys(old), ...Object.keys(current)])];
  return names.filter((name) => !isDeepStrictEqual(old[name], current[name])).join(', ');
}

/** A request as the API shows it. Pure. */
export function approvalResourceOf(asked: Asked, nowMs: number): ApprovalResource {
  const { row, project } = asked;
  const lapse = lapseOf(asked, nowMs);
  return {
    id: row.id,
    project_id: row.projectId,
    project_name: project.name,
    action: row.action,
    status: lapse === null ? row.status : 'lapsed',
    requested_by: { kind: row.requesterKind, name: row.requesterName, tenant_id: row.tenantId },
    reason: row.reason,
    launch: row.terms === null || row.termsHash === null ? null : { terms_hash: row.termsHash, canonical: row.terms },
    release:
      row.destination === null || row.amountDrops === null
        ? null
        : { destination: row.destination, amount_xrp: formatDrops(row.amountDrops) },
    created_at: toIso(row.createdAt),
    expires_at: toIso(row.expiresAt),
    closed_at: toIsoOrNull(row.closedAt),
    closed_by:
      row.closerKind === null || row.closerName === null ? null : { kind: row.closerKind, name: row.closerName },
    closed_reason: lapse ?? row.closedReason,
    transaction_hash: row.transactionHash,
    payout_id: row.payoutId,
  };
}
