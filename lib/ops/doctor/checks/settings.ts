import { parseEntry } from '#lib/accounts/administrators/find-administrator.ts';
import type { Env } from '#lib/base/env.ts';
import { isLoopbackUrl } from '#lib/base/env.ts';
import { sha256Hex } from '#lib/base/secretbox.ts';
import { defineCheck, type Finding, fault, ok, warning } from '../finding.ts';

/** Credentials that stand in public documents or programs: they protect nothing. */
const PUBLIC_QSTASH_CREDENTIALS: ReadonlySet<string> = new Set([
  // The QStash development server prints these at each start.
  'eyJVc2VySUQiOiJkZWZhdWx0VXNlciIsIlBhc3N3b3JkIjoiZGVmYXVsdFBhc3N3b3JkIn0=',
  'sig_7kYjw48mhY7kAjqNGcy6cr29RJ6r',
  'sig_5ZB6DVzB1wjE8S6rZ7eenA8Pdnhs',
  // Defaults of the stand-in under sandbox/qstash.
  'sandbox',
  'sig_current',
  'sig_next',
]);

/** Tokens that are tried first. */
const GUESSED_TOKENS: readonly string[] = [
  '',
  'admin',
  'administrator',
  'password',
  'secret',
  'test',
  'token',
  'changeme',
];

/** The seed of every new ledger's first account ("masterpassphrase"). */
const GENESIS_SEED = 'snoPBrXtMeMyMHUVTgbuqAfg1SUTb';

/** Bits that cannot be guessed. */
const ENOUGH_BITS = 100;

const PLACEHOLDER = /change.?me|example|placeholder|password|passw0rd|your.?(?:secret|token|key)|dummy|(.)\1{7}/i;

/** Bits of a text whose characters were drawn as often as they occur in it: an upper bound of what a guesser needs. */
function entropyBits(text: string): number {
  const characters = [...text];
  const counts = Map.groupBy(characters, (character) => character);
  let bits = 0;
  for (const { length } of counts.values()) bits -= length * Math.log2(length / characters.length);
  return bits;
}

/** Why a secret is no secret; null when it may be one. */
function weakness(secret: string): string | null {
  if (PLACEHOLDER.test(secret)) return 'looks like a placeholder';
  const bits = entropyBits(secret);
  return bits >= ENOUGH_BITS ? null : `is too regular (about ${Math.floor(bits)} bits)`;
}

const NEW_SECRET = 'Make a new one with `openssl rand -hex 32`, set it and deploy.';

function schedulerSecret(secret: string | undefined): Finding {
  const check = 'setting CRON_SECRET';
  if (secret === undefined) {
    return fault(check, 'is not set: no scheduled call is accepted', NEW_SECRET);
  }
  const weak = weakness(secret);
  return weak === null ? ok(check, `${secret.length} characters`) : fault(check, weak, NEW_SECRET);
}

function administrators({ ADMIN_TOKENS, CRON_SECRET }: Pick<Env, 'ADMIN_TOKENS' | 'CRON_SECRET'>): Finding[] {
  const check = 'setting ADMIN_TOKENS';
  const entries = ADMIN_TOKENS.map(parseEntry);
  if (entries.length === 0) {
    return [warning(check, 'names nobody', 'Make one with `npx tranche admin-token --name <name> --role operator`.')];
  }
  const guessed = new Set(GUESSED_TOKENS.map(sha256Hex));
  const findings = entries.flatMap(({ name, tokenHash }): Finding[] => {
    const again = `Make a new one with \`npx tranche admin-token --name ${name} …\` and take this entry out.`;
    if (guessed.has(tokenHash)) return [fault(check, `the token of ${name} is the first one that is guessed`, again)];
    if (CRON_SECRET !== undefined && tokenHash === sha256Hex(CRON_SECRET)) {
      return [fault(check, `the token of ${name} is CRON_SECRET`, again)];
    }
    return [];
  });
  if (findings.length > 0) return findings;
  const names = [...Map.groupBy(entries, ({ name }) => name)].map(([name, own]) =>
    own.length === 1 ? name : `${name} (${own.length} tokens)`,
  );
  return [ok(check, names.join(', '))];
}

/** What callers of internal operations show: the scheduler's secret and the administrators' tokens. */
export const credentialsCheck = defineCheck({
  name: 'credentials',
  needs: ['CRON_SECRET', 'ADMIN_TOKENS'],
  timeoutMs: 1_000,
  run: async (settings) => [schedulerSecret(settings.CRON_SECRET), ...administrators(settings)],
});

function encryptionKeys(keys: readonly string[]): Finding {
  const check = 'setting WEBHOOK_ENCRYPTION_KEYS';
  const regular = keys.find((key) => new Set(Buffer.from(key.slice(key.indexOf(':') + 1), 'base64')).size < 16);
  if (regular === undefined) return ok(check, `${keys.length}, the current one is ${keys[0]?.split(':')[0]}`);
  const advice =
    'Make one with `echo "k2:$(openssl rand -base64 32)"`, put it first, deploy, run `npx tranche reencrypt-webhooks`.';
  return fault(check, `the key ${regular.split(':')[0]} is not random`, advice);
}

