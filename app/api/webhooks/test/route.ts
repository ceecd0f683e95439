import { operation, resource } from '#lib/api/route.ts';
import { sendTestEventContract } from '#lib/webhooks/contracts.ts';
import { sendTestEvent } from '#lib/webhooks/testing/send-test-event.ts';

/** One exchange with the receiver (at most 30 s), within this many seconds. */
export const maxDuration = 60;

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(sendTestEventContract, (ctx, { body }) => sendTestEvent(ctx, body)),
);
