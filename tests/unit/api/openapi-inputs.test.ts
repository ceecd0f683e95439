import { parseUnits, WIRE_TOKEN_DECIMALS } from '@tranche/rules/amounts.ts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { CONTRACTS } from '#lib/api/contracts.ts';
import { faultMessage } from '#lib/api/fault-messages.ts';
import { foldOpenapi } from '#lib/api/openapi.ts';
import { type JsonSchema, operationsIn } from '#lib/api/openapi-schema.ts';
import type { Contract } from '#lib/base/contract.ts';
import { encodeCursor } from '#lib/base/cursor.ts';
import { applyEnv } from '#lib/base/env.ts';
import { checkEntries } from '#lib/sales/lists/add-entries.ts';
import type { EntryInput } from '#lib/sales/lists/contracts.ts';
import { checkLimits, checkTiers } from '#lib/sales/projects/check-project.ts';
import { Faults } from '#lib/sales/projects/faults.ts';
import { projectInput } from '#lib/sales/projects/project-input.ts';
import { requirePermittedUrl } from '#lib/webhooks/registry/check-webhook.ts';
import { testEnv } from '#tests/support/env.ts';

applyEnv(testEnv());
const document = foldOpenapi(CONTRACTS);
const ajv = new Ajv2020({ strict: false, allErrors: false });
addFormats.default(ajv);
ajv.addSchema(document, 'document');

/** Values of every kind, each of them good somewhere: amounts, accounts, ids, tokens, times, texts, lists. */
const VALUES: readonly unknown[] = [
  ...['', 'x', 'a b', 'a\u0007b', 'a\nb', 'é', '\u{1F600}', 'x'.repeat(30), 'x'.repeat(10_000)],
  ...['0', '0.0', '0.000000', '0.000001', '0.0000001', '0.00000100', '1', '1.5', '-1', '+1', '1e3', '01', '1.', '.5'],
  ...['99999999999.999999', '100000000000', '100000000000.0', '100000000000.000001', '100000000001', '1000000000000'],
  ...['0.000000000001', '0.0000000000001', '123456789012345678901234567890', '1.5000000000', ' 1', '1 '],
  ...['rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', 'rrrrrrrrrrrrrrrrrrrrrhoLvTp', 'not an account', 'r', 'rNobody'],
  ...[
    'DMO',
    'DM',
    'DMOO',
    '[x]',
    '0158415500000000C1F76FF6ECB0BAC600000000',
    `00${'A'.repeat(38)}`,
    `0A${'0'.repeat(38)}`,
  ],
  ...['DMO.rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', 'DMO', 'DMO.', 'A'.repeat(48), 'g'.repeat(48)],
  ...['proj_5kQ2mB7xN0aYh3uVtR8wZc', 'inv_5kQ2mB7xN0aYh3uVtR8wZc', 'pay_5kQ2mB7xN0aYh3uVtR8wZc', 'proj_1', 'wh_1'],
  ...['tecPATH_DRY', 'tesSUCCESS', 'invalidTransaction', 'trust_line_missing', 'hourly_ceiling', 'no_such_reason'],
  ...['silver', 'Silver', 'holder', 'https://a.example/x', 'https://a.example/x#y', 'http ://a', 'ftp://a.example'],
  ...['2026-11-21T12:00:00Z', '2026-11-21', 'A'.repeat(64), 'a'.repeat(64), 'PID-2345-6789', 'open', 'launch'],
  ...[null, true, false, 0, 1, -1, 1.5, 7, 50, 1_000_000, [], {}, [1], ['x'], { x: 1 }],
];

/**
 * What a schema of the document cannot say, by what the handler answers: a checksum, a comparison of two fields, a time of
 * the calendar, a name that nobody sees, a seed, a URL's parts.
 */
const BEYOND_A_SCHEMA =
  /checksum|is not a valid X-address|must be later than|must not be below|less than 10,000|must lie|invisible|visible character|seed|must not be XRP|user name or password|must be an https URL|is no cursor|Platform ID|well-formed|must not contain control characters/;

type Part = { name: string; schema: z.ZodType; check: (value: unknown) => boolean; example: Record<string, unknown> };

const at = (...steps: string[]) =>
  `document#/${steps.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`;

function bodyOf(contract: Contract): Part[] {
  const method = contract.method.toLowerCase();
  const operation = Object(document.paths?.[contract.path])[method];
  const media = operation?.requestBody?.content?.['application/json'];
  if (contract.body === undefined || media === undefined) return [];
  const ref = at('paths', contract.path, method, 'requestBody', 'content', 'application/json', 'schema');
  const check = ajv.compile({ $ref: encodeURI(ref) });
  return [
    { name: `${contract.id} body`, schema: contract.body, check: (value) => check(value), example: media.example },
  ];
}

