import { fixed } from '#lib/http/fixed.ts';
import { resource } from '#lib/http/resource.ts';
import { listEventTypesContract } from '#lib/webhooks/catalogue/contracts.ts';
import { listEventTypes } from '#lib/webhooks/catalogue/list-event-types.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(fixed(listEventTypesContract, listEventTypes));
