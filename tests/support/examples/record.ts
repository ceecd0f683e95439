import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { REFUND_SOURCE_TAG } from '@tranche/rules/types.ts';
import pg from 'pg';
import { sign } from 'ripple-keypairs';
import { Client, type SubmittableTransaction, Wallet, xrpToDrops } from 'xrpl';
import { CONTRACTS } from '#lib/api/contracts.ts';

/**
 * Plays one sale on a running sandbox (`npm run sandbox -- --no-crowd --witnesses 0`) and writes what each operation was asked and answered
 * to lib/api/examples/recorded.json, so that the examples of the API reference are true, and true together:
 * `node tests/support/examples/record.ts`.
 */

interface Manifest {
  base_url: string;
  ledger_ws: string;
  faucet_url: string;
  receiver_url: string;
  postgres_url: string;
  admin_token: string;
  colleague_token: string;
  cron_secret: string;
  accounts: Record<'issuer' | 'distributor' | 'deposit', { address: string }>;
  project: { id: string; deposit_address: string; destination_tag: number };
}

interface Recorded {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  /** By their status. */
  answers: Record<number, unknown>;
}

interface Answered {
  status: number;
  answer: Json;
}

/** What the API answers, as it comes: the operations' own schemas are checked by tests/unit/api/openapi-examples.test.ts. */
type Json = ReturnType<typeof JSON.parse>;

const OUTPUT = new URL('../../../lib/api/examples/recorded.json', import.meta.url);
const manifest = JSON.parse(
  await readFile(new URL('../../../.sandbox/manifest.json', import.meta.url), 'utf8'),
) as Manifest;
const recorded: Record<string, Recorded> = {};
const ledger = new Client(manifest.ledger_ws);
await ledger.connect();

const WAIT_MS = 60_000;
const LOOK_EVERY_MS = 500;

async function until<T>(what: string, look: () => Promise<T | undefined | null | false>): Promise<T> {
  for (const giveUp = Date.now() + WAIT_MS; Date.now() < giveUp; await pause(LOOK_EVERY_MS)) {
    const found = await look();
    if (found) return found;
  }
  throw new Error(`not seen: ${what}`);
}

interface Call {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  token?: string | null;
}

/** The rows of a stream are shown by the first of them. */
function parsed(text: string, type: string): unknown {
  if (/ndjson|jsonl/.test(type)) return JSON.parse(text.split('\n')[0] ?? '');
  return type.includes('json') ? JSON.parse(text) : text;
}

async function call(id: string, { params = {}, query = {}, body, token = null }: Call): Promise<Answered> {
  const contract = CONTRACTS.find((one) => one.id === id);
  if (contract === undefined) throw new Error(`no operation ${id}`);
  const path = Object.entries(params).reduce((so, [name, value]) => so.replace(`{${name}}`, value), contract.path);
  const url = new URL(path, manifest.base_url);
  url.search = new URLSearchParams(query).toString();
  const response = await fetch(url, {
    method: contract.method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const answer = text === '' ? null : parsed(text, response.headers.get('content-type') ?? '');
  return { status: response.status, answer };
}

/** Calls an operation and keeps what it was asked last, and answered with each status. */
async function record(id: string, options: Call = {}): Promise<Json> {
  const { status, answer } = await call(id, options);
  if (status >= 300) throw new Error(`${id}: ${status} ${JSON.stringify(answer)}`);
  const { params, query, body } = options;
  recorded[id] = {
    ...(params === undefined ? {} : { params }),
    ...(query === undefined ? {} : { query }),
    ...(body === undefined ? {} : { body }),
    answers: { ...recorded[id]?.answers, [status]: answer },
  };
  return answer;
}

const ADMIN = manifest.admin_token;
const asAdmin = (id: string, options: Call = {}) => record(id, { token: ADMIN, ...options });

async function funded(xrp: number): Promise<Wallet> {
  const wallet = Wallet.generate();
  const answer = await fetch(manifest.faucet_url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ destination: wallet.address, xrpAmount: String(xrp) }),
  });
  if (!answer.ok) throw new Error(`The faucet answered ${answer.status}`);
  await until('the account', () => ledger.getXrpBalance(wallet.address).catch(() => null));
  return wallet;
}

