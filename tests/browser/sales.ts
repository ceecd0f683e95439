import { vi } from 'vitest';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import { fetchOk } from '#tests/support/fetch-ok.ts';
import { BASE_URL, manifest } from './browser.ts';

const FEED_TIMEOUT_MS = 60_000;

async function call(method: string, path: string, body?: unknown): Promise<ProjectResource> {
  const answer = await fetchOk(`${BASE_URL}${path}`, {
    method,
    headers: { authorization: `Bearer ${manifest.admin_token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return (await answer.json()) as ProjectResource;
}

/** A draft on the sandbox's accounts, as an operator makes one. */
export async function draft(slug: string, over: Record<string, unknown> = {}): Promise<ProjectResource> {
  const { accounts } = manifest;
  if (accounts === null) throw new Error('The sandbox made no accounts');
  return call('POST', '/api/admin/projects', {
    name: `Sale ${slug}`,
    slug,
    token: { kind: 'iou', currency: 'DMO', issuer: accounts.issuer.address, decimals: 6 },
    deposit_address: accounts.deposit.address,
    treasury: accounts.issuer.address,
    distributor: accounts.distributor.address,
    // Tests of the pages pay next to nothing.
    min_investment_xrp: null,
    tiers: [{ price_per_token: '0.5', total_tokens: '1000' }],
    ...over,
  });
}

/** Asks for an action of a sale and waits until the ledger's feed has brought it. */
export async function act({ id }: ProjectResource, name: string): Promise<ProjectResource> {
  await call('POST', `/api/admin/projects/${id}/${name}`, { reason: 'a test of the pages' });
  return vi.waitFor(
    async () => {
      const project = await call('GET', `/api/admin/projects/${id}`);
      if (project.pending_action !== null) throw new Error(`${name} is not on the ledger yet`);
      return project;
    },
    { timeout: FEED_TIMEOUT_MS, interval: 250 },
  );
}

/** Has the platform look at the sale's waiting payouts with its next run, not when their own time comes. */
export async function lookAgain({ id }: ProjectResource): Promise<void> {
  await call('POST', '/api/admin/payouts/retry', { project_id: id, reason: 'a test of the pages' });
}

export async function launched(slug: string, over: Record<string, unknown> = {}): Promise<ProjectResource> {
  const project = await draft(slug, over);
  await act(project, 'launch');
  return project;
}

/** A running sale that admits one wallet alone, by a list that the ledger anchors. */
export async function launchedFor(slug: string, wallet: string): Promise<ProjectResource> {
  const project = await draft(slug, { access: 'allowlist' });
  const lists = `/api/admin/projects/${project.id}/lists`;
  const { id } = await call('POST', lists, { reason: 'a test of the pages' });
  await call('POST', `${lists}/${id}/entries`, { entries: [{ wallet_address: wallet }] });
  await call('POST', `${lists}/${id}/commit`, { reason: 'a test of the pages' });
  await vi.waitFor(() => act(project, 'launch'), { timeout: FEED_TIMEOUT_MS, interval: 500 });
  return project;
}
