import { beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { CONTRACTS } from '#lib/api/contracts.ts';
import { foldOpenapi } from '#lib/api/openapi.ts';
import { MAX_BODY_BYTES } from '#lib/api/parse-request.ts';
import { Judge } from '#tests/fuzz/api/judge.ts';
import { type Document, type Operation, operationsOf } from '#tests/fuzz/api/operations.ts';
import type { Attempt, Credential } from '#tests/fuzz/api/requests.ts';
import { send } from '#tests/fuzz/api/send.ts';
import { prepare, type Stage } from '#tests/fuzz/api/stage.ts';
import { fetchOk } from '#tests/support/fetch-ok.ts';
import { UNDRIVEN } from './shared-suite-undriven.ts';

/** No service is away here, no limit reached and nothing broken: tests/integration/api/failures.test.ts drives these. */
const NEVER = new Set(['429', '500', '503']);

const document = JSON.parse(JSON.stringify(foldOpenapi(CONTRACTS, { version: '0', serverUrl: '/' }))) as Document;
/** What deletes comes last, and last of all the draft that others are asked for. */
const operations = operationsOf(document).toSorted(
  (a, b) =>
    Number(a.method === 'DELETE') - Number(b.method === 'DELETE') ||
    Number(a.id === 'deleteOwnDraft') - Number(b.id === 'deleteOwnDraft'),
);
const judge = new Judge(document);
const seen = new Map<string, Set<string>>(operations.map(({ id }) => [id, new Set()]));

let stage: Stage;
let baseUrl: URL;
beforeAll(async () => {
  const { manifest } = inject('sandbox');
  baseUrl = new URL(manifest.base_url);
  stage = await prepare(manifest);
  // Whether holders have been counted already must not depend on which file ran before.
  await vi.waitFor(
    async () => {
      await fetchOk(`${manifest.base_url}/api/cron/sync-holders`, {
        headers: { authorization: `Bearer ${manifest.cron_secret}` },
      });
      const answer = await fetch(new URL('/api/cron/holder-stats', baseUrl));
      expect(answer.status).toBe(200);
    },
    { timeout: 30_000, interval: 500 },
  );
});

const keyOf = (operation: Operation, name: string): string =>
  name === 'id' ? (/\/(\w+)\/\{id\}/.exec(operation.path)?.[1] ?? name) : name;

/** The path with ids of things that there are, as far as the stage has some; else with the document’s own examples. */
function realPath(operation: Operation): string {
  return operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const real = stage.known[keyOf(operation, name)] ?? [];
    // The second form deletes another than the first.
    const position = operation.id.endsWith('ByAlias') ? real.length - 1 : 0;
    return real[position] ?? examplePart(operation, name);
  });
}

const examplePath = (operation: Operation): string =>
  operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => examplePart(operation, name));

function examplePart(operation: Operation, name: string): string {
  return String(operation.parameters.find((one) => one.name === name)?.example ?? name);
}

