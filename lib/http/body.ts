import { PlatformError } from '#lib/platform/errors.ts';

/** Bodies above this are refused with 413 unless the contract takes more (design section 7). */
export const MAX_BODY_BYTES = 64 * 1024;

/** Reads the body as text, never more than the limit, whatever Content-Length claims. */
export async function readBody(request: Request, maxBytes = MAX_BODY_BYTES): Promise<string> {
  const tooLarge = () => new PlatformError('payload_too_large', `The body must be at most ${maxBytes} bytes.`);
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge();
  if (request.body === null) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new PlatformError('malformed_json', 'The body is not valid UTF-8.');
  }
}

/** U+0000 is valid JSON, and no text column of Postgres can hold it. */
function refuseZero(key: string, value: unknown): unknown {
  if (key.includes('\0') || (typeof value === 'string' && value.includes('\0'))) {
    throw new PlatformError('invalid_request', 'body: must not contain the character U+0000', {
      errors: [{ field: 'body', message: 'must not contain the character U+0000' }],
    });
  }
  return value;
}

/** Parses a JSON body; the content type must say that it is one. */
export function parseJsonBody(text: string, contentType: string | null): unknown {
  if (!/^application\/json\s*(;|$)/i.test(contentType ?? '')) {
    throw new PlatformError('unsupported_media_type', 'Send the body as Content-Type: application/json.');
  }
  try {
    return text.includes('\\u0000') ? JSON.parse(text, refuseZero) : JSON.parse(text);
  } catch (error) {
    if (error instanceof PlatformError) throw error;
    throw new PlatformError('malformed_json', 'The body is not valid JSON.');
  }
}
