import { createHash } from 'node:crypto';
import { evidenceFolder, registerSecrets, registerSettings } from './secrets.ts';

/** Credentials that `testEnv` puts in force. */
export const TEST_CRON_SECRET = 'cron-secret-of-the-tests-0123456789abcdef';
export const TEST_ADMIN_TOKEN = 'admin-token-of-the-tests-0123456789abcdef';
export const TEST_READ_ONLY_TOKEN = 'read-only-token-of-the-tests-0123456789ab';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Port 9 (discard) of this machine: nothing listens there, so what a test forgot to start fails at once. */
const NOWHERE = '127.0.0.1:9';

/** A full valid set of settings for `applyEnv()`; services point nowhere until a test says where. */
export function testEnv(overrides: Record<string, string | undefined> = {}): Record<string, string | undefined> {
  const settings = {
    BASE_URL: 'http://127.0.0.1:3000',
    POSTGRES_URL: `postgres://nobody@${NOWHERE}/none`,
    KV_REST_API_URL: `http://${NOWHERE}`,
    KV_REST_API_TOKEN: 'redis-token',
    QSTASH_URL: `http://${NOWHERE}`,
    QSTASH_TOKEN: 'qstash-token',
    QSTASH_CURRENT_SIGNING_KEY: 'sig_current',
    QSTASH_NEXT_SIGNING_KEY: 'sig_next',
    XRPL_URLS: `ws://${NOWHERE}`,
    XRPL_NETWORK_ID: '21337',
    API_KEY_MODE: 'test',
    CRON_SECRET: TEST_CRON_SECRET,
    ADMIN_TOKENS: `operator:operator:${sha256(TEST_ADMIN_TOKEN)},auditor:read_only:${sha256(TEST_READ_ONLY_TOKEN)}`,
    WEBHOOK_ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
    WEBHOOK_ALLOW_LOOPBACK: '1',
    VALIDATE_RESPONSES: '1',
    // Every line goes to the run's evidence (gather-logs.ts), where there is one.
    LOG_LEVEL: evidenceFolder() === undefined ? 'silent' : 'debug',
    ...overrides,
  };
  registerSecrets(TEST_ADMIN_TOKEN, TEST_READ_ONLY_TOKEN);
  registerSettings(settings);
  return settings;
}
