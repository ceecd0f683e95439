'use server';

import { randomBytes } from 'node:crypto';
import { cookies, headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { openSession, readSession, SESSION_SECONDS } from '#lib/administrators/session.ts';
import { clientIp } from '#lib/http/client-ip.ts';
import { systemClock } from '#lib/platform/clock.ts';
import { logger } from '#lib/platform/log.ts';
import { isFromOwnPage } from '../from-own-page.ts';
import { sessionCookie } from '../session-cookie.ts';
import { mayTry, noteRefusal } from './refusals.ts';

const MOST_CHARACTERS = 512;

/** Signs in with an administrator's token; answers with what is wrong. The token is in no answer and no log. */
export async function signIn(_: string | null, form: FormData): Promise<string | null> {
  const sent = await headers();
  if (!isFromOwnPage(sent)) return 'This was not sent by the page for signing in.';
  const caller = clientIp(sent);
  const nowMs = systemClock.nowMs();
  if (!mayTry(caller, nowMs)) return 'Too many wrong tokens. Wait a minute.';
  const token = form.get('token');
  const session =
    typeof token === 'string' && token.length <= MOST_CHARACTERS ? openSession(token.trim(), nowMs, randomBytes) : null;
  if (session === null) {
    noteRefusal(caller, nowMs);
    logger().warn({ caller }, 'somebody gave the console a token that is no administrator’s');
    return 'This is no administrator’s token.';
  }
  logger().info({ caller, administrator: readSession(session, nowMs)?.name }, 'an administrator signed in');
  const { name, attributes } = sessionCookie();
  (await cookies()).set(name, session, { ...attributes, maxAge: SESSION_SECONDS });
  redirect('/operator');
}

export async function signOut(): Promise<void> {
  const { name, attributes } = sessionCookie();
  (await cookies()).set(name, '', { ...attributes, maxAge: 0 });
  redirect('/operator/login');
}
