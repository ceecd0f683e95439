import { MIMEType } from 'node:util';
import { z } from 'zod';
import type { Contract } from '#lib/base/contract.ts';
import { fieldError, fieldPath, PlatformError, shownName } from '#lib/base/errors.ts';
import { ZERO_FAULT } from '#lib/base/plain-text.ts';
import { faultMessage } from './fault-messages.ts';
import { validationError } from './problem.ts';

/** One entry of an Accept header as (media type, weight); null for one that is not well-formed. */
function parseEntry(entry: string): { type: string; weight: number } | null {
  try {
    const { essence, params } = new MIMEType(entry);
    const weight = Number(params.get('q') ?? 1);
    return { type: essence, weight: Number.isFinite(weight) ? weight : 0 };
  } catch {
    return null;
  }
}

/**
 * The offered type that an Accept header names with the highest weight; the first one offered where it names none, because
 * an answer in the usual form serves a careless client better than a refusal.
 */
export function preferredType<Type extends string>(accept: string | null, offered: readonly [Type, ...Type[]]): Type {
  const wanted = (accept ?? '').split(',').flatMap((entry) => parseEntry(entry) ?? []);
  const weightOf = (type: Type): number =>
    Math.max(0, ...wanted.filter((one) => one.type === type).map((one) => one.weight));
  return offered.reduce((best, type) => (weightOf(type) > weightOf(best) ? type : best));
}

/** Bodies above this are refused with 413 unless the contract takes more (docs/api.md#rate-limits). */
export const MAX_BODY_BYTES = 64 * 1024;

/** Reads the body as text, never more than the limit, even where Content-Length says less. */
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
    throw new PlatformError('invalid_request', 'The body ended early.', { cause: failure });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new PlatformError('malformed_json', 'The body is not valid UTF-8.');
  }
}

interface Position {
  /** Its name in an object, or its index in a list; null of the body itself. */
  step: string | number | null;
  value: unknown;
  within: Position | null;
}

/** Steps of a place that are named: clients choose the depth, and the answer must not grow with it. */
const NAMED_DEPTH = 16;

const fieldOf = (position: Position): string => {
  const steps: (string | number)[] = [];
  for (let at: Position | null = position; at !== null; at = at.within) if (at.step !== null) steps.push(at.step);
  return fieldPath('body', steps.reverse().slice(0, NAMED_DEPTH));
};

/** U+0000 is valid JSON, and no text column of Postgres can hold it. Without recursion, because clients choose the depth. */
function refuseZero(body: unknown): void {
  const rest: Position[] = [{ step: null, value: body, within: null }];
  for (let position = rest.pop(); position !== undefined; position = rest.pop()) {
    const { value } = position;
    const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    if ((typeof value === 'string' && value.includes('\0')) || entries.some(([name]) => name.includes('\0'))) {
      throw fieldError(fieldOf(position), ZERO_FAULT);
    }
    const isList = Array.isArray(value);
    for (const [name, part] of entries)
      rest.push({ step: isList ? Number(name) : name, value: part, within: position });
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

/** A route without query fields refuses them like any other unknown field: a misspelt filter must not pass for a filter. */
const NO_QUERY = z.strictObject({});

/** One part of a request by its schema. Throws `invalid_request` with every fault. */
export function parsePart(part: 'body' | 'query' | 'path', schema: z.ZodType | undefined, value: unknown): unknown {
  if (schema === undefined) return part === 'body' ? undefined : {};
  const result = schema.safeParse(value, { error: faultMessage });
  if (!result.success) throw validationError(part, result.error);
  return result.data;
}

/**
 * The path's parameters under the names the contract documents. Next.js wants one folder name a place, and the
 * documented paths have two for the same one (`/api/webhooks/{id}`, `/webhooks/{webhook_id}/deliveries`): the one
 * parameter that has another name goes by what is left over.
 */
export function pathParams(contract: Contract, given: Record<string, unknown>): Record<string, unknown> {
  const names = [...contract.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
  const [name, ...furtherNames] = names.filter((each) => !Object.hasOwn(given, each));
  const [folder, ...furtherFolders] = Object.keys(given).filter((each) => !names.includes(each));
  if (name === undefined || folder === undefined || furtherNames.length + furtherFolders.length > 0) return given;
  const { [folder]: value, ...others } = given;
  return { ...others, [name]: value };
}

/** The query by the contract's schema. Throws `invalid_request`. */
export function parseQuery(contract: Contract, query: URLSearchParams): unknown {
  const given: Record<string, string> = {};
  for (const [name, value] of query) {
    if (Object.hasOwn(given, name)) {
      throw fieldError(shownName(name), 'is given twice');
    }
    if (name.includes('\0')) throw fieldError('query', ZERO_FAULT);
    if (value.includes('\0')) throw fieldError(shownName(name), ZERO_FAULT);
    Object.defineProperty(given, name, { value, enumerable: true });
  }
  return parsePart('query', contract.query ?? NO_QUERY, given);
}
