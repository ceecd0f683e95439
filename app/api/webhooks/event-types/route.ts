import { operation, resource } from '#lib/http/route.ts';
import { listEventTypesContract } from '#lib/webhooks/catalogue/contracts.ts';
import { listEventTypes } from '#lib/webhooks/catalogue/list-event-types.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(operation(listEventTypesContract, listEventTypes));
