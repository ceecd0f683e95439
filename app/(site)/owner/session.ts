import { randomBytes } from 'node:crypto';
import { cookies } from 'next/headers';
import { redirect } from 'next/navigation';
import { cache } from 'react';
import { readConsoleSession } from '#lib/accounts/members/console-session.ts';
import { newId } from '#lib/base/ids.ts';
import { type Actor, type Ctx, createCtx } from '#lib/ctx.ts';
import { getProject } from '#lib/sales/projects/get-project.ts';
import { requireOwnProject } from '#lib/sales/projects/require-own-project.ts';
import { lazyLedger } from '#lib/xrpl/lazy.ts';
import { orNotFound } from '../_data/or-not-found.ts';
import { sessionCookie } from '../operator/session-cookie.ts';

export type OwnerCtx = Ctx & { actor: Extract<Actor, { kind: 'member' }> };

/** With the member who is signed in; null for anybody else, also once the session or the membership has ended. */
export const signedIn = cache(async (): Promise<OwnerCtx | null> => {
  const cookie = (await cookies()).get(sessionCookie('owner').name)?.value;
  if (cookie === undefined) return null;
  const ctx = await createCtx(newId('req', randomBytes), { kind: 'anonymous' }, lazyLedger);
  const actor = await readConsoleSession(ctx, cookie);
  if (actor === null) return null;
  return Object.defineProperty(ctx, 'actor', { value: actor }) as OwnerCtx;
});

/** What a page or an action of the console works with. Each asks for itself: a layout protects nothing beneath it. */
export async function ownerCtx(): Promise<OwnerCtx> {
  return (await signedIn()) ?? redirect('/owner/login');
}

/** One of the tenant's sales, with who is signed in: the only way for a page to one. For another's there is no such page. */
export async function ownSale(params: Promise<{ id: string }>) {
  const ctx = await ownerCtx();
  const { id } = await params;
  await orNotFound(requireOwnProject(ctx, ctx.actor, id));
  return { ctx, project: await orNotFound(getProject(ctx, id)), path: `/owner/sales/${id}` };
}
