'use server';

import { headers } from 'next/headers';
import { isFromOwnPage } from '#lib/api/from-own-page.ts';
import { beginAction } from '#lib/api/server-action.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { operatorCtx } from '../session.ts';

const HASH = /^[0-9A-F]{64}$/;

/** What became of a transaction that a wallet has sent: its result once it is validated, null before. */
export async function resultOf(hash: unknown): Promise<string | null> {
  beginAction();
  if (!isFromOwnPage(await headers())) return null;
  const ctx = await operatorCtx();
  if (typeof hash !== 'string' || !HASH.test(hash)) return null;
  try {
    const found = await ctx.ledger.lookUp(hash);
    return found.state === 'validated' ? found.result : null;
  } catch (err) {
    // Without the ledger nothing is known: the page asks again.
    if (err instanceof PlatformError) return null;
    throw err;
  }
}
