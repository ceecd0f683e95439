import { randomBytes } from 'node:crypto';
import { cookies } from 'next/headers';
import { redirect } from 'next/navigation';
import { cache } from 'react';
import type { Administrator } from '#lib/accounts/administrators/find-administrator.ts';
import { readSession } from '#lib/accounts/administrators/session.ts';
import { systemClock } from '#lib/base/clock.ts';
import { newId } from '#lib/base/ids.ts';
import { type Ctx, createCtx } from '#lib/ctx.ts';
import { lazyLedger } from '#lib/xrpl/lazy.ts';
import { sessionCookie } from './session-cookie.ts';

/** Who is signed in; null for anybody else. */
export const currentAdministrator = cache(async (): Promise<Administrator | null> => {
  const cookie = (await cookies()).get(sessionCookie().name)?.value;
  return cookie === undefined ? null : readSession(cookie, systemClock.nowMs());
});

export type OperatorCtx = Ctx & { actor: Administrator };

/** What a page or an action of the console works with. Each asks for itself: a layout protects nothing beneath it. */
export const operatorCtx = cache(async (): Promise<OperatorCtx> => {
  const actor = await currentAdministrator();
  if (actor === null) redirect('/operator/login');
  const ctx = await createCtx(newId('req', randomBytes), actor, lazyLedger);
  return Object.defineProperty(ctx, 'actor', { value: actor }) as OperatorCtx;
});
