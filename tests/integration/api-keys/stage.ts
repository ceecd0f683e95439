import { sign } from 'ripple-keypairs';
import type { Wallet } from 'xrpl';
import { authenticateApiKey } from '#lib/accounts/api-keys/authenticate-api-key.ts';
import { applyEnv } from '#lib/base/env.ts';
import { closeLedger } from '#lib/xrpl/lazy.ts';
import { type RunningRedisRest, startRedisRest } from '#sandbox/redis/index.ts';
import { type LedgerDesk, NETWORK_ID, openDesk } from '#tests/integration/xrpl/desk.ts';
import { type TestCtx, testCtx } from '#tests/support/ctx.ts';
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts';
import { testEnv } from '#tests/support/env.ts';
import { registerSecretsIn } from '#tests/support/secrets.ts';

const routes = {
  challenge: () => import('../../../app/api/api-keys/challenge/route.ts'),
  create: () => import('../../../app/api/api-keys/create/route.ts'),
  list: () => import('../../../app/api/api-keys/list/[wallet_address]/route.ts'),
  revoke: () => import('../../../app/api/api-keys/revoke/route.ts'),
};

export interface Challenge {
  id: string;
  message: string;
  wallet_address: string;
  expires_at: string;
}
export interface Proof {
  challenge_id: string;
  public_key: string;
  signature: string;
}
export interface Created {
  id: string;
  api_key: string;
  prefix: string;
  wallet_verified: boolean;
  scopes: string[];
  expires_at: string | null;
}
export interface Listed {
  api_keys: { id: string; name?: string | null; scopes?: string[]; wallet_verified: boolean }[];
  next_cursor: string | null;
}
interface Failure {
  code: string;
  detail: string;
  errors?: { field: string; message: string }[];
}
export interface Asked<Body> {
  status: number;
  headers: Headers;
  body: Body & Failure;
}
interface AskOptions {
  /** Address of the caller; one of its own for every call when left out. */
  ip?: string;
  apiKey?: string;
  /** A body to send as it is. */
  text?: string;
  wallet?: string;
  query?: string;
  method?: 'GET' | 'POST';
}

/** Everything real, once a test file: the routes, Postgres, Redis, and a ledger that closes on demand. */
export interface Stage {
  desk: LedgerDesk;
  database: FreshDatabase;
  redis: RunningRedisRest;
  ctx: TestCtx;
  /** Changes settings; what is not named stays. */
  set(settings: Record<string, string>): void;
  /** An address that nobody else uses. */
  newIp(): string;
  ask<Body>(route: keyof typeof routes, body?: unknown, options?: AskOptions): Promise<Asked<Body>>;
  /** The ctx of a key's holder, or of nobody: past the door, where requests a minute are counted. */
  as(apiKey?: string): Promise<TestCtx>;
  /** A challenge for a wallet, asked for over HTTP. */
  challenge(wallet: Pick<Wallet, 'address'>, action?: string, more?: { key_id?: string }): Promise<Challenge>;
  /** A proof by `signer`'s key, its own unless another is given. */
  proof(wallet: Wallet, action?: string, more?: { key_id?: string; signer?: Wallet }): Promise<Proof>;
  /** A key of the wallet's own tenant. */
  provenKey(wallet: Wallet, more?: Record<string, unknown>): Promise<Created>;
  end(): Promise<void>;
}

/** Signs a text as the guide says. */
export const signText = (text: string, { privateKey }: Wallet): string =>
  sign(Buffer.from(text, 'utf8').toString('hex').toUpperCase(), privateKey);

export const proofOf = ({ id, message }: Challenge, signer: Wallet): Proof => ({
  challenge_id: id,
  public_key: signer.publicKey,
  signature: signText(message, signer),
});

export async function openStage(): Promise<Stage> {
  const [desk, database] = await Promise.all([openDesk(), freshDatabase({ maxConnections: 10 })]);
  const redis = await startRedisRest({ token: testEnv().KV_REST_API_TOKEN ?? '' });
  let settings: Record<string, string> = {
    BASE_URL: 'https://sale.example.org',
    POSTGRES_URL: database.url,
    KV_REST_API_URL: redis.url,
    XRPL_URLS: desk.ledger.wsUrl,
    XRPL_NETWORK_ID: String(NETWORK_ID),
  };
  const set: Stage['set'] = (changed) => {
    settings = { ...settings, ...changed };
    applyEnv(testEnv(settings));
  };
  set({});
  let callers = 0;
  const stage: Stage = {
    desk,
    database,
    redis,
    ctx: testCtx({ db: database.db }),
    set,
    newIp() {
      callers += 1;
      return `198.18.${callers >> 8}.${callers & 255}`;
    },
    async ask<Body>(name: keyof typeof routes, body?: unknown, options: AskOptions = {}) {
      const { [options.method ?? 'POST']: handler } = await routes[name]();
      const text = options.text ?? (body === undefined ? null : JSON.stringify(body));
      const request = new Request(`http://127.0.0.1:3000/api/api-keys/${name}${options.query ?? ''}`, {
        method: options.method ?? 'POST',
        headers: {
          'x-forwarded-for': options.ip ?? stage.newIp(),
          ...(text === null ? {} : { 'content-type': 'application/json' }),
          ...(options.apiKey === undefined ? {} : { authorization: `Bearer ${options.apiKey}` }),
        },
        body: text,
      });
      const params = Promise.resolve(options.wallet === undefined ? undefined : { wallet_address: options.wallet });
      const response = await handler(request, { params });
      const answered = await response.text();
      registerSecretsIn(answered);
      return {
        status: response.status,
        headers: response.headers,
        body: JSON.parse(answered) as Body & Failure,
      };
    },
    async as(apiKey) {
      const actor = apiKey === undefined ? null : await authenticateApiKey(stage.ctx, apiKey);
      return testCtx({ db: database.db, overrides: { actor: actor ?? { kind: 'anonymous' } } });
    },
    async challenge(wallet, action = 'create_key', more = {}) {
      const asked = await stage.ask<Challenge>('challenge', { wallet_address: wallet.address, action, ...more });
      if (asked.status !== 201) throw new Error(`No challenge: ${asked.body.detail}`);
      return asked.body;
    },
    async proof(wallet, action, { signer = wallet, ...more } = {}) {
      return proofOf(await stage.challenge(wallet, action, more), signer);
    },
    async provenKey(wallet, more = {}) {
      const proof = await stage.proof(wallet);
      const asked = await stage.ask<Created>('create', { wallet_address: wallet.address, proof, ...more });
      if (asked.status !== 201) throw new Error(`No key: ${asked.body.detail}`);
      return asked.body;
    },
    async end() {
      await closeLedger();
      await redis.close();
      await database.close();
      await desk.end();
    },
  };
  return stage;
}
