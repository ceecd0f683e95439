import fc, { type Arbitrary } from 'fast-check';
import type { Schemas } from '#lib/api/openapi-schema.ts';
import { valueFrom } from './arbitrary.ts';
import { mutated, ODD_TEXTS } from './odd-values.ts';
import type { Operation } from './operations.ts';

/** Who asks. `right` is a credential that the operation takes. */
export const CREDENTIALS = [
  'right',
  'none',
  'garbage',
  'api_key',
  'reader',
  'stranger',
  'revoked',
  'scheduler',
  'administrator',
  'member',
] as const;
export type Credential = (typeof CREDENTIALS)[number];

/** A request but for its credential; `{name}` in the path is filled already. */
export interface Attempt {
  target: string;
  credential: Credential;
  headers: Record<string, string>;
  body: Buffer | null;
}

/** Ids of things that there are, by the parameter or field that takes them. */
export type Known = Readonly<Record<string, readonly string[]>>;

/** Node's own parser refuses longer heads, before any of ours is asked. */
const MAX_TARGET_LENGTH = 6_000;
/** Segments that make another address of the path. */
const STEPS: ReadonlySet<string> = new Set(['', '.', '..']);

const oddText = fc.oneof(
  fc.constantFrom<string>(...ODD_TEXTS),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
);

/** Not longer than so much, and no escape cut in two. */
const cut = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(0, length).replace(/%[0-9A-F]?$/, '');

const encoded = (text: string): string => cut(encodeURIComponent(text.toWellFormed()), 1_500);

/** Percent-encoding that no encoder makes. */
const rawSegment = fc.constantFrom(
  '%E0%A4%A',
  '%',
  '%zz',
  '%C0%80',
  '%00',
  '%2F',
  'a;b=c',
  "a'b",
  '%F0%9F%98%80',
  '~!$&()*+,=:@',
);

const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

function pathOf(operation: Operation, schemas: Schemas, known: Known): Arbitrary<string> {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
  const segments = names.map((name) => {
    const schema = operation.parameters.find((one) => one.in === 'path' && one.name === name)?.schema ?? true;
    const key = name === 'id' ? (/\/(\w+)\/\{id\}/.exec(operation.path)?.[1] ?? 'id') : name;
    const real = known[key] ?? [];
    const valid = valueFrom(schema, schemas).map((value) => encoded(asText(value)));
    return fc
      .oneof(
        { weight: real.length > 0 ? 6 : 0, arbitrary: fc.constantFrom(...(real.length > 0 ? real : ['-'])) },
        { weight: 3, arbitrary: valid },
        { weight: 1, arbitrary: oddText.map(encoded) },
        { weight: 1, arbitrary: rawSegment },
      )
      .map((segment) => (STEPS.has(segment.replaceAll('%2E', '.')) ? '-' : segment));
  });
  return fc.tuple(...segments).map((values) => {
    let position = 0;
    return operation.path.replaceAll(/\{\w+\}/g, () => values[position++] ?? '-');
  });
}

function queryOf(operation: Operation, schemas: Schemas, known: Known): Arbitrary<string> {
  const fields = operation.parameters.filter((one) => one.in === 'query');
  const valid = fields.map(({ name, schema, required }) => {
    const real = known[name] ?? [];
    const value = fc.oneof(
      valueFrom(schema, schemas).map(asText),
      ...(real.length === 0 ? [] : [fc.constantFrom(...real)]),
    );
    const pair = value.map((text) => [`${name}=${encoded(text)}`]);
    return required === true
      ? pair
      : fc.oneof({ weight: 3, arbitrary: fc.constant<string[]>([]) }, { weight: 1, arbitrary: pair });
  });
  const name = fc.oneof(fc.constantFrom('unknown', '__proto__', 'a[b]', '', ...fields.map((one) => one.name)), oddText);
  const odd = fc.tuple(name, oddText).map(([key, value]) => `${encoded(key)}=${encoded(value)}`);
  return fc
    .tuple(
      fc.tuple(...valid),
      fc.oneof(
        { weight: 4, arbitrary: fc.constant<string[]>([]) },
        { weight: 1, arbitrary: fc.array(odd, { maxLength: 3 }) },
      ),
    )
    .map(([own, extra]) => [...own.flat(), ...extra].join('&'));
}

const BROKEN_BODIES = [
  '',
  '{',
  '{"a":',
  'null',
  '[]',
  '"text"',
  'undefined',
  '{} {}',
  '{"a":1,"a":2}',
  "{'a':1}",
  '\ufeff{}',
  '{"a":1e999}',
  '{"__proto__":{"admin":true}}',
  '['.repeat(20_000),
  `${'{"a":'.repeat(8_000)}1${'}'.repeat(8_000)}`,
  `{"reason":"${'x'.repeat(70_000)}"}`,
  '{"reason":"\\ud800"}',
  '{"reason":"a\\u0000b"}',
] as const;