function parametersOf(contract: Contract): Part[] {
  const method = contract.method.toLowerCase();
  const parameters: { name: string; in: string; required?: boolean; schema: object; example?: unknown }[] =
    Object(document.paths?.[contract.path])[method]?.parameters ?? [];
  return (['path', 'query'] as const).flatMap((part): Part[] => {
    const schema = part === 'path' ? contract.params : contract.query;
    const own = parameters.filter((one) => one.in === part);
    if (schema === undefined || own.length === 0) return [];
    const checks = own.map((one) => {
      const index = parameters.indexOf(one);
      return [
        one.name,
        ajv.compile({ $ref: encodeURI(at('paths', contract.path, method, 'parameters', String(index), 'schema')) }),
      ] as const;
    });
    // A parameter is a text on the wire; of a number the document's schema sees the number.
    const check = (value: unknown) =>
      checks.every(([name, one]) => {
        const given = Object(value)[name];
        if (given === undefined) return true;
        return one(given) || (/^\d{1,16}$/.test(String(given)) && one(Number(given)));
      });
    const example = Object.fromEntries(
      own.filter((one) => one.required === true).map((one) => [one.name, one.example]),
    );
    return [{ name: `${contract.id} ${part}`, schema, check, example }];
  });
}

/** Every object or list within a value, with the way to it. */
function* placesIn(value: unknown, steps: (string | number)[] = []): Generator<(string | number)[]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, part] of Object.entries(value)) {
    const next = [...steps, Array.isArray(value) ? Number(name) : name];
    yield next;
    yield* placesIn(part, next);
  }
}

const changed = (value: unknown, [first, ...rest]: readonly (string | number)[], given: unknown): unknown => {
  if (first === undefined) return given;
  const copy = structuredClone(value) as Record<string | number, unknown>;
  const part = rest.length === 0 ? given : changed(copy[first], rest, given);
  if (part === undefined) delete copy[first];
  else copy[first] = part;
  return copy;
};

function* casesOf({ schema, example }: Part): Generator<unknown> {
  const names = Object.keys(Object(schema).shape ?? {});
  yield example;
  yield { ...example, unknown_field: 1 };
  const positions = [
    ...placesIn(example),
    ...names.filter((name) => !Object.hasOwn(example, name)).map((name) => [name]),
  ];
  for (const position of positions) {
    yield changed(example, position, undefined);
    for (const value of VALUES) yield changed(example, position, value);
  }
}

/** What the verb looks at itself, behind the contract's schema. */
function isRefusedByVerb(name: string, given: unknown): boolean {
  const { url, entries, tiers } = given as { url?: string; entries?: EntryInput[]; tiers?: { total_tokens: string }[] };
  try {
    if (/^(?:register|update)Webhook/.test(name) && url !== undefined) requirePermittedUrl(url);
    if (/^add(?:Own)?AllowlistEntries/.test(name)) checkEntries(entries ?? []);
    if (name.startsWith('createProject')) {
      const faults = new Faults();
      const limits = projectInput.parse(given);
      checkLimits(limits, checkTiers(limits, faults), faults);
      return faults.errors.length > 0;
    }
    // Finer than any token, or nothing at all; the token's own decimals say the rest.
    return tiers?.some(({ total_tokens }) => (parseUnits(total_tokens, WIRE_TOKEN_DECIMALS) ?? 0n) === 0n) ?? false;
  } catch {
    return true;
  }
}

const parts = CONTRACTS.filter(({ access }) => access.every(({ kind }) => kind !== 'queue')).flatMap((contract) => [
  ...bodyOf(contract).map((part) => [part.name, part] as const),
  ...parametersOf(contract).map((part) => [part.name, part] as const),
]);

describe('the document takes what the handler takes, and refuses what it refuses:', () => {
  test.each(parts)('%s', (_, part) => {
    const differences: string[] = [];
    const isText = !part.name.endsWith('body');
    for (const value of casesOf(part)) {
      // Every parameter arrives as a text.
      if (isText && Object.values(Object(value)).some((one) => typeof one !== 'string' && typeof one !== 'number'))
        continue;
      if (isText && Object.hasOwn(Object(value), 'unknown_field')) continue;
      const given = isText ? Object.fromEntries(Object.entries(Object(value)).map(([k, v]) => [k, String(v)])) : value;
      const isRequiredMissing = isText && Object.keys(part.example).some((name) => !Object.hasOwn(Object(value), name));
      if (isRequiredMissing) continue;
      const read = part.schema.safeParse(given, { error: faultMessage });
      const byDocument = part.check(given);
      if (read.success === byDocument) continue;
      if (!byDocument && isRefusedByVerb(part.name, given)) continue;
      const messages = (read.error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
      if (byDocument && messages.every((message) => BEYOND_A_SCHEMA.test(message))) continue;
      differences.push(
        `${byDocument ? 'only the document takes' : 'only the handler takes'} ${JSON.stringify(given)} (${messages.join('; ')})`,
      );
    }
    expect(differences.slice(0, 12)).toEqual([]);
  });
});

/** Every schema of a text within a schema, with its name there. */
function* textsIn(name: string, schema: JsonSchema): Generator<[string, JsonSchema]> {
  if (typeof schema === 'boolean') return;
  const { properties = {}, items, additionalProperties, anyOf = [], oneOf = [] } = schema;
  if ([schema.type].flat().includes('string')) yield [name, schema];
  for (const [field, part] of Object.entries(properties)) yield* textsIn(`${name}.${field}`, part);
  for (const part of [items, additionalProperties, ...anyOf, ...oneOf])
    if (part !== undefined) yield* textsIn(name, part);
}

const inputs = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
  operationsIn(item).flatMap((operation): [string, JsonSchema][] => {
    if (path.startsWith('/api/queue/')) return [];
    const body = operation.requestBody as { content: Record<string, { schema: JsonSchema }> } | undefined;
    const given = (operation.parameters ?? []) as { name: string; in: string; schema: JsonSchema }[];
    return [
      ...given.filter((one) => one.in !== 'header').map((one): [string, JsonSchema] => [one.name, one.schema]),
      ...Object.values(body?.content ?? {}).map(({ schema }): [string, JsonSchema] => ['body', schema]),
    ].map(([name, schema]): [string, JsonSchema] => [`${operation.operationId} ${name}`, schema]);
  }),
);