const submit = async (wallet: Wallet, transaction: SubmittableTransaction): Promise<string> =>
  (await ledger.submitAndWait(transaction, { wallet, autofill: true })).result.hash;

const pay = (wallet: Wallet, xrp: string, tag: number): Promise<string> =>
  submit(wallet, {
    TransactionType: 'Payment',
    Account: wallet.address,
    Destination: manifest.project.deposit_address,
    Amount: xrpToDrops(xrp),
    DestinationTag: tag,
  });

const project = { id: manifest.project.id };
const { destination_tag: tag } = manifest.project;
const { issuer, distributor, deposit } = manifest.accounts;

// What the platform is, before anybody has paid.
const sale = await record('getProject', { params: project });
await asAdmin('getSystemMetrics');
await record('listEventTypes');

// A developer: a key without a proof, a webhook at the receiver, and a proven key of the investor's wallet.
const ada = await funded(2_000);
const { api_key: key } = await record('createApiKey', {
  body: { wallet_address: ada.address, name: 'Production receiver' },
});
const webhook = await record('registerWebhook', {
  token: key,
  body: {
    url: `${manifest.receiver_url}/webhook`,
    events: ['investment.created', 'investment.confirmed', 'investment.tokens_distributed'],
    description: 'Production receiver',
  },
});
const ofWebhook = { webhook_id: webhook.id };
/** The receiver takes what is signed with this secret too. */
const trust = (secret: string) =>
  fetch(`${manifest.receiver_url}/secret`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ secret }),
  });
await trust(webhook.secret);
async function proof(action: string) {
  const { id, message } = await record('createWalletChallenge', { body: { wallet_address: ada.address, action } });
  const signature = sign(Buffer.from(message, 'utf8').toString('hex'), ada.privateKey);
  return { challenge_id: id, public_key: ada.publicKey, signature };
}
await call('createApiKey', { body: { wallet_address: ada.address, name: 'Proven', proof: await proof('create_key') } });
await record('listApiKeys', { params: { wallet_address: ada.address } });
await record('listProvenApiKeys', {
  params: { wallet_address: ada.address },
  body: { proof: await proof('list_keys') },
});

// Ada buys with a trust line, Bob without one, and two payments look like a refund that came back: they are held.
await submit(ada, {
  TransactionType: 'TrustSet',
  Account: ada.address,
  LimitAmount: { currency: 'DMO', issuer: issuer.address, value: '1000000000' },
});
await record('quoteInvestment', { params: project, query: { amount_xrp: '250', wallet_address: ada.address } });
const bob = await funded(500);
const paid = await pay(ada, '250', tag);
await pay(bob, '40', tag);
const lost = await pay(bob, '7', REFUND_SOURCE_TAG);
const stray = await pay(bob, '12.5', REFUND_SOURCE_TAG);
const distributed = await until('the tokens', async () => {
  const { answer } = await call('listInvestments', { query: { wallet_address: ada.address } });
  return answer.investments.find((one: Json) => one.payouts[0]?.status === 'validated');
});
await record('listInvestments', { query: { wallet_address: ada.address } });
await record('getInvestment', { params: { id: distributed.id } });
await record('listProjectInvestments', { params: project });
await record('listProjects');
await record('getProject', { params: project });
await record('getProjectToken', { params: project });
await record('getRaisedHistory', { params: project });
await record('getTerms', { params: project });
await record('getVerification', { params: project });
for (const id of ['exportAllocations', 'exportPayments', 'exportPayouts']) await record(id, { params: project });

