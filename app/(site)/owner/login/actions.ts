'use server';

import { randomBytes } from 'node:crypto';
import { cookies, headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { sealSession } from '#lib/accounts/members/console-session.ts';
import { SESSION_HOURS, signInContract } from '#lib/accounts/members/contracts.ts';
import { endSession } from '#lib/accounts/members/sessions.ts';
import { signIn as signInMember } from '#lib/accounts/members/sign-in.ts';
import { clientIp } from '#lib/api/client-ip.ts';
import { faultMessage } from '#lib/api/fault-messages.ts';
import { isFromOwnPage } from '#lib/api/from-own-page.ts';
import { takeRateLimit } from '#lib/api/rate-limit.ts';
import { beginAction } from '#lib/api/server-action.ts';
import { env } from '#lib/base/env.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import { createCtx } from '#lib/ctx.ts';
import { lazyLedger } from '#lib/xrpl/lazy.ts';
import { sessionCookie } from '../../operator/session-cookie.ts';
import { signedIn } from '../session.ts';

/** Signs in by a wallet proof; answers with what is wrong, or null. The session that this browser had until now ends. */
export async function signIn(given: unknown): Promise<string | null> {
  beginAction();
  const sent = await headers();
  if (!isFromOwnPage(sent)) return `This was not sent by the page for signing in. Open it at ${env().BASE_URL}.`;
  const body = signInContract.body.safeParse(given, { error: faultMessage });
  if (!body.success) return 'This is no proof of a wallet. Get a new text and sign it.';
  const ctx = await createCtx(newId('req', randomBytes), { kind: 'anonymous' }, lazyLedger);
  try {
    await takeRateLimit(signInContract, clientIp(sent), () => ctx.redis, ctx.clock.nowMs());
    const { session_token: token } = await signInMember(ctx, body.data);
    await endOwnSession();
    const { name, attributes } = sessionCookie('owner');
    const session = sealSession(token, randomBytes);
    (await cookies()).set(name, session, { ...attributes, maxAge: SESSION_HOURS * 3_600 });
  } catch (err) {
    if (err instanceof PlatformError) return err.detail;
    throw err;
  }
  return null;
}

/** Ends the session, in this browser and for whoever else might have it. Another site's page cannot. */
export async function signOut(): Promise<void> {
  beginAction();
  if (!isFromOwnPage(await headers())) redirect('/owner');
  await endOwnSession();
  const { name, attributes } = sessionCookie('owner');
  (await cookies()).set(name, '', { ...attributes, maxAge: 0 });
  redirect('/owner/login');
}

/** One that has ended meanwhile needs no end. */
async function endOwnSession(): Promise<void> {
  const ctx = await signedIn();
  if (ctx === null) return;
  await endSession(ctx, ctx.actor.sessionId).catch((err: unknown) => {
    if (!(err instanceof PlatformError)) throw err;
  });
}
