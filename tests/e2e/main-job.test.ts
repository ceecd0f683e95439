import { spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connect, createApiKey } from '@tranche/client/index.ts';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { Client, type Payment, type SubmittableTransaction, type TrustSet, Wallet } from 'xrpl';
import { fetchOk } from '#tests/support/fetch-ok.ts';
import { registerSecrets, registerSecretsIn } from '#tests/support/secrets.ts';

// Only xrpl.js and HTTP: what an operator, an investor and a developer have.
const { manifest } = inject('sandbox');

interface Delivered {
  event: { event_type: string; event_id: string; data: Record<string, unknown> };
  verified: boolean;
}

const ROOT = path.resolve(import.meta.dirname, '../..');

const MOST_LEDGERS = 15;
/** A script that waits for its transactions sees each ledger, and none is too many for it. */
const LEDGER_MS = 250;
/** For so long what a ledger brought is looked for: a public read may be a second old. */
const LOOK_MS = 1_200;
const LOOK_EVERY_MS = 50;

const ledger = new Client(manifest.ledger_ws);
const received: Delivered[] = [];
let receiver: Server;
let secret = '';
let project: { id: string; deposit_address: string; destination_tag: number };
const investor = Wallet.generate();
registerSecrets(investor.seed);

async function call(
  method: string,
  path: string,
  token: string | null,
  body?: unknown,
): Promise<{ status: number; json: Record<string, unknown> }> {
  const response = await fetch(`${manifest.base_url}${path}`, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  registerSecretsIn(text);
  return { status: response.status, json: JSON.parse(text) as Record<string, unknown> };
}

const closeLedger = () => ledger.request({ command: 'ledger_accept' } as never);

/** Closes a ledger and lets the scheduler's call read it. */
async function beat(): Promise<void> {
  await closeLedger();
  const { status, json } = await call('GET', '/api/cron/process-payments', manifest.cron_secret);
  expect(status, JSON.stringify(json)).toBe(200);
  expect(json.faults).toEqual([]);
}

/** Looks again and again after each ledger, and closes the next one only when a public read would have shown it. */
async function beatUntil<T>(what: string, look: () => Promise<T | null | undefined | false>): Promise<T> {
  for (let ledgers = 0; ledgers < MOST_LEDGERS; ledgers++) {
    await beat();
    const shownByMs = Date.now() + LOOK_MS;
    for (let askedAtMs = 0; askedAtMs < shownByMs; await pause(LOOK_EVERY_MS)) {
      askedAtMs = Date.now();
      const found = await look();
      if (found) return found;
    }
  }
  throw new Error(`not seen after ${MOST_LEDGERS} ledgers: ${what}`);
}

async function submit(wallet: Wallet, transaction: SubmittableTransaction): Promise<string> {
  const signed = wallet.sign(await ledger.autofill(transaction));
  const { result } = await ledger.request({ command: 'submit', tx_blob: signed.tx_blob });
  expect(result.engine_result).toBe('tesSUCCESS');
  return signed.hash;
}

/** Starts a script that a guide shows, the first or the one of this name, in a folder of its own. */
const RUNNERS = { js: process.execPath, python: 'python3' } as const;

async function startScript(
  folder: string,
  guide: string,
  {
    env = {},
    language = 'js',
    name = '',
  }: { env?: Record<string, string>; language?: keyof typeof RUNNERS; name?: string } = {},
) {
  const block = new RegExp(`\`\`\`${language}\\b.*${name}.*\\n([\\s\\S]*?)\`\`\``);
  const [, script = ''] = block.exec(await readFile(path.join(ROOT, guide), 'utf8')) ?? [];
  const file = path.join(folder, `${path.basename(guide, '.md')}.${language === 'js' ? 'mjs' : 'py'}`);
  await writeFile(file, script);
  const child = spawn(RUNNERS[language], [file], { cwd: folder, env: { ...process.env, ...env } });
  const started = { child, exit: once(child, 'exit'), output: '' };
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      started.output += chunk.toString();
    });
  return started;
}

const eventsOf = (type: string) => received.filter((each) => each.event.event_type === type);

beforeAll(async () => {
  await ledger.connect();
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const expected = createHmac('sha256', secret).update(body).digest('hex');
      received.push({
        event: JSON.parse(body.toString('utf8')),
        verified: request.headers['x-platform-signature'] === expected,
      });
      response.end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
});

afterAll(async () => {
  await ledger.disconnect();
  receiver?.close();
});

