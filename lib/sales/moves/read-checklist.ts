import { type FieldError, PlatformError } from '#lib/base/errors.ts';
import { formatDrops } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import { termsOf } from '../projects/get-terms.ts';
import { findProject, findTiers, type ProjectRow } from '../projects/project-resource.ts';
import { readLaunchFacts } from './launch-checklist.ts';
import { assertLaunchable } from './launch-readiness.ts';

interface LaunchChecklist {
  /** What still stands between the draft and its launch, by the very check that the launch makes; empty when it can go. */
  faults: FieldError[];
  /** What the launch lets pass, and an operator should have decided. */
  warnings: FieldError[];
}

/** Throws `project_not_found`, `ledger_unavailable`. */
export async function readLaunchChecklist(ctx: Ctx, projectId: string): Promise<LaunchChecklist> {
  const row = await findProject(ctx.db, projectId);
  const tierRows = await findTiers(ctx.db, row.id);
  const launch = { ...termsOf(row, tierRows), tierRows, facts: await readLaunchFacts(ctx, row) };
  const warnings = launchWarnings(row);
  try {
    await assertLaunchable(ctx.db, ctx.clock.nowMs(), row, launch);
    return { faults: [], warnings };
  } catch (err) {
    if (err instanceof PlatformError && err.code === 'launch_not_ready') return { faults: err.errors, warnings };
    throw err;
  }
}

/** A minimum below the refund minimum is as good as none: what is refused below it is held. Pure. */
function launchWarnings({
  minInvestmentDrops,
  refundMinDrops,
}: Pick<ProjectRow, 'minInvestmentDrops' | 'refundMinDrops'>): FieldError[] {
  if (minInvestmentDrops !== null && minInvestmentDrops >= refundMinDrops) return [];
  const message =
    minInvestmentDrops === null
      ? 'is not set: a payment of one drop buys, and each takes a payout with its fee. Set a smallest purchase, such as 1 XRP'
      : `is below the refund minimum of ${formatDrops(refundMinDrops)} XRP: a payment of next to nothing buys, and each takes a payout with its fee. Set more, such as 1 XRP`;
  return [{ field: 'min_investment_xrp', message }];
}
