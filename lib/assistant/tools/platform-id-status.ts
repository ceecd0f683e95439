import { z } from 'zod';
import { showPlatformIdStatus } from '#lib/accounts/platform-ids/show-status.ts';
import { ownSource } from '../links.ts';
import { defineTool, walletInput } from './define.ts';

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