describe('the main job, from launch to tokens', () => {
  it('a developer makes a key and registers a webhook at the documented path', async () => {
    const key = await call('POST', '/api/api-keys/create', null, { wallet_address: investor.classicAddress });
    expect(key.status).toBe(201);
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    const webhook = await call('POST', '/webhooks', String(key.json.api_key), { url });
    expect(webhook.status).toBe(201);
    expect(webhook.json.id).toMatch(/^wh_/);
    secret = String(webhook.json.secret);
    expect(secret).toMatch(/^whsec_/);
    const list = await call('GET', '/api/webhooks', String(key.json.api_key));
    expect(list.json).toMatchObject({ webhooks: [{ id: webhook.json.id, url }] });
    expect(JSON.stringify(list.json)).not.toContain(secret);
  });

  it('an operator creates a project and launches it by an action on the ledger', async () => {
    const { accounts } = manifest;
    if (accounts === null) throw new Error('the sandbox made no accounts');
    const created = await call('POST', '/api/admin/projects', manifest.admin_token, {
      name: 'Main job',
      token: { kind: 'iou', currency: 'DMO', issuer: accounts.issuer.address, decimals: 6 },
      distributor: accounts.distributor.address,
      deposit_address: accounts.deposit.address,
      treasury: accounts.issuer.address,
      tiers: [
        { price_per_token: '0.10', total_tokens: '1000' },
        { price_per_token: '0.20', total_tokens: '5000.000000' },
      ],
    });
    expect(created.status, JSON.stringify(created.json)).toBe(201);
    expect(created.json).toMatchObject({ status: 'draft' });
    project = created.json as typeof project;

    const launch = await call('POST', `/api/admin/projects/${project.id}/launch`, manifest.admin_token, {
      reason: 'main job test',
    });
    expect(launch.status, JSON.stringify(launch.json)).toBe(202);
    const pending = launch.json.pending_action as { action: string; transaction_hash: string };
    expect(pending.action).toBe('launch');

    await beatUntil(
      'active',
      async () => (await call('GET', `/api/projects/${project.id}`, null)).json.status === 'active',
    );
    const { result } = await ledger.request({ command: 'tx', transaction: pending.transaction_hash });
    expect(result.tx_json).toMatchObject({ TransactionType: 'AccountSet', Account: accounts.deposit.address });
  });

  it('250 XRP across a tier boundary become investment.created, investment.confirmed over two tiers, and project.tier_completed', async () => {
    await fetchOk(manifest.faucet_url ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ destination: investor.classicAddress, xrpAmount: '1000' }),
    });
    await closeLedger();
    const trust: TrustSet = {
      TransactionType: 'TrustSet',
      Account: investor.classicAddress,
      LimitAmount: { currency: 'DMO', issuer: manifest.accounts?.issuer.address ?? '', value: '1000000' },
    };
    await submit(investor, trust);
    await closeLedger();
    const payment: Payment = {
      TransactionType: 'Payment',
      Account: investor.classicAddress,
      Destination: project.deposit_address,
      DestinationTag: project.destination_tag,
      Amount: '250000000',
    };
    const hash = await submit(investor, payment);
    // Each event is sent by itself: that one is here says nothing of the others.
    const types = ['investment.created', 'investment.confirmed', 'project.tier_completed'];
    await beatUntil(types.join(', '), async () => types.every((type) => eventsOf(type).length > 0));

    expect(received.filter((each) => !each.verified)).toEqual([]);
    expect(eventsOf('investment.created').map((each) => each.event.data)).toMatchObject([
      {
        project_id: project.id,
        investor_account: investor.classicAddress,
        amount_xrp: '250.000000',
        tier_info: { tier: 1, price_per_token: '0.10', tokens_expected: '1750.000000' },
        transaction: { hash, destination_tag: project.destination_tag },
        status: 'pending_confirmation',
      },
    ]);
    const confirmed = eventsOf('investment.confirmed')[0]?.event.data;
    expect(confirmed).toMatchObject({
      confirmed_amount_xrp: '250.000000',
      final_tier_allocation: [
        { tier: 1, amount_xrp: '100.000000', tokens: '1000.000000' },
        { tier: 2, amount_xrp: '150.000000', tokens: '750.000000' },
      ],
      total_tokens: '1750.000000',
      tokens_to_distribute: '1750.000000',
      transaction: { hash },
      status: 'confirmed',
    });
    expect(eventsOf('project.tier_completed').map((each) => each.event.data)).toMatchObject([
      { tier_completed: 1, next_tier: { tier: 2 }, completion_stats: { total_investors: 1 } },
    ]);
    const order = received.map((each) => each.event.event_type);
    expect(order.filter((type) => type.startsWith('investment.'))).toEqual([
      'investment.created',
      'investment.confirmed',
    ]);
  });

  it("then the tokens stand on the investor's trust line, to the last digit", async () => {
    const balance = await beatUntil('the tokens', async () => {
      const { result } = await ledger.request({
        command: 'account_lines',
        account: investor.classicAddress,
        ledger_index: 'validated',
      });
      const line = result.lines.find((each) => each.currency === 'DMO');
      return line !== undefined && line.balance !== '0' ? line.balance : null;
    });
    expect(balance).toBe('1750');
    await beatUntil('investment.tokens_distributed', async () => eventsOf('investment.tokens_distributed').length > 0);
    const { json } = await call('GET', `/api/investments?wallet_address=${investor.classicAddress}`, null);
    expect(json.investments).toMatchObject([
      { status: 'confirmed', payouts: [{ tokens: '1750.000000', status: 'validated' }] },
    ]);
  });

  it('every event came once, and each with a valid signature', async () => {
    // What is sent a second time comes with a later beat.
    for (let beats = 0; beats < 3; beats++) await beat();
    const types = received.map((each) => each.event.event_type);
    expect(types.filter((type) => /^(?:investment|project\.tier)/.test(type)).toSorted()).toEqual([
      'investment.confirmed',
      'investment.created',
      'investment.tokens_distributed',
      'project.tier_completed',
    ]);
    const ids = received.map((each) => each.event.event_id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(received.filter((each) => !each.verified)).toEqual([]);
  });

  it('the scripts of the guides receive the events of a payment that they make', async () => {
    // Beneath the repository, where its packages are found.
    const folder = await mkdtemp(path.join(ROOT, 'node_modules/.example-'));
    try {
      await mkdir(path.join(folder, '.sandbox'));
      await writeFile(path.join(folder, '.sandbox/manifest.json'), JSON.stringify({ ...manifest, project }));
      const [receiving, paying] = await Promise.all([
        startScript(folder, 'docs/quickstart.md', { env: { PORT: '0' } }),
        startScript(folder, 'docs/sandbox.md'),
      ]);
      try {
        await expect.poll(() => receiving.output).toContain('waits for events');
        while (paying.child.exitCode === null) {
          await closeLedger();
          await Promise.race([paying.exit, pause(LEDGER_MS)]);
        }
        expect(await paying.exit, paying.output).toEqual([0, null]);
        expect(paying.output.trim()).toMatch(/\/api\/investments\?wallet_address=r\w+$/);
        await beatUntil('the events of the script', async () =>
          receiving.output.includes('investment.tokens_distributed'),
        );
        const { investments } = (await (await fetchOk(paying.output.trim())).json()) as {
          investments: { id: string }[];
        };
        for (const type of ['created', 'confirmed', 'tokens_distributed'])
          expect(receiving.output).toMatch(new RegExp(`^investment\\.${type} evt_\\w+ ${investments[0]?.id}$`, 'm'));
      } finally {
        receiving.child.kill();
        await receiving.exit;
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('the programs of the client’s page read the sale, and receive a test event that anybody else cannot send', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'tranche-client-'));
    const outfile = path.join(folder, 'node_modules/@tranche/client/index.mjs');
    const entry = path.join(ROOT, 'lib/client/index.ts');
    await build({ entryPoints: [entry], outfile, bundle: true, format: 'esm', platform: 'neutral' });
    await writeFile(path.join(path.dirname(outfile), 'package.json'), '{"exports": "./index.mjs"}');
    const body = { wallet_address: Wallet.generate().classicAddress, name: 'guide' };
    const { api_key } = await createApiKey({ body }, connect({ baseUrl: manifest.base_url }));
    const hook = createServer().listen(0, '127.0.0.1');
    await once(hook, 'listening');
    const { port } = hook.address() as AddressInfo;
    hook.close();
    await once(hook, 'close');
    const url = `http://127.0.0.1:${port}/`;
    const env = { BASE_URL: manifest.base_url, TRANCHE_API_KEY: api_key, PUBLIC_URL: url, PORT: String(port) };
    const guide = 'lib/client/README.md';
    const reading = await startScript(folder, guide, { env, name: 'sales.mjs' });
    expect(await reading.exit, reading.output).toEqual([0, null]);
    const { json } = await call('GET', `/api/projects/${project.id}`, null);
    const { total_raised_xrp: raised } = json.progress as { total_raised_xrp: string };
    expect(reading.output).toMatch(new RegExp(`^.+ is active and has raised ${raised} XRP$`, 'm'));
    const receiving = await startScript(folder, guide, { env, name: 'receiver.mjs' });
    try {
      await expect
        .poll(() => receiving.output, { timeout: 30_000 })
        .toMatch(/^investment\.confirmed: [\d.]+ XRP, evt_\w+$/m);
      expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
    } finally {
      receiving.child.kill();
      await receiving.exit;
      await rm(folder, { recursive: true });
    }
  });

  it.skipIf(spawnSync('python3', ['-c', 'import xrpl']).status !== 0)('the script for xrpl-py pays too', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'tranche-pay-'));
    try {
      await mkdir(path.join(folder, '.sandbox'));
      await writeFile(path.join(folder, '.sandbox/manifest.json'), JSON.stringify({ ...manifest, project }));
      const paying = await startScript(folder, 'docs/sandbox.md', { language: 'python' });
      while (paying.child.exitCode === null) {
        await closeLedger();
        await Promise.race([paying.exit, pause(LEDGER_MS)]);
      }
      expect(await paying.exit, paying.output).toEqual([0, null]);
      await beatUntil('the payment', async () => {
        const answer = (await (await fetchOk(paying.output.trim())).json()) as { investments: unknown[] };
        return answer.investments.length === 1;
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it.skipIf(spawnSync('bash', ['-c', 'curl --version && jq --version']).status !== 0)(
    'the commands of the operations guide upload a list that the ledger names, show what can be released, and hold a waiting payout',
    async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'tranche-operations-'));
      try {
        const stranger = Wallet.generate();
        registerSecrets(stranger.seed);
        await fetchOk(manifest.faucet_url ?? '', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ destination: stranger.classicAddress, xrpAmount: '100' }),
        });
        await closeLedger();
        await submit(stranger, {
          TransactionType: 'Payment',
          Account: stranger.classicAddress,
          Destination: project.deposit_address,
          DestinationTag: project.destination_tag,
          Amount: '20000000',
        });
        const waiting = `/api/admin/payouts?status=waiting_holder&destination=${stranger.classicAddress}`;
        const payout = await beatUntil('a payout without a trust line', async () => {
          const { json } = await call('GET', waiting, manifest.admin_token);
          return (json.payouts as { id: string }[])[0]?.id;
        });
        await writeFile(
          path.join(folder, 'wallets.csv'),
          `${investor.classicAddress},\n${stranger.classicAddress},50\n`,
        );
        const guide = await readFile(path.join(ROOT, 'docs/operations.md'), 'utf8');
        const commands = [...guide.matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
          .map(([, block = '']) => block)
          .filter((block) => /curl|admin=/.test(block) && !block.includes('KV_REST_API'));
        expect(commands).toHaveLength(9);
        const [variables = '', upload = '', published = '', ...others] = commands;
        const run = async (...blocks: string[]): Promise<string> => {
          const script = ['set -euo pipefail', variables.replace(/^BASE_URL=.*$/m, ''), ...blocks]
            .join('\n')
            .replace('2026-12-01T10:00:00Z', new Date(Date.now() + 3_600_000).toISOString())
            .replace('actor=administrator:alice&', '')
            .replace('$PAYOUT/retry', '$PAYOUT/hold')
            // The sale runs already; and who asked may only withdraw.
            .replace('\\"action\\":\\"launch\\"', '\\"action\\":\\"release\\",\\"amount_xrp\\":\\"10\\"')
            .replace('$approval/approve', '$approval/withdraw')
            .replace('"amount_xrp":"1500"', '"amount_xrp":"10"');
          const child = spawn('bash', ['-c', script], {
            cwd: folder,
            env: {
              ...process.env,
              BASE_URL: manifest.base_url,
              ADMIN_TOKEN: manifest.admin_token,
              PROJECT: project.id,
              PAYOUT: payout,
              lists: `${manifest.base_url}/api/admin/projects/${project.id}/lists`,
              list,
            },
          });
          let output = '';
          for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk));
          const [exitCode] = await once(child, 'exit');
          expect(exitCode, output).toBe(0);
          return output;
        };
        let list = '';
        list = (await run(upload, 'echo "list=$list"')).match(/list=(list_\w+)$/m)?.[1] ?? '';
        expect(list).not.toBe('');
        const hash = await beatUntil('the list in force', async () => {
          const { json } = await call('GET', `/api/projects/${project.id}/lists`, null);
          return (json.lists as { in_force: boolean; hash: string }[]).find(({ in_force }) => in_force)?.hash;
        });
        const shown = await run(published);
        expect(shown.match(new RegExp(hash, 'g')), shown).toHaveLength(2);
        let rest = '';
        for (const block of others) rest += await run(block);
        for (const said of [
          '"releasable_xrp"',
          '"withdrawn"',
          '"groups"',
          '"dry_run"',
          payout,
          '"message"',
          'maintenance.start',
        ])
          expect(rest).toContain(said);
      } finally {
        await rm(folder, { recursive: true });
      }
    },
  );
});
