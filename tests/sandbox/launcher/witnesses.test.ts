import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { halt, resume, status } from '@tranche/witness/commands.ts';
import canonicalize from 'canonicalize';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type SandboxLedger as Ledger, startLedger } from 'xrpl-sandbox/index.ts';
import { openCustodyLedger } from '#lib/custody/ledger.ts';
import { setUpSteps } from '#lib/custody/steps.ts';
import { readWitnessStatus } from '#lib/xrpl/witnesses.ts';
import { prepareAccounts } from '#sandbox/crowd/accounts.ts';
import { connectLedger, type SandboxLedger } from '#sandbox/crowd/ledger.ts';
import { bringUnderCustody, signerSetOf } from '#sandbox/launcher/custody.ts';
import { layoutOf } from '#sandbox/launcher/layout.ts';
import { generateSecrets } from '#sandbox/launcher/secrets.ts';
import { createSupervisor } from '#sandbox/launcher/supervisor.ts';
import { startWitnesses, type Witnesses } from '#sandbox/launcher/witnesses.ts';
import { registerSecrets } from '#tests/support/secrets.ts';

const NETWORK_ID = 1000;
const secrets = generateSecrets(3);
const stopping = new AbortController();
const root = mkdtempSync(path.join(tmpdir(), 'tranche-witnesses-'));
const layout = { ...layoutOf(1, root), root: path.resolve(import.meta.dirname, '../../..') };
const supervisor = createSupervisor(layout.logFolder);
let ledger: Ledger;
let connection: SandboxLedger;
let witnesses: Witnesses;

beforeAll(async () => {
  registerSecrets(...[secrets.platformSigner, ...secrets.witnesses].map(({ seed }) => seed));
  ledger = await startLedger({ intervalMs: 0, profile: 'mainnet', networkId: NETWORK_ID });
  connection = await connectLedger(ledger.wsUrl, ledger.faucetUrl, stopping.signal);
  await prepareAccounts(connection, secrets);
  await bringUnderCustody(ledger.wsUrl, connection, secrets);
  const options = { layout, secrets, supervisor, signal: stopping.signal };
  witnesses = await startWitnesses(options, {
    ledgerUrl: ledger.wsUrl,
    networkId: NETWORK_ID,
    baseUrl: 'http://127.0.0.1:9',
  });
}, 60_000);
afterAll(async () => {
  stopping.abort();
  await supervisor.stop();
  await connection.close();
  await ledger.close();
  rmSync(root, { recursive: true });
});

const health = async (url: string): Promise<number> => (await fetch(`${url}/health`)).status;

test('the accounts of the demo sale are under custody by the steps of the command', async () => {
  const shown = await openCustodyLedger({ urls: [ledger.wsUrl] });
  try {
    for (const { address } of [secrets.deposit, secrets.distributor]) {
      const facts = await shown.facts(address);
      const steps = facts === null ? [] : setUpSteps(signerSetOf(secrets), facts);
      expect(steps.map(({ state }) => state)).toEqual(steps.map(() => 'done'));
      expect(facts).toMatchObject({ masterDisabled: true, regularKey: null, list: { quorum: 4 } });
    }
  } finally {
    await shown.close();
  }
});

test('three witnesses with keys of their own run, and are started again at the same addresses when they die', async () => {
  expect(witnesses.running.map(({ key }) => key)).toEqual(secrets.witnesses.map(({ address }) => address));
  for (const { url, name } of witnesses.running) {
    expect(await health(url)).toBe(200);
    const key = path.join(layout.witnessFolder, name, 'witness.key');
    expect([readFileSync(key, 'utf8').trim(), statSync(key).mode & 0o077]).toEqual([
      secrets.witnesses.find((witness) => witness.name === name)?.seed,
      0,
    ]);
  }
  process.kill(witnesses.pid() ?? 0, 'SIGKILL');
  await expect.poll(async () => health(witnesses.running[0]?.url ?? '').catch(() => 0), { timeout: 10_000 }).toBe(0);
  for (const { url } of witnesses.running) {
    await vi.waitFor(async () => expect(await health(url)).toBe(200), { timeout: 30_000, interval: 100 });
  }
  const logs = readFileSync(path.join(layout.logFolder, 'witnesses.log'), 'utf8');
  for (const { seed, token } of secrets.witnesses) {
    expect(logs).not.toContain(seed);
    expect(logs).not.toContain(token);
  }
}, 60_000);

/** Terms of a sale that the accounts of the sandbox pay for. */
const termsOf = (project: string, fromLedger: number): string =>
  canonicalize({
    v: 1,
    project,
    name: 'Sale',
    token: { kind: 'iou', currency: 'DMO', issuer: secrets.issuer.address, decimals: 2 },
    distributor: secrets.distributor.address,
    deposit_address: secrets.deposit.address,
    destination_tag: 1,
    tiers: [{ tier: 1, price_per_token: '0.10', total_tokens: '100.00', access: 'open', starts_at: null }],
    starts_at: null,
    ends_at: null,
    claim_days: 0,
    soft_cap_xrp: null,
    min_investment_xrp: null,
    max_per_wallet_xrp: null,
    refund_min_xrp: '0.001000',
    access: 'open',
    distribution: 'immediate',
    vesting: { immediate_bps: 10_000, cliff_days: 0, period_days: 0, periods: 0 },
    treasury: null,
    operating_accounts: [],
    custody: { ...signerSetOf(secrets), from_ledger: fromLedger, refund_min_xrp: '0.001000' },
  }) ?? '';

test('once a sale is approved, each of them has read the ledger for it: its launch finds none behind', async () => {
  const validatedIndex = ledger.accept();
  const project = `proj_${'S'.repeat(22)}`;
  await witnesses.approve(termsOf(project, validatedIndex));
  for (const witness of witnesses.running) {
    const { ledger_index: index, accounts, unreadable_approvals: unreadable } = await readWitnessStatus(witness);
    expect(unreadable).toEqual([]);
    expect(accounts.flatMap(({ sales }) => sales)).toContain(project);
    expect(index).toBeGreaterThanOrEqual(validatedIndex);
  }
});

test('its operator stops and resumes one of them by the commands of a witness', async () => {
  const [first, second] = witnesses.running;
  const config = path.join(layout.witnessFolder, first?.name ?? '', 'witness.json');
  const said: string[] = [];
  const terminal = { out: (text: string) => said.push(text), err: () => {}, confirm: async () => false };
  const statusOf = async (url = '') => ((await (await fetch(`${url}/health`)).json()) as { status: string }).status;
  halt({ config, reason: 'tried' }, terminal);
  expect([await statusOf(first?.url), await statusOf(second?.url)]).toEqual(['halted', 'ok']);
  expect(await status({ config, json: true }, terminal)).toBe(1);
  expect(said.join()).toContain('halted');
  resume({ config }, terminal);
  expect(await status({ config, json: true }, terminal)).toBe(0);
});
