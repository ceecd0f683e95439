import { z } from 'zod';
import { idPattern } from '#lib/base/ids.ts';
import { xrpCodec } from '#lib/base/money-codecs.ts';
import { containsSeed, SEED_WARNING } from '#lib/base/plain-text.ts';
import {
  descriptionMeta,
  descriptionText,
  EVENT_STATUSES,
  eventType,
  minAmountMeta,
  projectFilterMeta,
  rateLimitMeta,
  statusesMeta,
  urlMeta,
  urlText,
} from './schemas.ts';

// What clients give for a webhook's fields; how they are answered stands in schemas.ts.

/** For texts that clients give; what is stored already is answered as it is. */
const isSeedless = (text: string): boolean => !containsSeed(text);

/** Its form, for the document; whether it may be dialled is the target policy's to say. */
export const givenUrl = urlText
  .refine(isSeedless, SEED_WARNING)
  .meta({ ...urlMeta, pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s#]+$' });

export const subscribedEvents = z
  .array(eventType)
  .min(1)
  .max(100)
  .transform((types) => [...new Set(types)])
  .meta({
    description: 'Event types to receive; all when left out. `system.alert` is for administrators’ webhooks only',
    example: ['investment.created', 'investment.confirmed'],
  });

export const givenDescription = descriptionText.refine(isSeedless, SEED_WARNING).meta(descriptionMeta);

export const givenProjectId = z
  .string()
  .regex(idPattern('proj'), 'must be a project id (proj_…), or null')
  .nullable()
  .meta(projectFilterMeta);

export const givenMinAmount = xrpCodec.nullable().meta(minAmountMeta);

export const givenStatuses = z
  .array(z.enum(EVENT_STATUSES))
  .min(1)
  .max(100)
  .transform((statuses) => [...new Set(statuses)])
  .nullable()
  .meta(statusesMeta);

export const givenRateLimit = z.int().min(1).max(1_000).nullable().meta(rateLimitMeta);
