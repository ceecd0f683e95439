import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import { type HolderReadiness, readHolderReadiness } from '#lib/sales/projects/holder-readiness.ts';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import { isLedgerLookupAllowed } from './ledger-lookup-allowed.ts';
import { orLedgerUnavailable } from './or-ledger-unavailable.ts';

/** Whether a wallet can receive a sale's token; null where the ledger did not answer, or was asked too often. */
export interface Readiness {
  project: ProjectResource;
  wallet: HolderReadiness | null;
}

async function readOne(ctx: Ctx, project: ProjectResource, wallet: string): Promise<Readiness> {
  try {
    return { project, wallet: await orLedgerUnavailable(readHolderReadiness(ctx, project.token, wallet)) };
  } catch (err) {
    if (err instanceof PlatformError) return { project, wallet: null };
    throw err;
  }
}

export async function readReadiness(
  ctx: Ctx,
  projects: readonly ProjectResource[],
  wallet: string,
): Promise<Readiness[]> {
  if (projects.length === 0) return [];
  if (!(await isLedgerLookupAllowed())) return projects.map((project) => ({ project, wallet: null }));
  return Promise.all(projects.map((project) => readOne(ctx, project, wallet)));
}