// Deliveries, resent and replayed; a rotation begun, cancelled, begun again and committed.
const { deliveries } = await until('deliveries', async () => {
  const { answer } = await call('listDeliveries', { token: key, params: ofWebhook });
  return answer.deliveries.every((one: Json) => one.status === 'success') && answer.deliveries.length > 2
    ? answer
    : null;
});
await record('listDeliveries', { token: key, params: ofWebhook });
await record('getDelivery', { token: key, params: { ...ofWebhook, delivery_id: deliveries[0].id } });
await record('getEvent', { token: key, params: { id: deliveries[0].event_id } });
await record('listEvents', { token: key, query: { types: deliveries[0].event_type } });
await record('getDeliveryStatistics', { token: key, params: ofWebhook, query: { period: 'hour' } });
await record('resendDelivery', { token: key, params: { ...ofWebhook, delivery_id: deliveries[0].id } });
const hour = { from: new Date(Date.now() - 3_600_000).toISOString(), to: new Date().toISOString() };
await record('startReplay', { token: key, params: ofWebhook, body: { ...hour, dry_run: true } });
const replay = await record('startReplay', { token: key, params: ofWebhook, body: hour });
const ofReplay = { ...ofWebhook, replay_id: replay.id };
await record('cancelReplay', { token: key, params: ofReplay });
await record('getReplay', { token: key, params: ofReplay });
await record('listReplays', { token: key, params: ofWebhook });
await record('rotateWebhookSecret', { token: key, params: ofWebhook });
await record('cancelWebhookSecretRotation', { token: key, params: ofWebhook });
await trust((await record('rotateWebhookSecret', { token: key, params: ofWebhook })).secret);
await record('commitWebhookSecretRotation', { token: key, params: ofWebhook });
await record('sendTestEvent', { token: key, body: { webhook_id: webhook.id, event_type: 'investment.confirmed' } });
await record('updateWebhook', {
  token: key,
  params: { id: webhook.id },
  body: { events: ['investment.confirmed'], active: true },
});
await record('getWebhook', { token: key, params: { id: webhook.id } });
await record('listWebhooks', { token: key });

// A link to the portal, opened, with a change made by it.
const link = await record('createPortalLink', {
  token: key,
  body: { expires_in_seconds: 3_600, frame_origins: ['https://dashboard.example.com'] },
});
const session = await record('openPortalLink', { body: { link_token: new URL(link.url).hash.slice(1) } });
await call('updateWebhook', {
  token: session.session_token,
  params: { id: webhook.id },
  body: { description: 'Production receiver' },
});
await record('getPortalLink', { token: key, params: { id: link.id } });
await record('listPortalLinks', { token: key });
await record('endPortalLink', { token: key, params: { id: link.id } });

// Holders and Platform IDs, from a snapshot of the ledger.
const asScheduler = (id: string) => record(id, { token: manifest.cron_secret });
await asScheduler('processPayments');
await until('a snapshot', async () => (await call('syncHolders', { token: manifest.cron_secret })).status < 300);
await until('holders', async () =>
  (await call('listHolders', {})).answer.holders?.some((one: Json) => one.account === ada.address),
);
await asScheduler('syncHolders');
await until(
  'one snapshot',
  async () => (await record('holderStats')).sync_id === (await record('listHolders')).sync_id,
);
await record('listHolderSnapshots');
await asScheduler('trustlineMonitor');
await record('getPlatformIdStatus', { params: { wallet_address: ada.address } });
await record('generatePlatformId', { body: { wallet_address: ada.address } });
await record('generatePlatformId', { body: { wallet_address: ada.address } });
await record('getPlatformIdProfile', { params: { wallet_address: ada.address } });

