import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { SaleAccounts } from './accounts.ts';
import { demoProjectBody } from './demo-project.ts';
import type { SandboxLedger } from './ledger.ts';
import { type DemoProject, parseDemoProject } from './options.ts';
import { type Platform, platformAt } from './platform.ts';

export type DemoSaleEnvironment = {
  baseUrl: string;
  accounts: SaleAccounts;
  adminToken: string;
  /** Of an operator who approves the launch; null: who asks may launch alone. */
  approverToken: string | null;
  cronSecret: string;
  ledger: SandboxLedger;
  receiver: { url: string; addSecret(secret: string): void };
  /** Who signs for the accounts, and how the witnesses approve the text of a sale's terms; null: each has one key. */
  custody: { set: unknown; approve(canonical: string): Promise<void> } | null;
  signal: AbortSignal;
};

const ACTIVE_TIMEOUT_MS = 60_000;
const POLL_MS = 250;

const apiKeySchema = z.object({ api_key: z.string() });
const webhookSchema = z.object({ secret: z.string() });
const termsSchema = z.object({ canonical: z.string() });
const approvalSchema = z.object({ id: z.string() });
const stateSchema = z.object({ id: z.string(), status: z.string() });

/** Creates and launches the demo sale through the platform's API, as an operator would; returns when it is active. */
export async function launchDemoSale(ground: DemoSaleEnvironment): Promise<DemoProject> {
  const platform = platformAt(ground.baseUrl, ground.signal);
  await registerReceiver(platform, ground);
  const created = stateSchema.parse(
    await platform.post('/api/admin/projects', demoProjectBody(ground.accounts), ground.adminToken),
  );
  const path = `/api/projects/${created.id}`;
  await agree(platform, path, ground);
  await launch(platform, created.id, ground);
  const active = await untilActive(platform, path, ground);
  await firstSnapshot(platform, ground);
  return parseDemoProject(active);
}

async function launch(platform: Platform, id: string, { adminToken, approverToken }: DemoSaleEnvironment) {
  const reason = 'Demo sale';
  if (approverToken === null) {
    await platform.post(`/api/admin/projects/${id}/launch`, { reason }, adminToken);
    return;
  }
  const wanted = { project_id: id, action: 'launch', reason };
  const asked = approvalSchema.parse(await platform.post('/api/admin/approvals', wanted, adminToken));
  await platform.post(`/api/admin/approvals/${asked.id}/approve`, { reason }, approverToken);
}

/** The sale's signers become a part of its terms, and each witness is told to sign for these terms. */
async function agree(platform: Platform, path: string, { custody, accounts, adminToken }: DemoSaleEnvironment) {
  if (custody === null) return;
  const address = `/api/admin/accounts/${accounts.deposit.address}/custody`;
  await platform.put(address, { custody: custody.set, reason: 'Demo sale' }, adminToken);
  const { canonical } = termsSchema.parse(await platform.get(`${path}/terms`));
  await custody.approve(canonical);
}

/** The cron comes at the full hour: until then there would be no figures of the holders to see. It may be at it just now. */
async function firstSnapshot(platform: Platform, { cronSecret }: DemoSaleEnvironment): Promise<void> {
  await platform.get('/api/cron/sync-holders', cronSecret).catch(() => undefined);
}

async function registerReceiver(platform: Platform, { accounts, receiver }: DemoSaleEnvironment): Promise<void> {
  const owner = { wallet_address: accounts.issuer.address, name: 'Sandbox receiver' };
  const { api_key } = apiKeySchema.parse(await platform.post('/api/api-keys/create', owner));
  const webhook = { url: `${receiver.url}/webhook`, description: 'Webhook receiver of the sandbox' };
  const { secret } = webhookSchema.parse(await platform.post('/webhooks', webhook, api_key));
  receiver.addSecret(secret);
}

/** The launch is real when the ledger has validated it and the platform has read it there. */
async function untilActive(platform: Platform, path: string, ground: DemoSaleEnvironment): Promise<unknown> {
  for (const end = Date.now() + ACTIVE_TIMEOUT_MS; ; await sleep(POLL_MS, undefined, { signal: ground.signal })) {
    const project = await platform.get(path);
    const { status } = stateSchema.parse(project);
    if (status === 'active') return project;
    if (Date.now() > end) throw new Error(`The demo sale was still ${status} after ${ACTIVE_TIMEOUT_MS / 1000} s.`);
    // Neither the ledger's clock (there may be none) nor the next cron (up to a minute away) is waited for.
    await ground.ledger.accept();
    await platform.get('/api/cron/process-payments', ground.cronSecret);
  }
}
