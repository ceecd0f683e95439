import { CONTRACTS } from '#lib/api/contracts.ts';
import { foldOpenapi } from '#lib/api/openapi.ts';
import { signCallback } from '#sandbox/qstash/signature.ts';
import { type Document, type Operation, operationsOf } from '#tests/fuzz/api/operations.ts';
import { TEST_ADMIN_TOKEN, TEST_CRON_SECRET } from '#tests/support/env.ts';
import type { Call } from './load.ts';
import type { Stage } from './stage.ts';

/** A call that is answered as usual, but that its query names a field too many: it is refused behind the credential. */
const REFUSED = '?unknown_field=1';

/** Whom the call is from: whoever the operation is for. */
function credentialOf({ access }: Operation, stage: Stage, url: string, body: string): Record<string, string> {
  if (access.includes('queue')) {
    const key = stage.settings.QSTASH_CURRENT_SIGNING_KEY ?? '';
    return { 'upstash-signature': signCallback(url, Buffer.from(body), key) };
  }
  const token = { apiKey: stage.apiKey, scheduler: TEST_CRON_SECRET, administrator: TEST_ADMIN_TOKEN };
  for (const kind of ['apiKey', 'scheduler', 'administrator'] as const) {
    if (access.includes(kind)) return { authorization: `Bearer ${token[kind]}` };
  }
  return {};
}

function pathOf({ path, parameters }: Operation, stage: Stage): string {
  const known: Record<string, string> = { webhook_id: stage.webhookId, wallet_address: stage.walletAddress };
  const ofCollection: Record<string, string> = { projects: stage.projectId, webhooks: stage.webhookId };
  return path.replaceAll(/(\w+)\/\{(\w+)\}/g, (_, before: string, name: string) => {
    const example = parameters.find((one) => one.in === 'path' && one.name === name)?.example;
    return `${before}/${(name === 'id' ? ofCollection[before] : known[name]) ?? example}`;
  });
}

/** A read as it is meant. Of what works, changes or pays, a request that it refuses: its work is not the start's. */
function callOf(operation: Operation, stage: Stage): Call {
  const { method, access, bodyExample, parameters } = operation;
  const isRead = method === 'GET' && !access.includes('scheduler');
  const query = parameters
    .filter((one) => one.in === 'query' && one.required === true)
    .map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`)
    .join('&');
  const path = `${pathOf(operation, stage)}${isRead ? query && `?${query}` : REFUSED}`;
  const body = bodyExample === undefined ? null : JSON.stringify(bodyExample);
  const url = new URL(path.split('?', 1)[0] ?? '', stage.settings.BASE_URL).href;
  return {
    method: method as Call['method'],
    path,
    headers: {
      ...credentialOf(operation, stage, url, body ?? ''),
      ...(body === null ? {} : { 'content-type': 'application/json' }),
    },
    body,
  };
}

/** One call of every route, a read where it has one, by the route's path. */
export function callOfEveryRoute(stage: Stage): Map<string, Call> {
  const document = JSON.parse(JSON.stringify(foldOpenapi(CONTRACTS, { version: '0', serverUrl: '/' }))) as Document;
  const operations = operationsOf(document).filter(({ id }) => !id.endsWith('ByAlias'));
  return new Map(
    [...Map.groupBy(operations, ({ path }) => path)].flatMap(([path, ofPath]) => {
      const operation = ofPath.find(({ method }) => method === 'GET') ?? ofPath[0];
      return operation === undefined ? [] : [[path, callOf(operation, stage)]];
    }),
  );
}