// An operator looks after it.
await asAdmin('listDepositAccounts');
await until(
  'the held payments',
  async () => (await call('listPayments', { token: ADMIN })).answer.payments.length === 2,
);
await asAdmin('listPayments');
await asAdmin('assignPayment', {
  params: { transaction_hash: stray },
  body: { project_id: project.id, reason: 'The sender named the sale by mail' },
});
await asAdmin('refundPayment', { params: { transaction_hash: lost }, body: { reason: 'The sender asked for it' } });
await pay(bob, '3', REFUND_SOURCE_TAG);
await until('another held payment', async () =>
  (await call('listPayments', { token: ADMIN })).answer.payments.some((one: Json) => one.held_xrp === '3.000000'),
);
await asAdmin('refundPayments', {
  body: { held_reason: 'refund_bounced', min_amount_xrp: '1', dry_run: true, reason: 'A look before the weekend' },
});
await record('listExceptions', { params: project });
const { payouts } = await asAdmin('listPayouts');
const waiting = payouts.find((one: Json) => one.status === 'waiting_holder');
await asAdmin('getPayout', { params: { id: waiting.id } });
await asAdmin('actOnPayout', {
  params: { id: waiting.id, action: 'hold' },
  body: { reason: 'The holder asked for another wallet' },
});
await asAdmin('retryPayouts', {
  body: { project_id: project.id, waiting_reason: 'trust_line_missing', reason: 'Holders were told' },
});
await asAdmin('issueTokens', { body: { project_id: project.id, dry_run: true, reason: 'A look before the weekend' } });
await asAdmin('processTransactions', {
  body: { transaction_hashes: [paid], dry_run: true, reason: 'An investor misses this payment' },
});
const nextToken = { kind: 'iou', currency: 'NXT', issuer: issuer.address, limit_tokens: '1000000' };
const holding = { token: nextToken, reason: 'The next sale begins in May' };
const ofDistributor = { params: { address: distributor.address } };
await asAdmin('openTokenHolding', { ...ofDistributor, body: { ...holding, dry_run: true } });
await asAdmin('openTokenHolding', { ...ofDistributor, body: holding });
await asAdmin('haltDepositAccount', {
  params: { address: deposit.address },
  body: { reason: 'A key may have leaked' },
});
await asAdmin('resumeDepositAccount', { params: { address: deposit.address }, body: { reason: 'The key is safe' } });
const { accounts } = await call('listDepositAccounts', { token: ADMIN }).then(({ answer }) => answer);
const { custody } = accounts.find((account: Json) => account.address === deposit.address);
const { from_ledger: _, refund_min_xrp: __, ...signerSet } = custody ?? {};
await asAdmin('setCustody', {
  params: { address: deposit.address },
  body: { custody: custody === null ? null : signerSet, reason: 'The signer list is set on the ledger' },
});
await asAdmin('startMaintenance', {
  body: {
    message: 'The database is moved. Payments stay safe and are processed afterwards.',
    reason: 'Move to a larger database',
  },
});
await asAdmin('listWitnesses');
await asAdmin('listMaintenances');
await asAdmin('endMaintenance', { body: { reason: 'The database is moved' } });
await asAdmin('listJobs');

// A second sale as a draft, with an allowlist.
const second = await asAdmin('createProject', {
  body: {
    name: 'Second sale',
    token: sale.token,
    distributor: distributor.address,
    deposit_address: deposit.address,
    tiers: [
      { price_per_token: '0.10', total_tokens: '1000000.000000' },
      { price_per_token: '0.20', total_tokens: '500000.000000' },
    ],
    access: 'allowlist',
    ends_at: new Date(Date.now() + 30 * 86_400_000).toISOString(),
  },
});
const draft = { id: second.id };
await asAdmin('patchProject', {
  params: draft,
  body: {
    description: 'A sale for members in two tiers',
    links: [{ label: 'Members’ forum', url: 'https://forum.second-sale.example/' }],
    reason: 'The owner sent a text',
  },
});
const list = await asAdmin('createAllowlist', { params: draft, body: { reason: 'The first round' } });
const ofList = { ...draft, list_id: list.id };
await asAdmin('addAllowlistEntries', {
  params: ofList,
  body: { entries: [{ wallet_address: ada.address, cap_xrp: '1000.000000' }] },
});
await asAdmin('commitAllowlist', { params: ofList, body: { reason: 'The first round' } });
await asAdmin('adminListAllowlists', { params: draft });
await record('getAllowlist', { params: ofList });
await record('listAllowlists', { params: draft });
const members = { min_level: 'bronze', cap_xrp: '1000.000000', reason: 'The round of the members' };
await asAdmin('createAllowlistFromPlatformIds', { params: draft, body: { ...members, dry_run: true } });
await asAdmin('createAllowlistFromPlatformIds', { params: draft, body: members });
const spare = (await call('createAllowlist', { token: ADMIN, params: draft, body: { reason: 'Another round' } }))
  .answer;
