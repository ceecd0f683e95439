import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import { ADMINISTRATOR_EVENT_TYPES, EVENT_TYPES, type EventType, PUBLIC_EVENT_TYPES } from '#lib/events/catalogue.ts';

/** The event types that the caller's webhooks may receive. */
export const permittedEvents = ({ actor }: Ctx): readonly EventType[] =>
  actor.kind === 'administrator' ? EVENT_TYPES : PUBLIC_EVENT_TYPES;

/** Throws `invalid_request`, naming `field`, for a type that only administrators receive. */
export function requirePermittedEvents(ctx: Ctx, types: readonly EventType[], field: string): void {
  const permitted = permittedEvents(ctx);
  if (types.every((type) => permitted.includes(type))) return;
  const message = `${ADMINISTRATOR_EVENT_TYPES.join(', ')} is for administrators: leave it out, or use an administrator's token`;
  throw new PlatformError('invalid_request', `${field}: ${message}`, { errors: [{ field, message }] });
}
