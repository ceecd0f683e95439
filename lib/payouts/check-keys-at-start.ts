import { env } from '#lib/base/env.ts';
import { logger } from '#lib/base/log.ts';
import { checkSigningKeys } from '#lib/xrpl/keys.ts';

/**
 * Names in the log every entry of SIGNING_KEYS that is wrong in itself, and every one that is a regular key: only the
 * ledger can tell whether that is the account's. Without entries it loads nothing. The process starts all the same: what
 * needs no key goes on, and nothing is paid from an account with a wrong entry (run-payouts.ts). Never throws.
 */
export async function checkKeysAtStart(): Promise<void> {
  if (env().SIGNING_KEYS.length === 0) return;
  const keys = await checkSigningKeys().catch((err: unknown) => {
    logger().error({ err }, 'SIGNING_KEYS could not be checked');
    return [];
  });
  for (const { account, keyAddress, fault } of keys) {
    if (fault !== null) {
      logger().error({ account, fault }, 'an entry of SIGNING_KEYS is wrong: nothing is paid from this account');
    } else if (keyAddress !== account) {
      logger().info({ account, regular_key: keyAddress }, 'an entry of SIGNING_KEYS is a regular key');
    }
  }
}
