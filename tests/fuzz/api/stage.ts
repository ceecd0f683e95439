import { createHash, randomInt } from 'node:crypto';
import { Wallet } from 'xrpl';
import type { Manifest } from '#sandbox/launcher/manifest.ts';
import { signCallback } from '#sandbox/qstash/signature.ts';
import { giveProject, signInMember } from '#tests/support/sign-in-member.ts';
import type { Operation } from './operations.ts';
import type { Attempt, Credential, Known } from './requests.ts';

type Json = Record<string, unknown>;

/** Who the fuzzer may be, and what there is to be asked for. */
export interface Stage {
  known: Known;
  headersFor(operation: Operation, attempt: Attempt): Record<string, string>;
}

const HOLDER_OF: Readonly<Record<string, Credential>> = {
  apiKey: 'api_key',
  scheduler: 'scheduler',
  administrator: 'administrator',
  member: 'member',
};

/** Makes keys of every kind, a webhook with a delivery, a draft and a list, through the interface itself. */
export async function prepare(manifest: Manifest): Promise<Stage> {
  const post = async (path: string, json: unknown, token?: string): Promise<Json> => {
    const response = await fetch(new URL(path, manifest.base_url), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        // Each key comes from an address of its own: one address may make a few a day.
        'x-forwarded-for': `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(json),
    });
    const answer = (await response.json()) as Json;
    if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${JSON.stringify(answer)}`);
    return answer;
  };
  const newKey = async (scopes?: string[]): Promise<string> =>
    String((await post('/api/api-keys/create', { wallet_address: Wallet.generate().classicAddress, scopes })).api_key);

  const [apiKey, reader, stranger, revoked] = [
    await newKey(),
    await newKey(['webhooks:read']),
    await newKey(),
    await newKey(),
  ];
  await post('/api/api-keys/revoke', { api_key: revoked });
  const member = await signInMember(manifest);
  const tokens: Record<Credential, string | null> = {
    right: null,
    none: null,
    garbage: `${apiKey.slice(0, -1)}${apiKey.endsWith('0') ? '1' : '0'}`,
    api_key: apiKey,
    reader,
    stranger,
    revoked,
    scheduler: manifest.cron_secret,
    administrator: manifest.admin_token,
    member: member.token,
  };
  const spare = await newKey();
  const signingKey = await currentSigningKey(manifest);
  return {
    known: { ...(await things(manifest, post, apiKey, member.tenantId)), api_key: [spare] },
    headersFor: (operation, { credential, target, body }) => {
      if (credential === 'right' && operation.access.includes('queue')) {
        const url = new URL(target.split('?')[0] ?? '', manifest.base_url).href;
        return { 'upstash-signature': signCallback(url, body ?? Buffer.alloc(0), signingKey) };
      }
      const holder =
        credential === 'right' ? operation.access.map((kind) => HOLDER_OF[kind]).find(Boolean) : credential;
      const token = holder === undefined ? null : tokens[holder];
      return token === null ? {} : { authorization: `Bearer ${token}` };
    },
  };
}

async function currentSigningKey({ qstash_url, qstash_token }: Manifest): Promise<string> {
  const response = await fetch(`${qstash_url}/v2/keys`, { headers: { authorization: `Bearer ${qstash_token}` } });
  return String(((await response.json()) as Json).current);
}

async function things(
  manifest: Manifest,
  post: (path: string, json: unknown, token?: string) => Promise<Json>,
  apiKey: string,
  tenantId: string,
): Promise<Known> {
  const { accounts, admin_token, receiver_url } = manifest;
  if (accounts === null) throw new Error('The sandbox made no accounts');
  const url = receiver_url ?? 'https://receiver.example.com/';
  const webhooks = [await post('/api/webhooks', { url }, apiKey), await post('/api/webhooks', { url }, apiKey)];
  const webhookIds = webhooks.map(({ id }) => String(id));
  const deliveries = await Promise.all(
    webhookIds.map((webhook_id) => post('/api/webhooks/test', { webhook_id, event_type: 'project.launched' }, apiKey)),
  );
  const project = await post(
    '/api/admin/projects',
    {
      name: 'Fuzzed',
      token: { kind: 'iou', currency: 'DMO', issuer: accounts.issuer.address, decimals: 6 },
      distributor: accounts.distributor.address,
      deposit_address: accounts.deposit.address,
      tiers: [{ price_per_token: '0.10', total_tokens: '1000', access: 'allowlist' }],
    },
    admin_token,
  );
  // For administrators and for the member alike.
  await giveProject(manifest, String(project.id), tenantId);
  const list = await post(`/api/admin/projects/${project.id}/lists`, { reason: 'fuzzing' }, admin_token);
  const projects = [String(project.id), ...(manifest.project === null ? [] : [manifest.project.id])];
  return {
    projects,
    project_id: projects,
    webhooks: webhookIds,
    webhook_id: webhookIds,
    delivery_id: deliveries.map(({ id }) => String(id)),
    list_id: [String(list.id)],
    url: [url],
    address: [accounts.deposit.address],
    deposit_address: [accounts.deposit.address],
    distributor: [accounts.distributor.address],
    issuer: [accounts.issuer.address],
    account: [accounts.deposit.address],
    wallet_address: [accounts.deposit.address, accounts.distributor.address],
    transaction_hash: [createHash('sha256').update('none').digest('hex').toUpperCase()],
  };
}
