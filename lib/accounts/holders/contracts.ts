import { z } from 'zod';
import { isoTime } from '#lib/base/clock.ts';
import { defineContract } from '#lib/base/contract.ts';
import { cursorQuery, opaqueCursor } from '#lib/base/cursor.ts';
import { idPattern } from '#lib/base/ids.ts';
import { accountAddress } from '#lib/xrpl/address.ts';
import { namedToken } from '#lib/xrpl/token.ts';

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

const histogram = z.lazy(() =>
  z
    .array(z.object({ from: exactTokens, to: exactTokens.nullable(), holders: count }))
    .meta({ description: 'Holders by balance: `from` belongs to a step, `to` to the next one' }),
);

/** How balances are spread over the holders of a snapshot. */
export const distribution = z.lazy(() =>
  z.object({
    supply: exactTokens.meta({ description: 'What all holders have together' }),
    excluded: z
      .object({ accounts: count, balance: exactTokens })
      .meta({ description: 'Accounts with supply that is not in circulation; they count nowhere else' }),
    top_10_share: share.nullable(),
    top_100_share: share.nullable(),
    gini: z.number().min(0).max(1).nullable().meta({ description: 'Gini coefficient: 0 when all hold the same' }),
    median: exactTokens.nullable(),
    histogram,
  }),
);

export const change = z.lazy(() =>
  z
    .object({ since: isoTime, ledger_index: z.int(), holders: z.int(), added: count, removed: count })
    .meta({ description: 'Since the snapshot before; null when there is none' }),
);

/** What `holder_syncs.statistics` holds. */
export const statistics = z.lazy(() => distribution.unwrap().extend({ change: change.nullable() }));

const snapshotTimes = {
  ledger_index: z.int().meta({ description: 'The validated ledger that all of it was read from' }),
  ledger_closed_at: isoTime,
  synced_at: isoTime.meta({ description: 'When the snapshot was complete' }),
};

/** Snapshots change by the hour: a minute in any cache harms nobody. */
const CACHED = 'public, max-age=60';

const snapshot = z.lazy(() =>
  z
    .object({
      sync_id: syncId,
      holders: count,
      ...distribution.unwrap().shape,
      change: change.nullable(),
      ...snapshotTimes,
    })
    .meta({ id: 'HolderSnapshot' }),
);
export type Snapshot = z.output<typeof snapshot>;

export const holderStatsContract = defineContract({
  id: 'holderStats',
  method: 'GET',
  path: '/api/cron/holder-stats',
  tag: 'internal',
  summary: 'Get the holder statistics of the last snapshot',
  access: [{ kind: 'public' }],
  rateLimit: 'read',
  cacheControl: CACHED,
  query: z.strictObject(tokenQuery),
  responses: { 200: z.lazy(() => z.object({ token: tokenText, ...snapshot.unwrap().shape })) },
  errors: ['not_found', 'project_not_found'],
});

export const listSnapshotsContract = defineContract({
  id: 'listHolderSnapshots',
  method: 'GET',
  path: '/api/holders/history',
  tag: 'projects',
  summary: 'List the holder statistics of every snapshot, newest first',
  access: [{ kind: 'public' }],
  rateLimit: 'read',
  cacheControl: CACHED,
  query: z.strictObject({ ...tokenQuery, ...cursorQuery }),
  responses: {
    200: z.lazy(() => z.object({ token: tokenText, snapshots: z.array(snapshot), next_cursor: z.string().nullable() })),
  },
  errors: ['not_found', 'project_not_found'],
});

export const listHoldersContract = defineContract({
  id: 'listHolders',
  method: 'GET',
  path: '/api/holders',
  tag: 'projects',
  summary: 'List the holders of a token in the last snapshot, largest first',
  access: [{ kind: 'public' }],
  rateLimit: 'read',
  cacheControl: CACHED,
  query: z.strictObject({ ...tokenQuery, ...cursorQuery, cursor: opaqueCursor(600).optional() }),
  responses: {
    200: z.lazy(() =>
      z.object({
        token: tokenText,
        sync_id: syncId,
        holders: z.array(
          z
            .object({
              rank: z.int().min(1).meta({ description: 'Who holds the same shares a rank' }),
              account: ledgerAccount,
              balance: exactTokens,
              share,
            })
            .meta({ id: 'Holder' }),
        ),
        ...snapshotTimes,
        next_cursor: z.string().nullable().meta({
          description: 'Of this snapshot: when the next one is complete it answers 410, and the list begins anew',
        }),
      }),
    ),
  },
  errors: ['not_found', 'project_not_found', 'gone'],
});

const sync = z.lazy(() =>
  z.object({
    sync_id: z.string().nullable().meta({ description: 'Null when nothing could be begun' }),
    token: tokenText,
    status: z.enum(['running', 'complete', 'failed']),
    ledger_index: z.int().nullable(),
    holders: count.meta({ description: 'While it runs: what has been read of them, excluded accounts among them' }),
    added: count.nullable().meta({ description: 'Against the snapshot before; null without one, or while it runs' }),
    removed: count.nullable(),
    pages: count,
  }),
);
export type SyncReport = z.output<typeof sync>;

export const syncHoldersContract = defineContract({
  id: 'syncHolders',
  method: 'GET',
  path: '/api/cron/sync-holders',
  tag: 'internal',
  summary: 'Take a snapshot of the holders: one slice, continued by the queue',
  access: [{ kind: 'scheduler' }],
  rateLimit: 'internal',
  query: z.strictObject({}),
  responses: {
    200: z.lazy(() =>
      z.object({
        ...sync.unwrap().shape,
        token: tokenText.nullable(),
        status: z.enum(['none', 'running', 'complete', 'failed']).meta({
          description: 'Of the first token, the platform’s where it has one; `none` when there is no token',
        }),
        syncs: z.array(sync).meta({ description: 'Every token that this slice has reached' }),
        faults: z.array(z.string()).meta({ description: 'What failed; the next run tries it again' }),
        continued: z.boolean().meta({ description: 'The queue brings the next slice' }),
        duration_ms: count,
      }),
    ),
  },
  errors: ['conflict'],
});