await asAdmin('discardAllowlist', { params: { ...draft, list_id: spare.id } });
await asAdmin('adminListProjects');
await asAdmin('adminGetProject', { params: project });

// People ask.
await record('chatWithAssistant', { body: { message: 'Which sales are open?' } });
await record('getAssistantSuggestions');
await record('getSystemStatus');

// The sale ends, and what was raised is released.
await asAdmin('actOnProject', {
  params: { ...project, action: 'end' },
  body: { reason: 'The owner ends the sale early' },
});
await until('the end', async () => (await call('getProject', { params: project })).answer.status === 'completed');
await asAdmin('getRelease', { params: project });
const first = { project_id: project.id, action: 'release', amount_xrp: '50', reason: 'First part of what was raised' };
const asked = await asAdmin('askForApproval', { body: first });
await asAdmin('listApprovals', { query: { status: 'open' } });
await record('decideApproval', {
  token: manifest.colleague_token,
  params: { id: asked.id, decision: 'approve' },
  body: { reason: 'Compared with the contract' },
});
await asAdmin('getApproval', { params: { id: asked.id } });
const part = { amount_xrp: '100', reason: 'Second part of what was raised' };
await asAdmin('releaseRaised', { params: project, body: { ...part, dry_run: true } });
await asAdmin('releaseRaised', { params: project, body: part });
await asAdmin('eraseEvent', {
  params: { id: deliveries[0].event_id },
  query: { reason: 'A person asked for the removal of their data' },
});
await asAdmin('listAudit', { query: { limit: '3' } });
await record('deleteWebhook', { token: key, params: { id: webhook.id } });
await record('revokeApiKey', { body: { api_key: key } });

await ledger.disconnect();

// What the status says while the database is away. The sandbox is of no further use.
const database = new URL(manifest.postgres_url);
const name = database.pathname.slice(1);
database.pathname = '/postgres';
const postgres = new pg.Client({ connectionString: database.toString() });
await postgres.connect();
await postgres.query(`alter database ${postgres.escapeIdentifier(name)} allow_connections false`);
await postgres.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
await postgres.end();
await until('the outage', async () => {
  const { status, answer } = await call('getSystemStatus', {});
  if (status === 503) Object.assign(recorded.getSystemStatus?.answers ?? {}, { 503: answer });
  return status === 503;
});

/** Of this machine and its throwaway keys nothing is kept. */
const text = JSON.stringify(
  Object.fromEntries(Object.entries(recorded).toSorted(([a], [b]) => a.localeCompare(b))),
  null,
  1,
)
  .replaceAll(`${manifest.receiver_url}/webhook`, 'https://receiver.example.com/tranche')
  .replaceAll(manifest.base_url, 'https://tranche.example')
  .replaceAll(new URL(manifest.base_url).host, 'tranche.example')
  .replaceAll(manifest.ledger_ws, 'wss://ledger.example')
  .replaceAll(/tr_link_\w+/g, 'tr_link_3hQm9WcZ1sYd5kLmTd1vXc9bNaYh3uVtR8wZcQ1s5kL')
  .replaceAll(/tr_portal_\w+/g, 'tr_portal_X0aYh3uVtR8wZcQ1s5kLmTd1vXc9b3hQm9WcZ1sYd5k')
  .replaceAll(/tr_test_\w{7,}/g, 'tr_live_8Zk2QpW7xN0aYh3uVtR8wZcQ1s5kLmTd1vXc9b')
  .replaceAll(/tr_test_\w+/g, 'tr_live_8Zk2Qp')
  .replaceAll(/whsec_[\w+/=]+/g, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw5kQ2mB7xN0Y=');
await writeFile(OUTPUT, `${text}\n`);
const missing = CONTRACTS.filter(({ id }) => recorded[id] === undefined).map(({ id }) => id);
process.stdout.write(
  `${Object.keys(recorded).length} operations recorded, ${text.length} characters; not recorded: ${missing.join(', ')}\n`,
);
