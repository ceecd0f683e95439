import { PlatformError } from '#lib/base/errors.ts';

/** A delivery, as far as it decides whether it may be sent again. */
export interface Resendable {
  status: 'pending' | 'retrying' | 'success' | 'failed' | 'cancelled';
  /** An attempt is under way. */
  leasedUntil: Date | null;
  prunedAt: Date | null;
  isTest: boolean;
}

const conflict = (detail: string) => new PlatformError('conflict', detail);

/** Why a delivery is not sent once more, or null. `unfinishedId` is a delivery that repeats the same one and has not ended. */
export function resendRefusal(delivery: Resendable, unfinishedId: string | null): PlatformError | null {
  if (delivery.isTest) return conflict('A test event is sent once: POST /webhooks/test sends another one.');
  if (delivery.status === 'pending' || delivery.status === 'retrying' || delivery.leasedUntil !== null) {
    return conflict('This delivery has not ended: its next attempt comes by itself. Send it again once it has ended.');
  }
  if (delivery.prunedAt !== null) {
    return new PlatformError('gone', 'The payload of this event was removed after the retention time.');
  }
  if (unfinishedId === null) return null;
  return conflict(`It is being sent again already: wait for the end of ${unfinishedId}.`);
}
