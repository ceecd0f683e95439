import type { Contract } from '#lib/base/contract.ts';
import type { Actor, Ctx } from '#lib/ctx.ts';
import { parsePart, pathParams } from './parse-request.ts';

/** Everything that members may call stands beneath it, and everything about one sale beneath its id. */
export const OWNER_PATHS = '/api/owner/';
export const OWN_PROJECT = '/api/owner/projects/{id}';

/**
 * The one place that decides which sales a member may touch, for every operation by its path, before anything else of the
 * request is read. Throws `project_not_found` for a sale that is not the tenant's, whether or not there is one. Any other
 * thing of a tenant is found by its verb under the tenant's id.
 */
export async function requireInScope(
  ctx: Ctx,
  contract: Contract,
  actor: Actor,
  params: Parameters<typeof pathParams>[1],
): Promise<void> {
  if (actor.kind !== 'member') return;
  if (!contract.path.startsWith(OWNER_PATHS)) throw new Error(`${contract.id} is not for members: ${contract.path}`);
  if (contract.path !== OWN_PROJECT && !contract.path.startsWith(`${OWN_PROJECT}/`)) return;
  const { id } = Object(parsePart('path', contract.params, pathParams(contract, params)));
  const { requireOwnProject } = await import('#lib/sales/projects/require-own-project.ts');
  await requireOwnProject(ctx, actor, id);
}
