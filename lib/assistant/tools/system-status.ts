import { z } from 'zod';
import { getStatus } from '#lib/ops/status/get-status.ts';
import { ownSource } from '../links.ts';
import { defineTool } from './define.ts';

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
