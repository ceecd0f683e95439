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
import type { Ctx } from '#lib/ctx.ts';
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

function parse(part: 'body' | 'path' | 'query', schema: z.ZodType | undefined, value: unknown) {
  const read = (schema ?? z.strictObject({})).safeParse(value, { error: faultMessage });
  if (read.success) return { data: read.data, fields: {} };
  const { errors } = validationError(part, read.error);
  return { data: null, fields: namedBy(errors) };
}

/** A sentence of what was done, or the whole outcome of a rehearsal. */
type Told<T> = string | ((result: T) => Outcome);

export interface Given {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: Record<string, unknown>;
}

/** A console, by who acts there. */
export interface Desk<Acting extends Ctx> {
  /** With who is signed in; anybody else is sent to the page for signing in. */
  ctx(): Promise<Acting>;
  /** Throws a PlatformError where the contract is not for who is signed in, or not with these parameters. */
  admit(ctx: Acting, contract: Contract, given: Given): Promise<void>;
  /** The address above all its pages. */
  home: string;
}

export const OPERATORS: Desk<OperatorCtx> = {
  ctx: operatorCtx,
  admit: async (ctx, contract) => {
    const mayAct = contract.access.some(
      (access) => access.kind === 'administrator' && (access.role === 'read_only' || ctx.actor.role === 'operator'),
    );
    if (!mayAct) throw new PlatformError('forbidden', 'Your token is read-only. Ask an operator.');
  },
  home: '/operator',
};

/** What else is wrong with a body that the contract refuses. */
type FaultsBeside = (body: Record<string, unknown>, nowMs: number) => readonly FieldError[];

/** `actAt` of the operators' console. */
export const act = <C extends Contract, T>(
  contract: C,
  given: Given,
  run: (ctx: OperatorCtx, input: Input<C>) => Promise<T>,
  told: Told<T>,
  faultsBeside?: FaultsBeside,
): Promise<Outcome> => actAt(OPERATORS, contract, given, run, told, faultsBeside);

/**
 * Does what an operation of the interface does, for who is signed in: under the same contract, by the same verb, with the
 * same audit. Only for a request that a page of this site sent; the session's cookie is SameSite=Strict besides.
 */
export async function actAt<Acting extends Ctx, C extends Contract, T>(
  desk: Desk<Acting>,
  contract: C,
  given: Given,
  run: (ctx: Acting, input: Input<C>) => Promise<T>,
  told: Told<T>,
  faultsBeside?: FaultsBeside,
): Promise<Outcome> {
  beginAction();
  if (!isFromOwnPage(await headers())) return refused('This request did not come from a page of the console.');
  const ctx = await desk.ctx();
  try {
    await desk.admit(ctx, contract, given);
  } catch (err) {
    return refusalOf(err);
  }
  const params = parse('path', contract.params, given.params ?? {});
  const query = parse('query', contract.query, given.query ?? {});
  const body = parse('body', contract.body, given.body ?? {});
  const refusals = { ...params.fields, ...query.fields, ...body.fields };
  const beside = body.data === null ? (faultsBeside?.(given.body ?? {}, ctx.clock.nowMs()) ?? []) : [];
  const fields = { ...namedBy(beside), ...refusals };
  const faults = Object.entries(fields);
  if (faults.length > 0) return refused(faults.map(([field, message]) => `${field} ${message}`).join('; '), fields);
  let result: T;
  try {
    result = await run(ctx, { params: params.data, query: query.data, body: body.data } as Input<C>);
  } catch (err) {
    return refusalOf(err);
  }
  if (typeof told === 'function') return told(result);
  revalidatePath(desk.home, 'layout');
  return outcome('done', told);
}

/** A refusal in words; what nobody foresaw is thrown on. */
function refusalOf(err: unknown): Outcome {
  if (!(err instanceof PlatformError)) throw err;
  return refused(err.detail, namedBy(err.errors));
}

/** A field of a form as text; empty when it was left out. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() : '';
}

/** The same of a field for a number, which is written as people write numbers. */
export const numberOf = (form: FormData, name: string): string => typedNumber(textOf(form, name));
