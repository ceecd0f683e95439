import { operation, resource } from '#lib/api/route.ts';
import { sendTestEventContract } from '#lib/webhooks/contracts.ts';

/** One exchange with the receiver (at most 30 s), within this many seconds. */
export const maxDuration = 60;

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(sendTestEventContract, (ctx, { body }) =>
    import('#lib/webhooks/testing/send-test-event.ts').then(({ sendTestEvent }) => sendTestEvent(ctx, body)),
  ),
);
