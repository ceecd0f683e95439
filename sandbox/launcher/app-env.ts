import { createHash } from 'node:crypto';
import { APPROVABLE_ACTIONS, envSchema } from '#lib/base/env.ts';
import { DEMO_CURRENCY } from '../crowd/accounts.ts';
import type { RealServices } from './env-file.ts';
import type { Secrets } from './secrets.ts';

/** What Xaman calls the sandbox's ledger. */
export const XAMAN_NETWORK = 'SANDBOX';

export type AppContext = {
  port: number;
  baseUrl: string;
  postgresUrl: string;
  redisUrl: string;
  qstashUrl: string;
  ledgerUrl: string;
  networkId: number;
  secrets: Secrets;
  /** None: the accounts have one key. */
  witnesses: { key: string; url: string; token: string }[];
  /** One operator asks for a launch or a release, and another approves it. */
  twoPersons: boolean;
  real: RealServices;
  /** Where wallets on a phone are reached; null with a real ledger, whose wallets are real too. */
  walletApps: { xamanUrl: string; relayUrl: string } | null;
  /** Settings of the language model; none: the built-in assistant answers. */
  openai: Record<string, string>;
};

/** Where the sandbox is quicker than production is by default. */
export const SANDBOX_PACE = {
  // Everything on this machine is one caller.
  RATE_LIMIT_SCALE: process.env.RATE_LIMIT_SCALE ?? '10',
  HEARTBEAT_SECONDS: '1',
};

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The app's whole environment: every setting that the sandbox does not set is empty, whatever a file says. */
export const appEnvironment = (surroundings: AppContext): Record<string, string> => ({
  ...Object.fromEntries([...SETTINGS].map((name) => [name, ''])),
  ...buildEnvironment(),
  PORT: String(surroundings.port),
  ...appSettings(surroundings),
});

/** The one list of what the sandbox sets for the app. Real services take the place of stand-ins. */
export function appSettings(surroundings: AppContext): Record<string, string> {
  const { secrets, real } = surroundings;
  return {
    BASE_URL: surroundings.baseUrl,

    POSTGRES_URL: surroundings.postgresUrl,
    KV_REST_API_URL: surroundings.redisUrl,
    KV_REST_API_TOKEN: secrets.redisToken,
    QSTASH_URL: surroundings.qstashUrl,
    QSTASH_TOKEN: secrets.qstashToken,
    QSTASH_CURRENT_SIGNING_KEY: secrets.qstashCurrentSigningKey,
    QSTASH_NEXT_SIGNING_KEY: secrets.qstashNextSigningKey,
    XRPL_URLS: surroundings.ledgerUrl,
    XRPL_NETWORK_ID: String(surroundings.networkId),
    // The token that the demo sale sells.
    PLATFORM_TOKEN: `${DEMO_CURRENCY}.${secrets.issuer.address}`,
    SIGNING_KEYS: [secrets.deposit, secrets.distributor]
      // Under custody the accounts' own keys are disabled: the platform has one of the keys of their signer lists.
      .map((account) => [account.address, (surroundings.witnesses.length > 0 ? secrets.platformSigner : account).seed])
      .concat([secrets.ownerDeposit, secrets.ownerDistributor].map(({ address, seed }) => [address, seed]))
      .map(([address, seed]) => `${address}=ed25519:${seed}`)
      .join(),
    OWNER_DEPOSIT_ACCOUNTS: real.ledger === undefined ? secrets.ownerDeposit.address : '',
    WITNESSES: surroundings.witnesses.map(({ key, url, token }) => `${key}=${url}#${token}`).join(),

    CRON_SECRET: secrets.cronSecret,
    ADMIN_TOKENS: [
      `sandbox:operator:${sha256(secrets.adminToken)}`,
      `colleague:operator:${sha256(secrets.colleagueToken)}`,
      `auditor:read_only:${sha256(secrets.readOnlyToken)}`,
    ].join(),
    TWO_PERSON_ACTIONS: surroundings.twoPersons ? APPROVABLE_ACTIONS.join() : '',
    WEBHOOK_ENCRYPTION_KEYS: `k1:${secrets.encryptionKey}`,
    WEBHOOK_ALLOW_LOOPBACK: '1',
    API_KEY_MODE: 'test',
    VALIDATE_RESPONSES: '1',
    ...SANDBOX_PACE,
    CONFIRMATIONS: '1',
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'info',

    ...(surroundings.walletApps !== null && {
      XAMAN_API_KEY: secrets.xamanApiKey,
      XAMAN_API_SECRET: secrets.xamanApiSecret,
      XAMAN_API_URL: surroundings.walletApps.xamanUrl,
      XAMAN_NETWORK,
      XAMAN_CALLS_PER_MINUTE: '1000',
      WALLETCONNECT_PROJECT_ID: secrets.walletConnectProjectId,
      WALLETCONNECT_RELAY_URL: surroundings.walletApps.relayUrl,
    }),

    ...real.postgres,
    ...real.redis,
    ...real.qstash,
    ...real.ledger,
    ...surroundings.openai,
  };
}

/**
 * What a build may know: nothing of this start, because a later start uses the same build with other ports and secrets.
 */
export function buildEnvironment(): Record<string, string> {
  return {
    ...inheritedEnvironment(),
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    // Next.js takes this as a sign that somebody has read the .env files for it, and leaves them alone.
    __NEXT_PROCESSED_ENV: 'true',
  };
}

// Settings of the platform and of npm that happen to be exported in this shell: the flags alone decide.
const SETTINGS: ReadonlySet<string> = new Set(envSchema().keyof().options);
const NOT_INHERITED =
  /^(npm_|PG|POSTGRES_|DATABASE_URL|KV_|REDIS_|UPSTASH_|QSTASH_|XRPL_|OPENAI_|VERCEL|NODE_ENV$|PORT$)/;

/** The environment every child starts from: the user's own (PATH, HOME, proxies), without what would decide for us. */
export function inheritedEnvironment(): Record<string, string> {
  const inherited: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined && !SETTINGS.has(name) && !NOT_INHERITED.test(name)) inherited[name] = value;
  }
  return inherited;
}
