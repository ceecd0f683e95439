import { env } from '#lib/base/env.ts';
import { held } from '#lib/base/held.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { SystemStatus } from './contracts.ts';
import { readStatus } from './read-status.ts';
import { remember } from './single-flight.ts';

const MAX_AGE_MS = 3_000;

// A failure is not kept: recovery shows at once, and single flight still bounds what a crowd of callers can cost.
const remembered = held(
  () => {
    const { POSTGRES_URL, KV_REST_API_URL, QSTASH_URL, SIGNING_KEYS, VERCEL_GIT_COMMIT_SHA } = env();
    const { XRPL_URLS, XRPL_NETWORK_ID } = env();
    return [POSTGRES_URL, KV_REST_API_URL, QSTASH_URL, SIGNING_KEYS, VERCEL_GIT_COMMIT_SHA, XRPL_URLS, XRPL_NETWORK_ID];
  },
  () => remember(MAX_AGE_MS, (status: SystemStatus) => status.status !== 'down', readStatus),
);

/** System health, at most three seconds old in one process. Never throws for a part that is away: it says so. */
export const getStatus = (ctx: Ctx): Promise<SystemStatus> => remembered.get()(ctx, ctx.clock.nowMs());
