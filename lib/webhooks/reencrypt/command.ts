import { randomBytes } from 'node:crypto';
import { openDatabase } from '#lib/base/db.ts';
import { env } from '#lib/base/env.ts';
import { newestKeyId } from '#lib/base/secretbox.ts';
import { resealSecrets } from './reseal-secrets.ts';

/** Seals every webhook's secret under the newest key and says how it went. Gives the exit code: 0 when none is left. */
export async function reencryptWebhooks(say: (line: string) => void): Promise<number> {
  const { db, close } = await openDatabase(env().POSTGRES_URL, 1);
  try {
    const { resealed, unreadable, left } = await resealSecrets(db, randomBytes, (done, total) =>
      say(`re-sealed ${done} of ${total} webhooks`),
    );
    for (const id of unreadable) {
      say(`${id} does not open: its key is not in WEBHOOK_ENCRYPTION_KEYS, or it was altered`);
    }
    say(`${resealed} webhooks re-sealed, ${left} not under the newest key ${newestKeyId()}`);
    if (left > unreadable.length) say('Some were being changed: run this again');
    return left === 0 ? 0 : 1;
  } finally {
    await close();
  }
}
