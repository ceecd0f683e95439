import { REFUSAL_REASONS, statusAnswer } from '@tranche/witness/protocol.ts';
import { z } from 'zod';
import { isoTime } from '#lib/base/clock.ts';
import { defineContract } from '#lib/base/contract.ts';

const witnessResource = z.lazy(() => {
  const own = statusAnswer.unwrap().shape;
  return z
    .object({
      key: z.string().meta({ description: 'Address of its key in the signer lists' }),
      name: z.string().nullable().meta({ description: 'As the custody of an account names it; null where none does' }),
      operator: z.string().nullable(),
      accounts: z.array(z.string()).meta({ description: 'Deposit accounts whose custody names it' }),
      configured: z.boolean().meta({ description: 'WITNESSES says where it listens' }),
      reachable: z.boolean(),
      fault: z.string().nullable().meta({ description: 'Why it is not reachable, or not usable' }),
      version: z.string().nullable(),
      ledger_index: z.int().nullable().meta({ description: 'The validated ledger that it is at' }),
      ledger_time: isoTime.nullable(),
      servers: own.servers.meta({ description: 'Its ledger servers, as it says' }),
      halted: own.halted.meta({ description: 'Its operator has stopped it; null while not' }),
      refusing: z
        .array(z.object({ account: z.string(), reason: z.enum(REFUSAL_REASONS), detail: z.string() }))
        .meta({ description: 'Accounts for which it signs nothing now' }),
      signed_24h: z.int().nullable(),
      refused_24h: z.int().nullable(),
      recent_refusals: own.recent_refusals,
    })
    .meta({ id: 'Witness' });
});
export type WitnessResource = z.output<typeof witnessResource>;

export const listWitnessesContract = defineContract({
  id: 'listWitnesses',
  method: 'GET',
  path: '/api/admin/witnesses',
  tag: 'admin',
  summary: 'List the witnesses of all accounts with what each says of itself, at most 5 seconds old',
  access: [{ kind: 'administrator', role: 'read_only' }],
  rateLimit: 'internal',
  responses: { 200: z.lazy(() => z.object({ witnesses: z.array(witnessResource) })) },
});
