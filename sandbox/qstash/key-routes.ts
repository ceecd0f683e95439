import type { HttpAnswer } from '../http-server.ts';
import type { Route } from './routes.ts';
import type { SigningKeys } from './signing-keys.ts';

/** /v2/keys, and /v2/keys/rotate. */
export function keyRoutes(keys: SigningKeys): Route[] {
  const both = (): HttpAnswer => ({ status: 200, json: { current: keys.current, next: keys.next } });
  return [
    { method: 'GET', pattern: /^\/v2\/keys$/, handle: both },
    {
      method: 'POST',
      pattern: /^\/v2\/keys\/rotate$/,
      handle: () => {
        keys.rotate();
        return both();
      },
    },
  ];
}
