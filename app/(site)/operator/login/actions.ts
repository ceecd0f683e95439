'use server';

import { randomBytes } from 'node:crypto';
import { cookies, headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { readSession, SESSION_SECONDS } from '#lib/accounts/administrators/session.ts';
import { clientIp } from '#lib/api/client-ip.ts';
import { isFromOwnPage } from '#lib/api/from-own-page.ts';
import { beginAction } from '#lib/api/server-action.ts';
import { systemClock } from '#lib/base/clock.ts';
import { env } from '#lib/base/env.ts';
import { logger } from '#lib/base/log.ts';
import { sessionCookie } from '../session-cookie.ts';
import { checkToken } from './refusals.ts';

/** Signs in with an administrator's token; answers with what is wrong. The token is in no answer and no log. */
export async function signIn(_: string | null, form: FormData): Promise<string | null> {
  // A body may hold anything in the form's place: that is read before it counts as begun.
  const token = form.get('token');
  beginAction();
  const sent = await headers();
  if (!isFromOwnPage(sent)) return `This was not sent by the page for signing in. Open it at ${env().BASE_URL}.`;
  const caller = clientIp(sent);
  const nowMs = systemClock.nowMs();
  const tried = checkToken(token, caller, nowMs, randomBytes);
  if ('fault' in tried) {
    if (tried.isLogged) logger().warn({ caller }, 'somebody gave the console a token that is no administrator’s');
    return tried.fault;
  }
  const { session } = tried;
  logger().info({ caller, administrator: readSession(session, nowMs)?.name }, 'an administrator signed in');
  const { name, attributes } = sessionCookie();
  (await cookies()).set(name, session, { ...attributes, maxAge: SESSION_SECONDS });
  redirect('/operator');
}

/** Ends the session in this browser. Another site's page cannot: signing out uninvited is a nuisance, too. */
export async function signOut(): Promise<void> {
  beginAction();
  if (!isFromOwnPage(await headers())) redirect('/operator');
  const { name, attributes } = sessionCookie();
  (await cookies()).set(name, '', { ...attributes, maxAge: 0 });
  redirect('/operator/login');
}