const rawBody: Arbitrary<Buffer> = fc.oneof(
  fc.constantFrom(...BROKEN_BODIES).map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)),
  fc.constant(Buffer.from([0x7b, 0xff, 0xfe, 0x7d])),
);

/** The same body about things that there are, in the fields that the schema has. */
function aboutKnown(value: unknown, known: Known): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, known[name]?.[0] ?? field]));
}

function bodyOf(operation: Operation, schemas: Schemas, known: Known): Arbitrary<Buffer | null> {
  if (operation.method === 'GET') return fc.constant(null);
  if (operation.body === null)
    return fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: rawBody });
  const generated = valueFrom(operation.body, schemas);
  const valid = fc
    .tuple(generated, fc.boolean())
    .map(([value, isKnown]) => (isKnown ? aboutKnown(value, known) : value));
  const json = (value: unknown) => Buffer.from(JSON.stringify(value) ?? 'null');
  return fc.oneof(
    { weight: 6, arbitrary: valid.map(json) },
    { weight: 4, arbitrary: mutated(valid).map(json) },
    { weight: 1, arbitrary: rawBody },
  );
}

const JSON_TYPE = { 'content-type': 'application/json' };
const ODD_HEADERS: readonly Record<string, string>[] = [
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': 'multipart/form-data' },
  { 'content-type': '' },
  { accept: 'text/csv' },
  { accept: 'application/xml;q=nan,,,' },
  { accept: 'text/event-stream' },
  { 'if-none-match': '*' },
  { 'if-none-match': '"' },
  { 'x-forwarded-for': '999.1.1.1, ::1,' },
  { 'x-http-method-override': 'DELETE' },
  { 'content-encoding': 'gzip' },
  { range: 'bytes=0-1' },
  { 'next-router-state-tree': '%7B' },
  { rsc: '1' },
  { rsc: '1', 'next-router-prefetch': '1', 'next-url': '/' },
  { origin: 'null' },
  { 'idempotency-key': 'x'.repeat(300) },
  { 'idempotency-key': 'fuzz' },
  { 'idempotency-key': '"\u00e9"' },
  { cookie: 'a='.repeat(500) },
  { 'x-middleware-subrequest': 'proxy:proxy' },
  { 'accept-encoding': 'br;q=x' },
  { host: 'elsewhere.example' },
  { te: 'trailers' },
];

/** Segments that leave the operation's path, in every spelling that a server resolves. */
const DOT_SEGMENTS = ['%2e%2e', '%2E%2E', '.%2e', '%2e.', '..', '%2e', '.', '%2e%2e%2f', '..%5c', ''] as const;

/** Requests whose path leads from an operation to another place, or to none: nobody knows whose answer it will be. */
export function straysFrom(operation: Operation, known: Known): Arbitrary<Attempt> {
  const { path, method } = operation;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => known[name]?.[0] ?? '-').split('/');
  return fc
    .record({
      at: fc.nat(filled.length - 1),
      steps: fc.array(fc.constantFrom(...DOT_SEGMENTS), { minLength: 1, maxLength: 4 }),
      credential: fc.constantFrom<Credential>('right', 'none', 'api_key'),
    })
    .map(({ at, steps, credential }) => ({
      target: filled.toSpliced(at + 1, 0, ...steps).join('/'),
      credential,
      headers: method === 'GET' ? {} : JSON_TYPE,
      body: method === 'GET' ? null : Buffer.from('{}'),
    }));
}

/** Requests to an operation: most of them proper, some near to it, some far away. */
export function attemptsAt(operation: Operation, schemas: Schemas, known: Known): Arbitrary<Attempt> {
  return fc
    .record({
      path: pathOf(operation, schemas, known),
      query: queryOf(operation, schemas, known),
      body: bodyOf(operation, schemas, known),
      credential: fc.oneof(
        { weight: 12, arbitrary: fc.constant<Credential>('right') },
        { weight: 3, arbitrary: fc.constantFrom(...CREDENTIALS) },
      ),
      odd: fc.oneof(
        { weight: 5, arbitrary: fc.constant({}) },
        { weight: 1, arbitrary: fc.constantFrom(...ODD_HEADERS) },
      ),
    })
    .map(({ path, query, body, credential, odd }) => ({
      target: cut(query === '' ? path : `${path}?${query}`, MAX_TARGET_LENGTH),
      credential,
      headers: { ...(body === null ? {} : JSON_TYPE), ...odd },
      body,
    }));
}
