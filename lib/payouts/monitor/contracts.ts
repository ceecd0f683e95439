import { z } from 'zod';
import { defineContract } from '#lib/base/contract.ts';
import { accountHealth } from './account-resource.ts';
import { waitingCounts } from './counts.ts';

export const trustlineMonitorContract = defineContract({
  id: 'trustlineMonitor',
  method: 'GET',
  path: '/api/system/trustline-monitor',
  tag: 'internal',
  summary: 'Look at every holder who is owed tokens, and at the health of every account that pays',
  access: [{ kind: 'scheduler' }, { kind: 'administrator', role: 'read_only' }],
  rateLimit: 'internal',
  query: z.strictObject({}),
  responses: {
    200: waitingCounts.extend({
      continued: z
        .boolean()
        .meta({ description: 'The time was up: the counts are those of this part, and the rest goes on by itself' }),
      accounts: z.array(accountHealth),
      duration_ms: z.int(),
    }),
  },
  errors: ['conflict', 'ledger_unavailable', 'service_unavailable'],
});
