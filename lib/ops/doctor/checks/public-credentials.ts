import { isLoopbackUrl } from '#lib/base/loopback-url.ts';
import { PUBLIC_QSTASH_CREDENTIALS } from '../known-secrets.ts';
import { defineCheck, fault } from '../types.ts';

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
