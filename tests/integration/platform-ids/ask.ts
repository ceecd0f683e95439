import type { Handlers } from '#lib/api/route.ts';
import * as generate from '../../../app/api/platform-id/generate/route.ts';
import * as profile from '../../../app/api/platform-id/profile/[wallet_address]/route.ts';
import * as status from '../../../app/api/platform-id/status/[wallet_address]/route.ts';

interface Answered {
  status: number;
  headers: Headers;
  // The tests' assertions say what it must be.
  body: Record<string, unknown>;
}

let callers = 0;

async function ask(method: 'GET' | 'POST', route: Handlers, path: string, given: { body?: unknown; wallet?: string }) {
  callers += 1;
  const request = new Request(`http://127.0.0.1:3000${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': `198.19.${callers >> 8}.${callers & 255}`,
    },
    ...(given.body === undefined ? {} : { body: JSON.stringify(given.body) }),
  });
  const params = Promise.resolve(given.wallet === undefined ? undefined : { wallet_address: given.wallet });
  const answer = await route[method](request, { params });
  return { status: answer.status, headers: answer.headers, body: await answer.json() } as Answered;
}

/** Each of them through its own route file, as the framework would, and as somebody else each time. */
export const askStatus = (wallet: string): Promise<Answered> =>
  ask('GET', status, `/api/platform-id/status/${wallet}`, { wallet });
export const askProfile = (wallet: string): Promise<Answered> =>
  ask('GET', profile, `/api/platform-id/profile/${wallet}`, { wallet });
export const askToGenerate = (body: unknown): Promise<Answered> =>
  ask('POST', generate, '/api/platform-id/generate', { body });
