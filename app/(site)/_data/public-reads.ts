import { getStats } from '#lib/accounts/holders/get-stats.ts';
import type { Ctx } from '#lib/ctx.ts';
import { recentInvestments } from '#lib/sales/investments/read-investments.ts';
import { getCustodyInForce } from '#lib/sales/projects/get-custody-in-force.ts';
import { getTerms } from '#lib/sales/projects/get-terms.ts';
import { getProjectToken } from '#lib/sales/projects/get-token.ts';
import { listProjects } from '#lib/sales/projects/list-projects.ts';
import { raisedOverTime } from '#lib/sales/projects/raised-over-time.ts';
import { getLockedVesting } from '#lib/sales/published/get-locked-vesting.ts';
import { getUnsoldLock } from '#lib/sales/published/get-unsold-lock.ts';
import { getVerification } from '#lib/sales/verification/get-verification.ts';
import { ofSale, shared } from './shared-read.ts';

const RECENT_SHOWN = 8;
const LISTED = 60;

export const readRecentInvestments = ofSale((ctx, id) =>
  recentInvestments(ctx, { project_id: id, limit: RECENT_SHOWN }),
);
export const readRaisedOverTime = ofSale(raisedOverTime);
export const readVerification = ofSale(getVerification);
export const readTerms = ofSale(getTerms);
export const readUnsoldLock = ofSale(getUnsoldLock);
export const readLockedVesting = ofSale(getLockedVesting);
export const readTokenStats = ofSale((ctx, id) => getStats(ctx, { project_id: id }));
export const readToken = ofSale(getProjectToken);
export const readCustodyInForce = ofSale(getCustodyInForce);

const firstSales = shared((ctx) => listProjects(ctx, { limit: LISTED, withDrafts: false }));

/** A page of the list of sales, without drafts. The first is what the crowd sees. */
export const readSales = (ctx: Ctx, cursor: string | undefined) =>
  cursor === undefined ? firstSales(ctx, '') : listProjects(ctx, { cursor, limit: LISTED, withDrafts: false });
