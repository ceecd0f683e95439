import { existsSync } from 'node:fs';
import { isValidClassicAddress } from 'ripple-address-codec';
import { z } from 'zod';
import { balanceText, levelList } from './level-list.ts';

const required = (description: string) => z.string().min(1).describe(description);
const optional = (description: string) => z.string().min(1).optional().describe(description);
const secret = (description: string) =>
  z.string().min(32, 'must be at least 32 characters').optional().describe(description);
const flag = (description: string) =>
  z
    .enum(['0', '1'])
    .default('0')
    .transform((text) => text === '1')
    .describe(description);
const integer = (fallback: number, min: number, max: number, description: string) =>
  z.coerce.number().int().min(min).max(max).default(fallback).describe(description);
const commaList = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** A witness that is asked for signatures: the address of its key, where it listens, and the token that it asks for. */
const WITNESS_FORM = /^(r[1-9A-HJ-NP-Za-km-z]{24,34})=(https?:\/\/[^\s#@]+)#([\x21-\x7e]{16,200})$/;
const witnessSetting = () =>
  z.string().transform((text, ctx) => {
    const [, key = '', url = '', token = ''] = WITNESS_FORM.exec(text) ?? [];
    if (isValidClassicAddress(key) && URL.canParse(url) && (url.startsWith('https:') || isLoopbackUrl(url))) {
      return { key, url: url.replace(/\/+$/, ''), token };
    }
    // The value holds a token: the message must never quote it.
    ctx.issues.push({
      code: 'custom',
      input: '',
      message: 'must be key-address=https-URL#token, http for loopback only',
    });
    return z.NEVER;
  });

/** An http or https URL with no more than a host, a port and perhaps a user name and password. The message never quotes it. */
const proxySetting = () =>
  z.string().transform((text, ctx) => {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search + url.hash === '')
      return url;
    ctx.issues.push({ code: 'custom', input: '', message: 'must be http(s)://[user:password@]host[:port]' });
    return z.NEVER;
  });

/** What may be asked for instead of done: what an operator does with it cannot be taken back. */
export const APPROVABLE_ACTIONS = ['launch', 'release'] as const;
export type ApprovableAction = (typeof APPROVABLE_ACTIONS)[number];

/** The SDK reads the address again, and the headers, by itself. */
const otlpEndpoint = () => z.url({ protocol: /^https?$/ }).optional();

/** What two spellings of one address have in common; a value that is no address is told by its own check. */
const serverOf = (url: string): string => (URL.canParse(url) ? new URL(url).href : url);

const makeSchema = () =>
  z.object({
    BASE_URL: z.url({ protocol: /^https?$/ }).describe('Public address of this deployment, without a path'),
    POSTGRES_URL: required('Postgres connection string; a Neon or Vercel host uses the WebSocket driver'),
    POSTGRES_URL_NON_POOLING: optional('Direct Postgres connection string for migrations; defaults to POSTGRES_URL'),
    POSTGRES_POOL_SIZE: integer(10, 1, 100, 'Connections one instance may open'),
    KV_REST_API_URL: z.url().describe('Upstash Redis REST address; one for this deployment alone'),
    KV_REST_API_TOKEN: required('Upstash Redis REST token'),
    QSTASH_URL: z.url().default('https://qstash.upstash.io').describe('QStash address'),
    QSTASH_TOKEN: required('QStash token'),
    QSTASH_CURRENT_SIGNING_KEY: required('QStash signing key, current'),
    QSTASH_NEXT_SIGNING_KEY: required('QStash signing key, next'),
    XRPL_URLS: z
      .string()
      .transform(commaList)
      .pipe(z.array(z.url({ protocol: /^wss?$/ })).min(1))
      .refine((urls) => new Set(urls.map(serverOf)).size === urls.length, 'names a server twice')
      .describe('XRP Ledger WebSocket servers, comma separated, the preferred one first'),
    XRPL_NETWORK_ID: z.coerce
      .number()
      .int()
      .min(0)
      .max(0xffff_ffff)
      .default(0)
      .describe('Network id the servers must report (0 main net, 1 test net)'),
    EXPLORER_URL: z
      .url({ protocol: /^https$/ })
      .optional()
      .describe('Ledger explorer that answers link to; left out, the usual one of the network, where there is one'),
    API_KEY_MODE: z.enum(['live', 'test']).default('live').describe('Prefix of new API keys: tr_live_ or tr_test_'),
    CRON_SECRET: secret('Secret that the scheduler sends with each call; without it no scheduled call is accepted'),
    ADMIN_TOKENS: z
      .string()
      .default('')
      .transform(commaList)
      .pipe(
        z.array(
          z
            .string()
            .regex(/^[a-z0-9._-]{1,40}:(operator|read_only):[0-9a-f]{64}$/, 'must be name:role:sha256-of-token'),
        ),
      )
      .refine((entries) => {
        const roles = entries.map((entry) => entry.split(':').slice(0, 2).join(':'));
        return new Set(roles).size === new Set(roles.map((role) => role.split(':')[0])).size;
      }, 'gives one name two roles')
      .refine(
        (entries) => new Set(entries.map((entry) => entry.split(':')[2])).size === entries.length,
        'names one token twice',
      )
      .describe('Administrators as name:role:sha256-of-token, comma separated; role is operator or read_only'),
    TWO_PERSON_ACTIONS: z
      .string()
      .default('')
      .transform(commaList)
      .pipe(z.array(z.enum(APPROVABLE_ACTIONS, 'must be launch, release or both')))
      .refine((actions) => new Set(actions).size === actions.length, 'names an action twice')
      .describe(
        'Actions that one operator asks for and another approves, comma separated: launch, release; left out, one operator is enough',
      ),
    SIGNING_KEYS: z
      .string()
      .default('')
      .transform(commaList)
      .pipe(
        z.array(
          z.string().regex(/^r[1-9A-HJ-NP-Za-km-z]{24,34}=(ed25519|secp256k1):s[1-9A-HJ-NP-Za-km-z]+$/, {
            // The value is a seed: the message must never quote it.
            error: 'must be address=algorithm:seed with algorithm ed25519 or secp256k1',
          }),
        ),
      )
      .describe(
        'Signing keys of deposit and distributor accounts as address=algorithm:seed, comma separated; master or regular',
      ),
    OWNER_DEPOSIT_ACCOUNTS: z
      .string()
      .default('')
      .transform(commaList)
      .pipe(z.array(z.string().refine(isValidClassicAddress, 'must be classic addresses (r…)')))
      .describe('Deposit accounts on which owners may draft sales, comma separated; without one no owner can'),
    WITNESSES: z
      .string()
      .default('')
      .transform(commaList)
      .pipe(z.array(witnessSetting()))
      .refine((entries) => new Set(entries.map(({ key }) => key)).size === entries.length, 'names a key twice')
      .describe('Witnesses as key-address=https-URL#token, comma separated; http for loopback only'),
    PAYOUT_HOURLY_LIMIT: integer(20_000, 1, 1_000_000, 'Payouts one account may make within an hour; the others wait'),
    PAYOUT_HOURLY_XRP: integer(
      0,
      0,
      100_000_000_000,
      'Whole XRP one account may pay out as refunds and releases within an hour; 0 is no limit',
    ),
    WEBHOOK_ENCRYPTION_KEYS: z
      .string()
      .transform(commaList)
      .pipe(z.array(z.string().regex(/^[a-z0-9_-]{1,16}:[A-Za-z0-9+/]{43}=$/, 'must be id:base64-of-32-bytes')).min(1))
      .refine((keys) => new Set(keys.map((key) => key.split(':')[0])).size === keys.length, 'names an id twice')
      .describe('AES-256 keys for webhook secrets at rest as id:base64, comma separated, the current one first'),
    WEBHOOK_ALLOW_LOOPBACK: flag(
      '1 lets webhooks target http://127.0.0.0/8 and http://localhost; sandbox only, refused on Vercel',
    ),
    WEBHOOK_PROXY: proxySetting()
      .optional()
      .describe(
        'HTTP proxy (CONNECT) through which webhooks are sent, for a fixed outgoing address; without it, directly',
      ),
    WEBHOOK_TIMEOUT_MS: integer(10_000, 100, 30_000, 'Time-out of one webhook delivery, body included'),
    WEBHOOK_RETENTION_DAYS: integer(
      30,
      1,
      3_650,
      'Days after which the payloads of events and the attempts of their deliveries are pruned; the log keeps its lines',
    ),
    WEBHOOKS_PER_TENANT: integer(
      20,
      3,
      500,
      'Webhooks of one wallet that is proven and has an account on the ledger; every event is written for each of them',
    ),
    WEBHOOKS_PER_UNFUNDED_WALLET: integer(
      3,
      1,
      500,
      'Webhooks of one wallet that is proven and has no account on the ledger: such a wallet costs nothing',
    ),
    PLATFORM_TOKEN: z
      .string()
      .regex(/^(?:(?!XRP\.)(?:[\x21-\x7e]{3}|[0-9A-Fa-f]{40})\.r\w+|[0-9A-Fa-f]{48})$/, {
        error: 'must be currency.issuer, or an MPT issuance id of 48 hex digits',
      })
      .refine((token) => !token.includes('.') || isValidClassicAddress(token.slice(token.lastIndexOf('.') + 1)), {
        error: 'names an issuer whose checksum does not fit',
      })
      .optional()
      .describe('Token whose holders count as the platform’s: currency.issuer, or an MPT issuance id; left out, none'),
    HOLDERS_EXCLUDED: z
      .string()
      .default('')
      .transform(commaList)
      .pipe(z.array(z.string().refine(isValidClassicAddress, 'must be addresses (r…): a checksum does not fit')))
      .describe('Accounts that are no holders of any token (treasuries, exchanges), comma separated'),
    PLATFORM_ID_MIN_BALANCE: balanceText()
      .default('0')
      .describe('Platform tokens that a wallet must hold for a Platform ID; 0 is any amount above zero'),
    PLATFORM_ID_LEVELS: z
      .string()
      .default('bronze:1,silver:1000,gold:10000,platinum:100000')
      .transform(commaList)
      .pipe(levelList())
      .describe('Levels of Platform IDs as name:balance, comma separated, the lowest first; below them is holder'),
    CONFIRMATIONS: integer(1, 0, 20, 'Ledgers between the validated one and the newest confirmed payment'),
    REFUND_MIN_DROPS: integer(1_000, 10, 1_000_000, 'Minimum refund of change in drops; less is kept as rounding'),
    DEFAULT_MIN_INVESTMENT_DROPS: integer(
      1_000_000,
      0,
      1_000_000_000_000,
      'Minimum payment in drops of a sale that is created without `min_investment_xrp`; 0 for none',
    ),
    FOLLOW_LEDGER: z
      .enum(['0', '1'], 'must be 1 or 0')
      .default('1')
      .transform((value) => value === '1')
      .describe(
        '1: while a sale is active a worker does its work at each ledger that closes; 0: at each beat only, which costs less',
      ),
    HEARTBEAT_SECONDS: integer(
      4,
      1,
      60,
      'Pause between two beats of process-payments while something is due and the ledger is not followed',
    ),
    SLICE_BUDGET_MS: integer(20_000, 1_000, 25_000, 'Time one slice of background work may take'),
    XAMAN_API_KEY: z
      .guid('must be a UUID, as Xaman’s developer console gives it')
      .optional()
      .describe('Key of an application at Xaman (apps.xumm.dev), with its secret: the Buy card then offers Xaman'),
    XAMAN_API_SECRET: z
      .guid('must be a UUID, as Xaman’s developer console gives it')
      .optional()
      .describe('Secret of that application; it never leaves the server'),
    XAMAN_API_URL: z
      .url({ protocol: /^https?$/ })
      .default('https://xumm.app/api/v1/platform')
      .describe('Platform API of Xaman'),
    XAMAN_NETWORK: z
      .string()
      .regex(/^[A-Z0-9_]{1,32}$/, 'must be a name as Xaman writes it, such as TESTNET')
      .optional()
      .describe('Name that Xaman gives the network; left out, MAINNET, TESTNET or DEVNET for the ids 0, 1 and 2'),
    XAMAN_CALLS_PER_MINUTE: integer(
      60,
      2,
      100_000,
      'Calls to Xaman a minute over all visitors, half of them for new sign requests; an application has at least 60',
    ),
    WALLETCONNECT_PROJECT_ID: z
      .string()
      .regex(/^[0-9a-f]{32}$/, 'must be 32 hex digits')
      .optional()
      .describe('Project at WalletConnect (dashboard.reown.com); public. The Buy card then offers WalletConnect'),
    WALLETCONNECT_RELAY_URL: z
      .url({ protocol: /^wss?$/ })
      .default('wss://relay.walletconnect.org')
      .describe('Relay of WalletConnect'),
    OPENAI_API_KEY: optional('Key of the language model; without it the built-in assistant answers'),
    OPENAI_BASE_URL: z
      .url({ protocol: /^https?$/ })
      .default('https://api.openai.com/v1')
      .describe('Server that speaks the chat completions API of OpenAI'),
    OPENAI_MODEL: z.string().min(1).default('gpt-5-mini').describe('Language model that answers'),
    ASSISTANT_TIMEOUT_MS: integer(45_000, 500, 55_000, 'Time one answer of the assistant may take, look-ups included'),
    ASSISTANT_DAILY_LIMIT: integer(
      2_000,
      0,
      10_000_000,
      'Answers by the language model a day; then the built-in assistant answers',
    ),
    ASSISTANT_CALLER_DAILY_LIMIT: integer(100, 0, 10_000_000, 'The same for one address'),
    VALIDATE_RESPONSES: flag('1 checks every answer against its declared schema; for tests and the sandbox'),
    RATE_LIMIT_SCALE: integer(1, 1, 1_000, 'Multiplies every rate limit; for load tests'),
    TRUSTED_PROXIES: integer(
      1,
      0,
      10,
      'Proxies in front that append to X-Forwarded-For; limits a caller need at least one (not used on Vercel)',
    ),
    LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info').describe('Log level'),
    OTEL_EXPORTER_OTLP_ENDPOINT: otlpEndpoint().describe(
      'OTLP/HTTP receiver to which metrics go each minute, as OpenTelemetry defines it: the platform adds /v1/metrics; left out, nothing goes out',
    ),
    OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: otlpEndpoint().describe('The same as a whole address, in its place'),
    OTEL_EXPORTER_OTLP_HEADERS: optional(
      'Headers for the receiver as name=value, comma separated, such as its API key',
    ),
    OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: z
      .string()
      .toLowerCase()
      .pipe(z.enum(['cumulative', 'delta', 'lowmemory']))
      .default('cumulative')
      .describe('cumulative, or delta where the receiver asks for it'),
    OTEL_SERVICE_NAME: z.string().min(1).default('tranche').describe('Name of this deployment in the metrics'),
    OTEL_RESOURCE_ATTRIBUTES: optional('More about it as name=value, comma separated'),
    PORT: z.coerce.number().int().min(0).max(65_535).optional().describe('Set by Next.js itself: where it listens'),
    VERCEL: optional('Set by Vercel itself'),
    VERCEL_GIT_COMMIT_SHA: optional('Set by Vercel itself; shown in the system status'),
  });

type EnvSchema = ReturnType<typeof makeSchema>;
export type Env = z.output<EnvSchema>;

let schema: EnvSchema | undefined;

/** Every setting of the platform: its name, default and purpose. `.env.example` is checked against it. Made on first use. */
export function envSchema(): EnvSchema {
  schema ??= makeSchema();
  return schema;
}

/** Next.js bundles the start, the proxy and the routes each by itself: the first of them parses the settings of the process. */
const PARSED = Symbol.for('tranche.settings');
const ofProcess: typeof globalThis & { [PARSED]?: Env } = globalThis;

/** The settings as they were given: for who judges them one by one. */
export const environmentSettings = (): Record<string, string | undefined> => process.env;

/** The settings, parsed once on first use. Throws one error that names every faulty variable, never a value. */
export function env(): Env {
  ofProcess[PARSED] ??= parseEnv(process.env);
  return ofProcess[PARSED];
}

/** Parses settings from any source; an empty value counts as not set. */
export function parseEnv(source: Record<string, string | undefined>): Env {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ''));
  // Parsed once: a compiled parser takes longer to make than it saves.
  const result = envSchema().safeParse(given, { jitless: true });
  if (!result.success) {
    const faults = result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`The environment is not valid. ${[...new Set(faults)].join('; ')}`);
  }
  if (result.data.WEBHOOK_ALLOW_LOOPBACK && result.data.VERCEL !== undefined) {
    throw new Error('The environment is not valid. WEBHOOK_ALLOW_LOOPBACK is for the sandbox and refused on Vercel');
  }
  if ((result.data.XAMAN_API_KEY === undefined) !== (result.data.XAMAN_API_SECRET === undefined)) {
    throw new Error('The environment is not valid. XAMAN_API_KEY and XAMAN_API_SECRET are set together or not at all');
  }
  return result.data;
}

/** Replaces the settings of this process; for tests, which run the production code under several settings. */
export function applyEnv(source: Record<string, string | undefined>): void {
  ofProcess[PARSED] = parseEnv(source);
}

const USUAL_FILE = '.env.local';

/**
 * For commands: adds the settings of a file to those of the environment, which win. Without a name it is `.env.local`, where
 * that exists. Throws when a named file cannot be read.
 */
export function loadSettings(file: string | undefined): void {
  if (file !== undefined) process.loadEnvFile(file);
  else if (existsSync(USUAL_FILE)) process.loadEnvFile(USUAL_FILE);
}

/** True for an address of this machine: what stands there is a sandbox or a development server. */
export function isLoopbackUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
