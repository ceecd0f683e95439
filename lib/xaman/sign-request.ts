import { z } from 'zod';
import { env } from '#lib/base/env.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { takeShared } from '#lib/base/rate-limiter.ts';
import { seal, unseal } from '#lib/base/secretbox.ts';
import type { Ctx } from '#lib/ctx.ts';
import {
  cancelPayload,
  createPayload,
  type NewPayload,
  readPayload,
  type XamanPayload,
  xamanSettings,
} from './platform.ts';

/** A sign request is opened within this time, or made anew: what it says of the sale grows old. */
export const EXPIRE_MINUTES = 5;
/** Who opened it in time may sign it much later; after this nobody asks Xaman for it. */
const FOLLOWED_MS = 24 * 60 * 60_000;
/** A purchase takes three; a person who tries again, a few more. */
const REQUESTS_PER_CALLER = 10;
/** Looks of one page, each `ASK_AGAIN_MS`, and of a second one. */
const LOOKS_PER_CALLER = 40;
const ASK_AGAIN_MS = 3_000;
/** When many are buying at once. */
const ASK_AGAIN_LATER_MS = 10_000;

/** What the id is sealed for: nothing else that was sealed here opens as one. */
const CONTEXT = 'xaman sign request';

const sealedIdSchema = z.strictObject({ uuid: z.guid(), untilMs: z.int() });

/** A sign request as its page has it. Only who holds its sealed id may follow or cancel it; the link tells nothing of it. */
export interface SignRequest {
  sealedId: string;
  /** Where it is opened, on a phone; on a desk it is shown as a QR code. */
  link: string;
}

export type SignRequestState =
  | { state: 'waiting' | 'opened'; askAgainMs: number }
  | { state: 'rejected' | 'expired' | 'other_network' }
  | { state: 'signed'; wallet: string; hash: string | null; result: string | null };

const away = (cause: unknown) =>
  new PlatformError('service_unavailable', 'Xaman cannot be used just now. Pay by the QR code or by hand.', { cause });

/**
 * Counts a call of this caller, and among those of all visitors, which share what Xaman allows an application. Gives how much
 * of that is left. Throws `rate_limited`, and `service_unavailable` while it cannot be counted.
 */
async function count(ctx: Ctx, kind: 'requests' | 'looks', caller: string): Promise<number> {
  const { RATE_LIMIT_SCALE, XAMAN_CALLS_PER_MINUTE } = env();
  const all = Math.floor(XAMAN_CALLS_PER_MINUTE / 2);
  const usual = (kind === 'requests' ? REQUESTS_PER_CALLER : LOOKS_PER_CALLER) * RATE_LIMIT_SCALE;
  // However little there is, others have a half of it.
  const mine = Math.max(1, Math.min(usual, Math.floor(all / 2)));
  const name = `xaman_${kind}`;
  try {
    const own = await takeShared(ctx.redis, { name, caller, limit: mine, window: '60 s' });
    const shared = own.allowed
      ? await takeShared(ctx.redis, { name: `${name}_all`, caller: 'all', limit: all, window: '60 s' })
      : own;
    if (shared.allowed) return shared.remaining / all;
  } catch (cause) {
    throw away(cause);
  }
  throw new PlatformError('rate_limited', 'Xaman was asked too often just now. Wait a minute, or pay by the QR code.');
}

/** Its operator hears of an answer that did not come: a wrong key looks the same to every visitor. */
async function told<T>(ctx: Ctx, call: Promise<T>): Promise<T> {
  return call.catch((err: unknown) => {
    ctx.log.warn({ err }, 'Xaman was asked in vain');
    throw err;
  });
}

/** Asks Xaman for a signature. `caller` is whom it is counted for. Throws `rate_limited` and `service_unavailable`. */
export async function makeSignRequest(
  ctx: Ctx,
  order: Omit<NewPayload, 'expireMinutes'>,
  caller: string,
): Promise<SignRequest> {
  if (xamanSettings() === null) throw away(undefined);
  await count(ctx, 'requests', caller);
  const { uuid, link } = await told(ctx, createPayload({ ...order, expireMinutes: EXPIRE_MINUTES }));
  const untilMs = ctx.clock.nowMs() + FOLLOWED_MS;
  return { sealedId: seal(JSON.stringify({ uuid, untilMs }), CONTEXT, ctx.random), link };
}

/** The id at Xaman; throws `invalid_request` for what was not sealed here. */
function opened(sealedId: string) {
  try {
    return sealedIdSchema.parse(JSON.parse(unseal(sealedId, CONTEXT)));
  } catch (cause) {
    throw new PlatformError('invalid_request', 'This sign request was not made here. Start again.', { cause });
  }
}

/** What the answer of Xaman says. Pure. */
export function stateOf({ meta, response }: XamanPayload, network: string, askAgainMs: number): SignRequestState {
  if (meta.resolved && !meta.signed) return { state: 'rejected' };
  if (meta.signed) {
    const { account, txid } = response;
    // What was not submitted, as a sign-in, has empty texts here.
    const result = response.dispatched_result || null;
    const signedOn = response.dispatched_nodetype || response.environment_nodetype || network;
    if (account === null) throw away(new Error('Xaman names no account'));
    if (signedOn !== network) return { state: 'other_network' };
    return { state: 'signed', wallet: account, hash: txid, result };
  }
  // Who has opened it in time may still sign.
  if (meta.cancelled || (meta.expired && !meta.app_opened)) return { state: 'expired' };
  return { state: meta.app_opened ? 'opened' : 'waiting', askAgainMs };
}

/** Where a sign request stands. Throws `invalid_request`, `rate_limited` and `service_unavailable`. */
export async function followSignRequest(ctx: Ctx, sealedId: string, caller: string): Promise<SignRequestState> {
  const { uuid, untilMs } = opened(sealedId);
  const network = xamanSettings()?.network;
  if (network === undefined) throw away(undefined);
  if (ctx.clock.nowMs() > untilMs) {
    throw new PlatformError(
      'invalid_request',
      'This request is too old to be followed. Xaman shows whether you signed it.',
    );
  }
  const left = await count(ctx, 'looks', caller);
  return stateOf(await told(ctx, readPayload(uuid)), network, left > 0.5 ? ASK_AGAIN_MS : ASK_AGAIN_LATER_MS);
}

/** Takes a sign request back, unless it is open on a phone. Throws as `followSignRequest`. */
export async function cancelSignRequest(ctx: Ctx, sealedId: string, caller: string): Promise<void> {
  const { uuid, untilMs } = opened(sealedId);
  if (ctx.clock.nowMs() > untilMs) return;
  await count(ctx, 'looks', caller);
  await told(ctx, cancelPayload(uuid));
}
