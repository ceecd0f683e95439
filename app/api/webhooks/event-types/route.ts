import { encodeResult } from '#lib/api/answer.ts';
import { resource } from '#lib/api/resource.ts';
import { fixed } from '#lib/api/response-cache.ts';
import { listEventTypesContract } from '#lib/webhooks/contracts.ts';
import { listEventTypes } from '#lib/webhooks/registry/list-event-types.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  fixed(listEventTypesContract, async () => encodeResult(listEventTypesContract, await listEventTypes())),
);
