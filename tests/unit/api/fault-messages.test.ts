import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { CONTRACTS } from '#lib/api/contracts.ts';
import { faultMessage } from '#lib/api/fault-messages.ts';
import { projectInput } from '#lib/sales/projects/project-input.ts';

const faultsOf = (schema: z.ZodType, value: unknown): [string, string][] =>
  (schema.safeParse(value, { error: faultMessage }).error?.issues ?? []).map(({ path, message }) => [
    path.join('.'),
    message,
  ]);
const messageOf = (schema: z.ZodType, value: unknown): string | undefined => faultsOf(schema, value)[0]?.[1];

describe('a fault says what to do', () => {
  test.each([
    ['a field that is left out', z.string(), undefined, 'is required'],
    ['a field that is null', z.string(), null, 'must be text'],
    ['a number for a text', z.string(), 1, 'must be text'],
    ['a text for a number', z.number(), '1', 'must be a number'],
    ['a text for a whole number', z.int().min(1).max(200), '1', 'must be a whole number from 1 to 200'],
    ['a fraction', z.int().min(1).max(200), 1.5, 'must be a whole number from 1 to 200'],
    ['a whole number too small', z.int().min(1).max(200), 0, 'must be at least 1'],
    ['a whole number too great', z.int().min(1).max(200), 201, 'must be at most 200'],
    ['a whole number that no program holds', z.int(), 1e300, 'must be a whole number'],
    ['a fraction where no bounds are', z.int(), 1.5, 'must be a whole number'],
    ['a text for a truth value', z.boolean(), 'true', 'must be true or false'],
    ['an object for a list', z.array(z.string()), {}, 'must be a list'],
    ['a text for an object', z.strictObject({}), 'x', 'must be an object'],
    ['an empty text', z.string().min(1), '', 'must not be empty'],
    ['a text too short', z.string().min(3), 'ab', 'must be at least 3 characters'],
    ['a text too long', z.string().max(3), 'abcd', 'must be at most 3 characters'],
    ['an empty list', z.array(z.string()).min(1), [], 'must hold at least 1'],
    ['a list too long', z.array(z.string()).max(1), ['a', 'b'], 'must hold at most 1'],
    ['a word of none of those', z.enum(['a', 'b', 'c']), 'd', 'must be "a", "b" or "c"'],
    ['a wrong constant', z.literal('SignIn'), 'x', 'must be "SignIn"'],
    ['no time', z.iso.datetime(), 'today', 'must be an ISO 8601 time'],
    ['no address', z.url(), 'x', 'must be a URL'],
    ['a form of its own', z.string().regex(/^a$/), 'x', 'must match the pattern /^a$/'],
    ['a rule of its own', z.string().refine(() => false), 'x', 'is not valid'],
    ['a schema that says it itself', z.string().regex(/^a$/, 'must be an a'), 'x', 'must be an a'],
  ])('%s', (_, schema, value, message) => {
    expect(messageOf(schema, value)).toBe(message);
  });

  test('in a token of no known kind, at the field that tells the kind', () => {
    expect(faultsOf(z.object({ token: projectInput.shape.token }), { token: { kind: 'nft' } })).toEqual([
      ['token.kind', 'must be "iou" or "mpt"'],
    ]);
    expect(faultsOf(z.object({ token: projectInput.shape.token }), {})).toEqual([['token', 'is required']]);
  });

  test.each(CONTRACTS.flatMap((one) => (one.body === undefined ? [] : [[one.id, one.body] as const])))(
    'for a body of %s in none of the words of a library',
    (_, body) => {
      for (const value of [null, {}, wrong(body, 1), wrong(body, ''), wrong(body, []), wrong(body, {})]) {
        for (const [, message] of faultsOf(body, value)) {
          expect(message).not.toMatch(/^(Invalid|Too|Unrecognized|Expected)|NaN|undefined/);
        }
      }
    },
  );
});

/** A body with the same value in every field. */
const wrong = (body: z.ZodType, value: unknown) =>
  body instanceof z.ZodObject ? Object.fromEntries(Object.keys(body.shape).map((name) => [name, value])) : value;
