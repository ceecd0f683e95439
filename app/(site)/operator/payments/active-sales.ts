import { listProjects } from '#lib/sales/projects/list-projects.ts';
import type { OperatorCtx } from '../session.ts';

const MOST_PROJECTS = 200;

/** A sale that a held payment may be credited to. */
export interface ActiveSale {
  id: string;
  name: string;
  deposit_address: string;
}

export async function activeSales(ctx: OperatorCtx): Promise<ActiveSale[]> {
  const { projects } = await listProjects(ctx, { limit: MOST_PROJECTS, status: 'active', withDrafts: false });
  return projects.map(({ id, name, deposit_address }) => ({ id, name, deposit_address }));
}