const requiredQuery = (operation: Operation): string =>
  operation.parameters
    .filter((one) => one.in === 'query' && one.required === true)
    .map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`)
    .join('&');

const bytes = (value: unknown) => Buffer.from(JSON.stringify(value));

/** The document’s own example, with ids of things that there are in it. */
function exampleBody(operation: Operation): Buffer | null {
  const example = operation.bodyExample;
  if (example === undefined) return null;
  // A url within the body is no webhook's.
  function filled(this: unknown, name: string, value: unknown) {
    if (Object(value) === value || (name === 'url' && this !== example)) return value;
    return stage.known[name]?.[0] ?? value;
  }
  return Buffer.from(JSON.stringify(example, filled));
}

const FREE_TEXT = ['reason', 'name', 'description', 'message'];

/** Another body that is as good. */
function otherBody(operation: Operation): Buffer {
  const example = Object(JSON.parse(exampleBody(operation)?.toString() ?? '{}'));
  const field = FREE_TEXT.find((name) => name in example) ?? 'other';
  return bytes({ ...example, [field]: 'Something else' });
}

/** A credential of another kind than the operation takes. */
const wrong = ({ access }: Operation): Credential => {
  // Who need have none passes with the scheduler’s, which is of no other purpose.
  if (access.includes('apiKey')) return access.includes('public') ? 'member' : 'scheduler';
  return access.includes('public') ? 'none' : 'api_key';
};

const jsonOf = ({ body }: Operation): Record<string, string> =>
  body === null ? {} : { 'content-type': 'application/json' };
const withQuery = (path: string, ...parts: string[]): string =>
  [path, parts.filter(Boolean).join('&')].filter(Boolean).join('?');

/** The call that the document itself proposes, of something that there is. */
const properCall = (operation: Operation): Attempt => ({
  target: withQuery(realPath(operation), requiredQuery(operation)),
  credential: 'right',
  headers: jsonOf(operation),
  body: exampleBody(operation),
});

/** Ways to call an operation that between them bring about every status that can be brought about without knowing it. */
function attemptsAt(operation: Operation): Attempt[] {
  const json = jsonOf(operation);
  const to = (path: string, extra = '') => withQuery(path, requiredQuery(operation), extra);
  const proper = properCall(operation);
  const maxBytes =
    CONTRACTS.find(({ id }) => operation.id.replace(/ByAlias$/, '') === id)?.maxBodyBytes ?? MAX_BODY_BYTES;
  return [
    { ...proper, target: to(realPath(operation), 'unknown_field=1') },
    { ...proper, credential: 'none' },
    { ...proper, credential: 'garbage' },
    { ...proper, credential: wrong(operation) },
    {
      ...proper,
      target: to(examplePath(operation)),
      body: operation.body === null ? null : bytes(operation.bodyExample),
    },
    ...(operation.method === 'GET' ? [{ ...proper, headers: { 'if-none-match': '*' } }] : []),
    ...(operation.method === 'GET' ? [] : [{ ...proper, headers: json, body: bytes({ x: 'x'.repeat(maxBytes) }) }]),
    ...(operation.body === null ? [] : [{ ...proper, headers: { 'content-type': 'text/plain' } }]),
    proper,
    ...('409' in operation.statuses ? [proper] : []),
    ...('422' in operation.statuses
      ? [proper, { ...proper, body: otherBody(operation) }].map((one) => ({
          ...one,
          headers: { ...json, 'idempotency-key': `suite-${operation.id}` },
        }))
      : []),
  ];
}

/** Calls an operation, judges the answer and notes its status, which it gives. */
async function make(operation: Operation, attempt: Attempt): Promise<number> {
  const headers = { ...attempt.headers, ...stage.headersFor(operation, attempt) };
  const answer = await send(baseUrl, operation.method, attempt.target, headers, attempt.body);
  expect(judge.faultOf(operation, answer), `${attempt.target} ${answer.text}`).toBeNull();
  seen.get(operation.id)?.add(String(answer.status));
  return answer.status;
}

/** Operations that are refused for a webhook that is switched off. Other calls of theirs meet a conflict only while the first is at work. */
const NEED_ACTIVE_WEBHOOK = ['startReplay', 'startReplayByAlias'];

async function switchWebhook(operation: Operation, active: boolean): Promise<void> {
  const update = operations.find(({ id }) => id === 'updateWebhook');
  if (update === undefined) throw new Error('The document has no updateWebhook');
  const target = realPath(operation)
    .replace(/\/replays$/, '')
    .replace(/^\/webhooks/, '/api/webhooks');
  const status = await make(update, {
    target,
    credential: 'right',
    headers: { 'content-type': 'application/json' },
    body: bytes({ active }),
  });
  expect(status).toBe(200);
}

describe('every answer fits what the document declares for its status', () => {
  test.each(operations.map((operation) => [operation.id, operation] as const))('%s', async (id, operation) => {
    for (const attempt of attemptsAt(operation)) await make(operation, attempt);
    if (!NEED_ACTIVE_WEBHOOK.includes(id)) return;
    await switchWebhook(operation, false);
    expect(await make(operation, properCall(operation))).toBe(409);
    await switchWebhook(operation, true);
  });

  test('and every declared status was seen, but for those of a list that may only shrink', () => {
    const undriven = operations.flatMap(({ id, statuses }) => {
      const missing = Object.keys(statuses).filter((status) => !NEVER.has(status) && !seen.get(id)?.has(status));
      return missing.length === 0 ? [] : [[id, missing] as const];
    });
    expect(Object.fromEntries(undriven)).toEqual(UNDRIVEN);
  });
});
