import { GENESIS_SEED } from '../known-secrets.ts';
import { defineCheck, type Finding, fault, ok } from '../types.ts';

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
