import { revalidatePath } from 'next/cache';
import { headers } from 'next/headers';
import { z } from 'zod';
import { faultMessage } from '#lib/api/fault-messages.ts';
import { isFromOwnPage } from '#lib/api/from-own-page.ts';
import { validationError } from '#lib/api/problem.ts';
import { beginAction } from '#lib/api/server-action.ts';
import type { Contract, Input } from '#lib/base/contract.ts';
import { type FieldError, PlatformError } from '#lib/base/errors.ts';
import { typedNumber } from '#lib/base/typed-number.ts';
import { type OperatorCtx, operatorCtx } from './session.ts';

/** What became of an action. */
export interface Outcome {
  status: 'idle' | 'rehearsed' | 'done' | 'refused';
  text: string;
  /** What is wrong with single fields, by the contract's names (`reason`). */
  fields: Record<string, string>;
  /** Of a rehearsal: what it would bring about, by name and value. */
  effects: readonly { name: string; value: string }[];
  /** Of a rehearsal: what the real thing takes along, so that it does just this or refuses. */
  carried: Record<string, string>;
}

export const outcome = (status: Outcome['status'], text: string, more: Partial<Outcome> = {}): Outcome => ({
  status,
  text,
  fields: {},
  effects: [],
  carried: {},
  ...more,
});

export const refused = (text: string, fields: Record<string, string> = {}): Outcome =>
  outcome('refused', text, { fields });

const namedBy = (errors: readonly FieldError[]): Record<string, string> =>
  Object.fromEntries(errors.map(({ field, message }) => [field, message]));

function parse(part: 'body' | 'path', schema: z.ZodType | undefined, value: unknown) {
  const read = (schema ?? z.strictObject({})).safeParse(value, { error: faultMessage });
  if (read.success) return { data: read.data, fields: {} };
  const { errors } = validationError(part, read.error);
  return { data: null, fields: namedBy(errors) };
}

/** A sentence of what was done, or the whole outcome of a rehearsal. */
type Told<T> = string | ((result: T) => Outcome);

/**
 * Does what an operation of the interface does, for who is signed in: under the same contract, by the same verb, with the
 * same audit. Only for a request that a page of this site sent; the session's cookie is SameSite=Strict besides.
 */
export async function act<C extends Contract, T>(
  contract: C,
  given: { params?: unknown; body?: Record<string, unknown> },
  run: (ctx: OperatorCtx, input: Input<C>) => Promise<T>,
  told: Told<T>,
  /** What else is wrong with a body that the contract refuses. */
  faultsBeside?: (body: Record<string, unknown>, nowMs: number) => readonly FieldError[],
): Promise<Outcome> {
  beginAction();
  if (!isFromOwnPage(await headers())) return refused('This request did not come from a page of the console.');
  const ctx = await operatorCtx();
  const mayAct = contract.access.some(
    (access) => access.kind === 'administrator' && (access.role === 'read_only' || ctx.actor.role === 'operator'),
  );
  if (!mayAct) return refused('Your token is read-only. Ask an operator.');
  const params = parse('path', contract.params, given.params ?? {});
  const body = parse('body', contract.body, given.body ?? {});
  const refusals = { ...params.fields, ...body.fields };
  const beside = body.data === null ? (faultsBeside?.(given.body ?? {}, ctx.clock.nowMs()) ?? []) : [];
  const fields = { ...namedBy(beside), ...refusals };
  const faults = Object.entries(fields);
  if (faults.length > 0) return refused(faults.map(([field, message]) => `${field} ${message}`).join('; '), fields);
  let result: T;
  try {
    result = await run(ctx, { params: params.data, query: {}, body: body.data } as Input<C>);
  } catch (err) {
    if (!(err instanceof PlatformError)) throw err;
    return refused(err.detail, namedBy(err.errors));
  }
  if (typeof told === 'function') return told(result);
  revalidatePath('/operator', 'layout');
  return outcome('done', told);
}

/** A field of a form as text; empty when it was left out. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() : '';
}

/** The same of a field for a number, which is written as people write numbers. */
export const numberOf = (form: FormData, name: string): string => typedNumber(textOf(form, name));
