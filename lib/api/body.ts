import { PlatformError } from '#lib/base/errors.ts';
import { fieldPath } from '#lib/base/field-name.ts';
import { ZERO_FAULT } from '#lib/base/plain-text.ts';

/** Bodies above this are refused with 413 unless the contract takes more (docs/api.md#limits). */
export const MAX_BODY_BYTES = 64 * 1024;

/** Reads the body as text, never more than the limit, whatever Content-Length claims. */
export async function readBody(request: Request, maxBytes = MAX_BODY_BYTES): Promise<string> {
  const tooLarge = () => new PlatformError('payload_too_large', `The body must be at most ${maxBytes} bytes.`);
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge();
  if (request.body === null) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body) {
      size += chunk.byteLength;
      if (size > maxBytes) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (failure) {
    if (failure instanceof PlatformError) throw failure;
    // The client went away, or sent no valid body: nothing of ours has failed.
    throw new PlatformError('invalid_request', 'The body broke off.', { cause: failure });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new PlatformError('malformed_json', 'The body is not valid UTF-8.');
  }
}

interface Place {
  /** Its name in an object, or its index in a list; null of the body itself. */
  step: string | number | null;
  value: unknown;
  within: Place | null;
}

/** Steps of a place that are named: clients choose the depth, and the answer must not grow with it. */
const NAMED_DEPTH = 16;

const fieldOf = (place: Place): string => {
  const steps: (string | number)[] = [];
  for (let at: Place | null = place; at !== null; at = at.within) if (at.step !== null) steps.push(at.step);
  return fieldPath('body', steps.reverse().slice(0, NAMED_DEPTH));
};

/** U+0000 is valid JSON, and no text column of Postgres can hold it. Without recursion, because clients choose the depth. */
function refuseZero(body: unknown): void {
  const rest: Place[] = [{ step: null, value: body, within: null }];
  for (let place = rest.pop(); place !== undefined; place = rest.pop()) {
    const { value } = place;
    const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    if ((typeof value === 'string' && value.includes('\0')) || entries.some(([name]) => name.includes('\0'))) {
      const [field, message] = [fieldOf(place), ZERO_FAULT];
      throw new PlatformError('invalid_request', `${field}: ${message}`, { errors: [{ field, message }] });
    }
    const isList = Array.isArray(value);
    for (const [name, part] of entries) rest.push({ step: isList ? Number(name) : name, value: part, within: place });
  }
}

/** Parses a JSON body; the content type must say that it is one. */
export function parseJsonBody(text: string, contentType: string | null): unknown {
  if (!/^application\/json\s*(;|$)/i.test(contentType ?? '')) {
    throw new PlatformError('unsupported_media_type', 'Send the body as Content-Type: application/json.');
  }
  const body = jsonOf(text);
  if (text.includes('\\u0000')) refuseZero(body);
  return body;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new PlatformError('malformed_json', 'The body is not valid JSON.');
  }
}
