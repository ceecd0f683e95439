import { isDeepStrictEqual } from 'node:util';
import type { Lock } from '@tranche/rules/locks.ts';
import { and, eq, inArray } from 'drizzle-orm';
import { actions, type ProjectRow, projects, type TierRow, tiers } from '#drizzle/schema/sale.ts';
import { appendAudit } from '#lib/audit.ts';
import { isUniqueViolation } from '#lib/base/database-errors.ts';
import type { Tx } from '#lib/base/db.ts';
import { fieldError, PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { ProjectResource } from '../schemas.ts';
import { type CheckedTier, checkProject } from './check-project.ts';
import { getProject } from './get-project.ts';
import { assertOwnDistributor } from './owned-project.ts';
import { assertSlugFree, inputOf, projectColumns, slugTaken } from './project-columns.ts';
import type { ProjectInput, ProjectPatch } from './project-input.ts';
import { findProject, findTiers, lockProject, projectNotFound, projectResourceOf } from './project-resource.ts';

/** What no terms hold: it may change at any time. */
const FREE_FIELDS = ['description', 'website', 'logo', 'links', 'team', 'documents'] as const;
const isFree = (field: string): boolean => FREE_FIELDS.some((free) => free === field);
/** The next launch writes and anchors them anew. */
const NO_TERMS = { terms: null, termsHash: null };

type Given<T> = { [Field in keyof T]?: Exclude<T[Field], undefined> };

interface Change {
  row: ProjectRow;
  tierRows: readonly TierRow[];
  changes: Given<ProjectPatch>;
  /** Null when only free fields change: then nothing is checked anew and the terms stay. */
  whole: { input: ProjectInput; tiers: readonly CheckedTier[]; locks: Lock[] } | null;
}

/**
 * Changes a project: a draft in everything but its deposit address, to which its tag belongs, and checked whole like a new
 * one; later only in what its terms do not hold. Throws `invalid_request`, `project_not_found`, and `conflict` for a field
 * that is fixed, while a launch is under way, and when somebody else changed the project meanwhile.
 */
export async function patchProject(
  ctx: Ctx,
  { id, patch, reason }: { id: string; patch: ProjectPatch; reason: string },
): Promise<ProjectResource> {
  const changes = given(patch);
  const fields = Object.keys(changes);
  if (fields.length === 0) {
    throw fieldError('body', 'must name a field to change');
  }
  const row = await findProject(ctx.db, id);
  const tierRows = await findTiers(ctx.db, id);
  assertFree(ctx, row, fields);
  const change: Change = { row, tierRows, changes, whole: null };
  if (!fields.every(isFree)) {
    const input = { ...inputOf(row, tierRows), ...changes };
    await assertOwnDistributor(ctx.db, ctx, input);
    change.whole = { input, ...(await checkProject(ctx, input)) };
  }
  try {
    await ctx.db.transaction((tx) => write(ctx, tx, change, reason));
  } catch (error) {
    if (isUniqueViolation(error, 'projects_slug_unique')) throw slugTaken();
    throw error;
  }
  return getProject(ctx, id);
}

/** The fields that are really there; null is one of their values. */
const given = <T extends object>(patch: T): Given<T> =>
  Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as Given<T>;

/**
 * What investors read while they pay is an owner's to change. Throws `forbidden` for an editor after the launch, and `conflict`
 * when a field is fixed by terms that a launch has anchored.
 */
function assertFree({ actor }: Ctx, row: ProjectRow, fields: readonly string[]): void {
  if (row.status === 'draft') return;
  if (actor.kind === 'member' && actor.role !== 'owner') {
    throw new PlatformError(
      'forbidden',
      `The project is ${row.status}: only an owner of the tenant may change it. Ask one.`,
    );
  }
  const fixed = fields.filter((field) => !isFree(field));
  if (fixed.length === 0) return;
  throw new PlatformError(
    'conflict',
    `The project is ${row.status}: its terms are fixed. Only ${FREE_FIELDS.join(', ')} can still change.`,
    { errors: fixed.map((field) => ({ field, message: 'cannot change after the launch' })) },
  );
}

async function write(ctx: Ctx, tx: Tx, { row, tierRows, changes, whole }: Change, reason: string): Promise<void> {
  const current = await lockProject(tx, row);
  const currentTiers = await findTiers(tx, row.id);
  assertFree(ctx, current, Object.keys(changes));
  if (await isLaunchOpen(tx, row.id)) {
    throw new PlatformError('conflict', 'A launch is pending. Try again when it is validated or expired.');
  }
  // What was checked must be what is changed.
  if (whole !== null && !isDeepStrictEqual(inputOf(current, currentTiers), inputOf(row, tierRows))) {
    throw new PlatformError('conflict', 'The project changed meanwhile. Read it and try again.');
  }
  if (changes.slug !== undefined) await assertSlugFree(tx, changes.slug, row.id);
  const changed =
    whole === null
      ? Object.fromEntries(Object.entries(changes).filter(([field]) => isFree(field)))
      : { ...projectColumns(whole.input, whole.locks), slug: whole.input.slug ?? row.slug, ...NO_TERMS };
  const [after] = await tx.update(projects).set(changed).where(eq(projects.id, row.id)).returning();
  if (after === undefined) throw projectNotFound();
  const tiersAfter = whole === null ? currentTiers : await replaceTiers(tx, row.id, whole.tiers);
  const shown = (resource: ProjectResource) =>
    Object.fromEntries(Object.entries(resource).filter(([field]) => Object.hasOwn(changes, field)));
  await appendAudit(tx, ctx, {
    action: 'project.patch',
    subject: row.id,
    reason,
    before: shown(projectResourceOf(current, currentTiers, 0, null)),
    after: shown(projectResourceOf(after, tiersAfter, 0, null)),
  });
}

export async function isLaunchOpen(tx: Tx, projectId: string): Promise<boolean> {
  const isOpen = and(
    eq(actions.projectId, projectId),
    eq(actions.action, 'launch'),
    inArray(actions.status, ['submitted', 'seen']),
  );
  return (await tx.$count(actions, isOpen)) > 0;
}

async function replaceTiers(tx: Tx, projectId: string, checked: readonly CheckedTier[]): Promise<TierRow[]> {
  await tx.delete(tiers).where(eq(tiers.projectId, projectId));
  return tx
    .insert(tiers)
    .values(checked.map((tier) => ({ projectId, ...tier })))
    .returning();
}
