import { z } from 'zod';

/** A time that a client gives, with a zone. */
export const givenTime = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 time with a zone' })
  .transform((text) => new Date(text));
