import { z } from 'zod';
import { isoTime } from '#lib/base/clock.ts';
import { idPattern } from '#lib/base/ids.ts';
import { accountAddress } from '#lib/xrpl/address.ts';
import { namedToken } from '#lib/xrpl/token-name.ts';

/** Which token a question is about; neither field is the platform's token. */
export const tokenQuery = {
  token: namedToken.optional(),
  project_id: z
    .string()
    .regex(idPattern('proj'), 'must be a project id (proj_…)')
    .optional()
    .meta({ description: 'The token that this project sells', example: 'proj_5kQ2mB7xN0aYh3uVtR8wZc' }),
};

export const tokenText = z.string().meta({
  description: 'The token: `<currency>.<issuer>`, or the MPT issuance id',
  example: 'DMO.rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
});
/** An issued currency knows 15 digits and an exponent: six decimals do not hold every balance. */
export const exactTokens = z
  .string()
  .regex(/^\d+\.\d{6,}$/)
  .meta({ description: 'Tokens, exact: six fractional digits, or more where there are more', example: '2500.000000' });
export const share = z
  .number()
  .min(0)
  .max(1)
  .meta({ description: 'Part of the supply that holders have, 0 to 1, to six decimals, a half rounded up' });
export const count = z.int().min(0);
export const syncId = z.string().regex(idPattern('sync')).meta({ description: 'The snapshot' });

export const ledgerAccount = accountAddress.meta({ description: 'Ledger account address (r…)' });

const histogram = z
  .array(z.object({ from: exactTokens, to: exactTokens.nullable(), holders: count }))
  .meta({ description: 'Holders by balance: `from` belongs to a step, `to` to the next one' });

/** How balances are spread over the holders of a snapshot. */
export const distribution = z.object({
  supply: exactTokens.meta({ description: 'What all holders have together' }),
  excluded: z
    .object({ accounts: count, balance: exactTokens })
    .meta({ description: 'Accounts with supply that is not in circulation; they count nowhere else' }),
  top_10_share: share.nullable(),
  top_100_share: share.nullable(),
  gini: z.number().min(0).max(1).nullable().meta({ description: 'Gini coefficient: 0 when all hold the same' }),
  median: exactTokens.nullable(),
  histogram,
});

export const change = z
  .object({ since: isoTime, ledger_index: z.int(), holders: z.int(), added: count, removed: count })
  .meta({ description: 'Since the snapshot before; null when there is none' });

/** What `holder_syncs.statistics` holds. */
export const statistics = distribution.extend({ change: change.nullable() });
