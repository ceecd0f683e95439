import { z } from 'zod';
import { formatDrops } from '#lib/base/money.ts';
import { accountSources } from '../links.ts';
import { defineTool, walletInput } from './define.ts';

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
