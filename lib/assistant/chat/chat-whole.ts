import { PlatformError } from '#lib/base/errors.ts';
import type { ChatAnswer, ChatEvent } from '../contracts.ts';

/** The answer as one: what its last event holds. Throws what the chat throws, and `gone` when it ended without one. */
export async function chatWhole(events: AsyncIterable<ChatEvent>): Promise<ChatAnswer> {
  for await (const { event, data } of events) if (event === 'done') return data;
  // Nobody reads this, and it is no failure of ours.
  throw new PlatformError('gone', 'The client left before its answer was there.');
}