test('no text that the document takes holds U+0000, which every operation refuses', () => {
  const texts = inputs.flatMap(([name, schema]) => [...textsIn(name, schema)]);
  expect(texts.length).toBeGreaterThan(200);
  const taking = texts.filter(([, schema]) =>
    ['\0', 'text\0', '\0'.repeat(40)].some((text) => ajv.validate(schema, text)),
  );
  expect(taking.map(([name]) => name)).toEqual([]);
});

test('a cursor in the document is what the platform gives, not any text', () => {
  const cursors = inputs.filter(([name]) => name.endsWith(' cursor'));
  expect(cursors.length).toBeGreaterThan(20);
  const takes = (text: string) => cursors.filter(([, schema]) => ajv.validate(schema, text)).map(([name]) => name);
  expect(takes('not a cursor')).toEqual([]);
  expect(takes('')).toEqual([]);
  expect(takes(encodeCursor(new Date(), 'proj_5kQ2mB7xN0aYh3uVtR8wZc'))).toContain('listProjects cursor');
});

const createProjectExample = () => {
  const body = document.paths?.['/api/admin/projects']?.post?.requestBody as {
    content: Record<string, { example: object }>;
  };
  return body.content['application/json']?.example as Record<string, unknown>;
};

const takesBody = (operationId: string, body: unknown) => {
  const schema = inputs.find(([name]) => name === `${operationId} body`)?.[1];
  if (schema === undefined) throw new Error(`${operationId} has no body`);
  return ajv.validate(schema, body);
};

test('a refund of many payments says in the document too what chooses them', () => {
  const reason = 'asked for by their senders';
  expect(takesBody('refundPayments', { reason })).toBe(false);
  expect(takesBody('refundPayments', { reason, limit: 5, dry_run: true })).toBe(false);
  expect(takesBody('refundPayments', { reason, min_amount_xrp: '1' })).toBe(true);
  expect(takesBody('refundPayments', { reason, held_reason: 'unknown_tag' })).toBe(true);
  expect(takesBody('refundPayments', { reason, held_reason: 'unknown_tags' })).toBe(false);
});

test('a soft cap goes with distribution at the end, by the document too', () => {
  const { distribution: _, soft_cap_xrp: __, ...others } = createProjectExample();
  expect(takesBody('createProject', others)).toBe(true);
  expect(takesBody('createProject', { ...others, soft_cap_xrp: '10' })).toBe(false);
  expect(takesBody('createProject', { ...others, soft_cap_xrp: '10', distribution: 'immediate' })).toBe(false);
  expect(takesBody('createProject', { ...others, soft_cap_xrp: '10', distribution: 'at_end' })).toBe(true);
  expect(takesBody('createProject', { ...others, soft_cap_xrp: null })).toBe(true);
});

/** Alternatives of a schema that say nothing of a type, or stand beside fields of the schema itself. */
function* untypedIn(name: string, schema: JsonSchema): Generator<string> {
  if (typeof schema === 'boolean') return;
  const { properties = {}, items, anyOf = [], oneOf = [] } = schema;
  const alternatives = [...anyOf, ...oneOf];
  if (alternatives.length > 0 && schema.properties !== undefined) yield name;
  for (const one of alternatives) if (typeof one === 'boolean' || (one.type ?? one.$ref) === undefined) yield name;
  for (const [field, part] of Object.entries(properties)) yield* untypedIn(`${name}.${field}`, part);
  for (const part of [items, ...alternatives]) if (part !== undefined) yield* untypedIn(name, part);
}

test('every alternative of what a caller sends is a type of its own, for generators make `any` of others', () => {
  expect(inputs.flatMap(([name, schema]) => [...untypedIn(name, schema)])).toEqual([]);
});
