import { MAX_DROPS } from '@tranche/rules/amounts.ts';
import { and, eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { investments } from '#drizzle/schema/sale.ts';
import { readCursor, writeCursor } from '#lib/base/cursor.ts';
import { fieldError } from '#lib/base/errors.ts';
import { formatDrops, formatUnits } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import { parseAccountAddress } from '#lib/xrpl/address.ts';
import { findProject } from '../projects/project-resource.ts';

/** A wallet that bought, over all its payments to the sale. */
export interface Investor {
  wallet: string;
  /** Invested by confirmed payments; what a cancellation refunded since is still counted. */
  investedXrp: string;
  tokens: string;
  payments: number;
  lastPaidAt: string;
}

interface InvestorPage {
  investors: Investor[];
  nextCursor: string | null;
}

const LIMIT = 50;
const HASH = /^[0-9A-F]{64}$/;
const position = z.tuple([z.string().regex(/^\d{1,18}$/), z.string().max(64)]);

/**
 * Wallets with a confirmed investment in the project, the largest first. `search`: a wallet, or the hash of a payment, which
 * stands for its sender. One statement over the investments of the project, or of the one wallet. Throws
 * `project_not_found`; `invalid_request` for a search that is neither, or a cursor that is none.
 */
export async function listInvestors(
  ctx: Ctx,
  input: { projectId: string; search?: string | undefined; cursor?: string | undefined },
): Promise<InvestorPage> {
  const project = await findProject(ctx.db, input.projectId);
  const after = input.cursor === undefined ? null : readCursor(input.cursor, position);
  if (after !== null && BigInt(after[0]) > MAX_DROPS) throw fieldError('cursor', 'is not a cursor of this list');
  const wallet = input.search === undefined ? null : await searchedWallet(ctx, project.id, input.search);
  if (input.search !== undefined && wallet === null) return { investors: [], nextCursor: null };
  const invested = sql`sum(${investments.confirmedDrops})`;
  const rows = await ctx.db
    .select({
      wallet: investments.investorAccount,
      drops: sql<string>`${invested}::text`,
      units: sql<string>`sum(${investments.totalUnits})::text`,
      payments: sql<number>`count(*)::integer`,
      lastPaidAt: sql<string>`max(${investments.paidAt})::text`,
    })
    .from(investments)
    .where(
      and(
        eq(investments.projectId, project.id),
        eq(investments.status, 'confirmed'),
        wallet === null ? undefined : eq(investments.investorAccount, wallet),
      ),
    )
    .groupBy(investments.investorAccount)
    .having(
      after === null
        ? undefined
        : sql`(${invested}, ${investments.investorAccount}) < (${after[0]}::numeric, ${after[1]}::text)`,
    )
    .orderBy(sql`${invested} desc`, sql`${investments.investorAccount} desc`)
    .limit(LIMIT + 1);
  const page = rows.slice(0, LIMIT);
  const last = page.at(-1);
  return {
    investors: page.map((row) => ({
      wallet: row.wallet,
      investedXrp: formatDrops(BigInt(row.drops)),
      tokens: formatUnits(BigInt(row.units), project.decimals),
      payments: row.payments,
      lastPaidAt: new Date(row.lastPaidAt).toISOString(),
    })),
    nextCursor: rows.length > LIMIT && last !== undefined ? writeCursor([last.drops, last.wallet]) : null,
  };
}

/** The wallet that is looked for; null for a payment that is none of this sale. */
async function searchedWallet(ctx: Ctx, projectId: string, search: string): Promise<string | null> {
  const hash = search.toUpperCase();
  if (HASH.test(hash)) {
    const [found] = await ctx.db
      .select({ wallet: investments.investorAccount })
      .from(investments)
      .where(and(eq(investments.txHash, hash), eq(investments.projectId, projectId)));
    return found?.wallet ?? null;
  }
  const parsed = parseAccountAddress(search);
  if ('fault' in parsed) throw fieldError('search', 'must be a whole wallet address (r…) or the hash of a payment');
  return parsed.address;
}

/** The same as the API shows it. */
export async function listOwnInvestors(
  ctx: Ctx,
  input: { projectId: string; search?: string | undefined; cursor?: string | undefined },
) {
  const { investors, nextCursor } = await listInvestors(ctx, input);
  return {
    investors: investors.map((investor) => ({
      wallet_address: investor.wallet,
      invested_xrp: investor.investedXrp,
      tokens: investor.tokens,
      payments: investor.payments,
      last_paid_at: investor.lastPaidAt,
    })),
    next_cursor: nextCursor,
  };
}
