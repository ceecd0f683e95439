/** What a Redis command answers, in the terms of the RESP2 protocol. */
export type RedisReply = string | Buffer | number | null | RedisReply[];

/** A command that Redis refused; the message is Redis's own, with its code in front (`ERR …`, `WRONGTYPE …`). */
export class RedisCommandError extends Error {}

/** One item of an answer as it goes over the wire. */
export type WireOutcome = { result: unknown } | { error: string };

function encodeNested(reply: RedisReply, base64: boolean): unknown {
  if (Array.isArray(reply)) return reply.map((item) => encodeNested(item, base64));
  if (reply === null || typeof reply === 'number') return reply;
  const bytes = Buffer.from(reply);
  return bytes.toString(base64 ? 'base64' : 'utf8');
}

/**
 * Gives a reply its JSON form. With `Upstash-Encoding: base64` every string is encoded, however deep; integers and
 * null stay raw, and so does a bare "OK". Inside an array "OK" is encoded as well, because the client decodes each
 * string it finds directly in an array.
 */
export function encodeReply(reply: RedisReply, base64: boolean): unknown {
  if (!Array.isArray(reply) && reply !== null && typeof reply !== 'number' && reply.toString() === 'OK') return 'OK';
  return encodeNested(reply, base64);
}

/** Puts an `ioredis` or `ioredis-mock` result back into RESP2 terms: objects become flat arrays, numbers integers. */
export function toReply(value: unknown): RedisReply {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || Buffer.isBuffer(value)) return value;
  if (typeof value === 'number') return Number.isInteger(value) ? value : String(value);
  if (typeof value === 'boolean') return value ? 1 : null;
  if (Array.isArray(value)) return value.map(toReply);
  if (typeof value === 'object') return Object.entries(value).flatMap(([field, item]) => [field, toReply(item)]);
  return String(value);
}

/** The text Redis would send for a failure, whatever was thrown. */
export function errorText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return /^[A-Z]+ /.test(message) ? message : `ERR ${message}`;
}