/** Keys that seal and sign: whether they are random, and nobody else's. */
export const keysCheck = defineCheck({
  name: 'keys',
  needs: ['WEBHOOK_ENCRYPTION_KEYS', 'SIGNING_KEYS'],
  timeoutMs: 1_000,
  run: async ({ WEBHOOK_ENCRYPTION_KEYS, SIGNING_KEYS }) => {
    const sealing = encryptionKeys(WEBHOOK_ENCRYPTION_KEYS);
    if (!SIGNING_KEYS.some((entry) => entry.endsWith(`:${GENESIS_SEED}`))) return [sealing];
    const advice = 'Use accounts whose seed is yours alone.';
    return [sealing, fault('setting SIGNING_KEYS', 'holds the seed that every ledger begins with', advice)];
  },
});

/** Credentials of QStash that stand in public documents; on this machine alone they are fine. */
export const publicCredentialsCheck = defineCheck({
  name: 'public credentials',
  needs: ['BASE_URL', 'QSTASH_TOKEN', 'QSTASH_CURRENT_SIGNING_KEY', 'QSTASH_NEXT_SIGNING_KEY'],
  timeoutMs: 1_000,
  run: async ({ BASE_URL, QSTASH_TOKEN, QSTASH_CURRENT_SIGNING_KEY, QSTASH_NEXT_SIGNING_KEY }) => {
    if (isLoopbackUrl(BASE_URL)) return [];
    return Object.entries({ QSTASH_TOKEN, QSTASH_CURRENT_SIGNING_KEY, QSTASH_NEXT_SIGNING_KEY })
      .filter(([, value]) => PUBLIC_QSTASH_CREDENTIALS.has(value))
      .map(([name]) =>
        fault(
          `setting ${name}`,
          'is one that everybody knows: anybody can sign callbacks or read the queue',
          'Set those of your account, from the QStash console.',
        ),
      );
  },
});

const DEPLOYMENT = 'deployment';
const MAIN_NETWORK = 0;

/** Settings that are fine on this machine and not for others, and those that do not go together. */
export const deploymentCheck = defineCheck({
  name: DEPLOYMENT,
  needs: [
    'BASE_URL',
    'WEBHOOK_ALLOW_LOOPBACK',
    'VALIDATE_RESPONSES',
    'RATE_LIMIT_SCALE',
    'API_KEY_MODE',
    'XRPL_NETWORK_ID',
    'XRPL_URLS',
  ],
  timeoutMs: 1_000,
  run: async (settings) => {
    const { BASE_URL, XRPL_URLS, XRPL_NETWORK_ID } = settings;
    if (isLoopbackUrl(BASE_URL)) return [ok(DEPLOYMENT, 'a sandbox on this machine')];
    const found: Finding[] = [];
    const url = new URL(BASE_URL);
    if (url.protocol !== 'https:') {
      found.push(fault('setting BASE_URL', 'is not https', 'Set BASE_URL to the https address of the deployment.'));
    }
    if (url.pathname !== '/' || url.search !== '') {
      found.push(fault('setting BASE_URL', 'has a path', 'Set BASE_URL to scheme and host alone.'));
    }
    if (settings.WEBHOOK_ALLOW_LOOPBACK) {
      const advice = 'Set WEBHOOK_ALLOW_LOOPBACK to 0: webhooks could reach what listens beside the app.';
      found.push(fault('setting WEBHOOK_ALLOW_LOOPBACK', 'is on', advice));
    }
    if (settings.VALIDATE_RESPONSES) {
      found.push(warning('setting VALIDATE_RESPONSES', 'is on', 'Set it to 0: it costs time and is for tests.'));
    }
    if (settings.RATE_LIMIT_SCALE > 1) {
      const advice = 'Set RATE_LIMIT_SCALE to 1 unless a load test is under way.';
      found.push(warning('setting RATE_LIMIT_SCALE', `is ${settings.RATE_LIMIT_SCALE}`, advice));
    }
    const mode = XRPL_NETWORK_ID === MAIN_NETWORK ? 'live' : 'test';
    if (settings.API_KEY_MODE !== mode) {
      const advice = `Set API_KEY_MODE to ${mode}: keys should say which network they are for.`;
      found.push(warning('setting API_KEY_MODE', `is ${settings.API_KEY_MODE} on network ${XRPL_NETWORK_ID}`, advice));
    }
    if (XRPL_URLS.length === 1) {
      const advice =
        'Name a second one of another operator: payments are then confirmed only as two servers show them.';
      found.push(warning('setting XRPL_URLS', 'names one server', advice));
    }
    const plain = XRPL_URLS.filter((server) => server.startsWith('ws:') && !isLoopbackUrl(server));
    if (plain.length > 0) {
      found.push(
        warning('setting XRPL_URLS', `${plain.length} not encrypted`, 'Use wss: others can change what is read.'),
      );
    }
    return found.length === 0 ? [ok(DEPLOYMENT, BASE_URL)] : found;
  },
});
