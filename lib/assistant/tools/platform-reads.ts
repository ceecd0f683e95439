import { z } from 'zod';
import { getStats } from '#lib/accounts/holders/get-stats.ts';
import { listHolders } from '#lib/accounts/holders/list-holders.ts';
import { showPlatformIdStatus } from '#lib/accounts/platform-ids/show-status.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { formatDrops } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import { getStatus } from '#lib/ops/status/get-status.ts';
import { accountSources, ownSource } from '../links.ts';
import { defineTool, projectInput, walletInput } from './define.ts';

export const systemStatusTool = defineTool({
  name: 'system_status',
  description: 'Whether the platform works now: each part, how far payments are read, announced maintenance.',
  input: z.strictObject({}),
  isShared: true,
  async run(ctx) {
    const { status, network, time, checks, ledger, maintenance } = await getStatus(ctx);
    return {
      data: { status, network, time, checks, ledger, maintenance },
      sources: [ownSource('Status of the platform', '/status'), ownSource('System status', '/api/system/status')],
    };
  },
});

export const platformIdStatusTool = defineTool({
  name: 'platform_id_status',
  description:
    'Whether a wallet has a Platform ID, which one, its level, or why it may not have one and what to do about it.',
  input: z.strictObject({ wallet_address: walletInput }),
  async run(ctx, { wallet_address }) {
    return {
      data: await showPlatformIdStatus(ctx, wallet_address),
      sources: [
        ownSource('The wallet', `/wallets/${wallet_address}`),
        ownSource('Platform ID status of the wallet', `/api/platform-id/status/${wallet_address}`),
      ],
    };
  },
});

export const ledgerReserveTool = defineTool({
  name: 'ledger_reserve',
  description:
    'The reserve of the XRP Ledger as it is now: XRP that every account keeps, XRP for each trust line or other object, and the base fee. With a wallet: its balance, its own reserve, and what it can spend.',
  input: z.strictObject({ wallet_address: walletInput.optional() }),
  async run(ctx, { wallet_address }) {
    const [server, account] = await Promise.all([
      ctx.ledger.serverState(),
      wallet_address === undefined ? null : ctx.ledger.account(wallet_address),
    ]);
    const { reserveBaseDrops, reserveIncrementDrops } = server;
    const ownReserve = account === null ? null : reserveBaseDrops + BigInt(account.ownerCount) * reserveIncrementDrops;
    const spendable = account === null || ownReserve === null ? null : account.balanceDrops - ownReserve;
    return {
      data: {
        ledger_index: server.validatedIndex,
        base_reserve_xrp: formatDrops(reserveBaseDrops),
        owner_reserve_xrp: formatDrops(reserveIncrementDrops),
        base_fee_xrp: formatDrops(server.baseFeeDrops),
        wallet:
          wallet_address === undefined
            ? null
            : {
                wallet_address,
                funded: account !== null,
                balance_xrp: account === null ? null : formatDrops(account.balanceDrops),
                owned_objects: account?.ownerCount ?? null,
                reserve_xrp: ownReserve === null ? null : formatDrops(ownReserve),
                spendable_xrp: spendable === null ? null : formatDrops(spendable < 0n ? 0n : spendable),
              },
      },
      sources: wallet_address === undefined ? [] : accountSources('The wallet on the ledger', wallet_address),
    };
  },
});

const LARGEST_SHOWN = 5;

async function readSnapshot(ctx: Ctx, question: { project_id?: string | undefined }) {
  try {
    const [statistics, { holders }] = await Promise.all([
      getStats(ctx, question),
      listHolders(ctx, { ...question, limit: LARGEST_SHOWN }),
    ]);
    return { synced: true as const, ...statistics, largest: holders };
  } catch (error) {
    if (error instanceof PlatformError && error.code === 'not_found') return { synced: false as const };
    throw error;
  }
}

export const holderStatisticsTool = defineTool({
  name: 'holder_statistics',
  description:
    "Who holds a sale's token by the last snapshot of the ledger: number of holders, supply, shares of the top 10 and 100, Gini coefficient, median, the largest accounts.",
  input: z.strictObject({ project_id: projectInput.optional() }),
  async run(ctx, { project_id }) {
    const query = project_id === undefined ? '' : `?project_id=${project_id}`;
    return {
      data: await readSnapshot(ctx, { project_id }),
      sources: [
        ownSource('Holders', `/holders${query}`),
        ownSource('Holder statistics', `/api/cron/holder-stats${query}`),
      ],
    };
  },
});
