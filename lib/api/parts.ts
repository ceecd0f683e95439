import { z } from 'zod';
import type { Contract } from '#lib/base/contract.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { shownName } from '#lib/base/field-name.ts';
import { ZERO_FAULT } from '#lib/base/plain-text.ts';
import { faultMessage } from './fault-messages.ts';
import { validationError } from './problem.ts';

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

const queryFault = (field: string, message: string) =>
  new PlatformError('invalid_request', `${field}: ${message}`, { errors: [{ field, message }] });

/** The query by the contract's schema. Throws `invalid_request`. */
export function parseQuery(contract: Contract, query: URLSearchParams): unknown {
  const given: Record<string, string> = {};
  for (const [name, value] of query) {
    if (Object.hasOwn(given, name)) {
      throw queryFault(shownName(name), 'is given twice');
    }
    if (name.includes('\0')) throw queryFault('query', ZERO_FAULT);
    if (value.includes('\0')) throw queryFault(shownName(name), ZERO_FAULT);
    Object.defineProperty(given, name, { value, enumerable: true });
  }
  return parsePart('query', contract.query ?? NO_QUERY, given);
}
