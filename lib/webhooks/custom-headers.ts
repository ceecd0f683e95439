import { z } from 'zod';
import type { RandomBytes } from '#lib/base/ids.ts';
import { containsSeed, SEED_WARNING } from '#lib/base/plain-text.ts';
import { seal, unseal } from '#lib/base/secretbox.ts';

const MOST = 16;
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/;
/** Printable ASCII without white space at either end: anything else is altered or refused on its way. */
const VALUE = /^[\x21-\x7e](?:[\x20-\x7e]{0,1022}[\x21-\x7e])?$/;

/**
 * Not a receiver's to set: what the platform sends itself, what belongs to one connection (RFC 9110, 7.6.1), what frames the
 * message, and what tells a server where a request came from, which would let anybody lie to it through us.
 */
const RESERVED = new Set(
  `content-type user-agent date host connection keep-alive te trailer transfer-encoding upgrade http2-settings expect
  content-length content-encoding content-range forwarded via x-real-ip client-ip true-client-ip`.split(/\s+/),
);
const RESERVED_PREFIX = /^(?:webhook-|x-platform-|proxy-|sec-|x-forwarded-|x-original-|x-client-|cf-|upstash-)/;

function headerFault(name: string, value: string): string | null {
  if (RESERVED.has(name) || RESERVED_PREFIX.test(name)) return 'is a header that the platform or a connection sets';
  return containsSeed(value) ? SEED_WARNING : null;
}

/** Headers that a webhook's own receiver wants; names come out in lower case. */
export const givenHeaders = z
  .record(
    z.string().regex(NAME, 'must be a header name: letters, digits and hyphens, at most 64'),
    z.string().regex(VALUE, 'must be 1 to 1,024 printable ASCII characters, without spaces at either end'),
  )
  .superRefine((given, refinement) => {
    const names = Object.keys(given).map((name) => name.toLowerCase());
    if (names.length > MOST) refinement.addIssue({ code: 'custom', message: `must have at most ${MOST} headers` });
    if (new Set(names).size < names.length) {
      refinement.addIssue({ code: 'custom', message: 'has a name twice: upper and lower case make no difference' });
    }
    for (const [name, value] of Object.entries(given).slice(0, MOST)) {
      const message = headerFault(name.toLowerCase(), value);
      if (message !== null) refinement.addIssue({ code: 'custom', message, path: [name] });
    }
  })
  .transform((given) =>
    Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value] as const)),
  )
  .meta({
    description:
      'Headers that are sent with every attempt, at most 16, for example for a gateway before your receiver. The values are never shown again. On a change they replace all that were set; `{}` removes them',
    example: { 'x-api-key': 'key-of-your-gateway' },
  });

export type CustomHeaders = Record<string, string>;

/** What is authenticated with the sealed headers: they cannot take the place of a secret, nor of another webhook's. */
export const headersContext = (webhookId: string): string => `${webhookId} headers`;

/** What a webhook stores of its headers. */
export const storedHeaders = (webhookId: string, headers: CustomHeaders, random: RandomBytes) => ({
  headerNames: Object.keys(headers).toSorted(),
  sealedHeaders:
    Object.keys(headers).length === 0 ? null : seal(JSON.stringify(headers), headersContext(webhookId), random),
});

/** The headers of a webhook. Throws when they do not open. */
export const openHeaders = (webhookId: string, sealed: string | null): CustomHeaders =>
  sealed === null ? {} : JSON.parse(unseal(sealed, headersContext(webhookId)));

/** As the log keeps them: by name alone. */
export const withoutValues = (headers: CustomHeaders): CustomHeaders =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, '(not kept)']));
