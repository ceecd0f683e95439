import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { encodeActionMemo } from '@tranche/rules/action-memo.ts';
import { sha256Hex } from '@tranche/rules/sha256.ts';
import canonicalize from 'canonicalize';

const PROJECT = 'proj_5kQ2mB7xN0aYh3uVtR8wZc';
const TAG = 7;

interface Wallet {
  address: string;
  seed: string;
}

/** A sale on a sandbox ledger of which a platform publishes the launch, and no payment at all. */
export interface SmallSale {
  project: string;
  baseUrl: string;
  wsUrl: string;
  /** Pays to the sale; the platform says nothing of it. */
  pay(): Promise<void>;
  close(): Promise<void>;
}

export async function startSmallSale({ wsUrl, rpcUrl }: { wsUrl: string; rpcUrl: string }): Promise<SmallSale> {
  const post = async <Answer>(url: string, body: object): Promise<Answer> => {
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${url} answers ${response.status}`);
    return (await response.json()) as Answer;
  };
  const rpc = async (method: string, params: object): Promise<Record<string, unknown>> => {
    const body = { method, params: [{ ...params, api_version: 2 }] };
    return (await post<{ result: Record<string, unknown> }>(rpcUrl, body)).result;
  };
  const newWallet = async (): Promise<Wallet> => {
    const faucet = new URL('/accounts', rpcUrl).href;
    const { account, seed } = await post<{ account: { address: string }; seed: string }>(faucet, { xrpAmount: 1_000 });
    await rpc('ledger_accept', {});
    return { address: account.address, seed };
  };
  const validatedLedger = async () => Number((await rpc('ledger', { ledger_index: 'validated' })).ledger_index);
  const send = async (wallet: Wallet, fields: object) => {
    const answer = await rpc('submit', { secret: wallet.seed, tx_json: { Account: wallet.address, ...fields } });
    if (answer.engine_result !== 'tesSUCCESS') throw new Error(JSON.stringify(answer));
    await rpc('ledger_accept', {});
    return { hash: String(answer.hash), ledgerIndex: await validatedLedger() };
  };

  const deposit = await newWallet();
  const distributor = await newWallet();
  const investor = await newWallet();
  const registered = await validatedLedger();
  const shown = {
    token: { kind: 'iou', currency: 'TKN', issuer: distributor.address, decimals: 6 },
    distributor: distributor.address,
    deposit_address: deposit.address,
    destination_tag: TAG,
    starts_at: null,
    ends_at: null,
    soft_cap_xrp: null,
    min_investment_xrp: null,
    max_per_wallet_xrp: null,
    access: 'open',
    distribution: 'immediate',
    vesting: { immediate_bps: 10_000, cliff_days: 0, period_days: 0, periods: 0 },
    treasury: null,
    claim_days: 90,
    name: 'Packed',
  };
  const tier = { tier: 1, price_per_token: '0.10', total_tokens: '1000.000000', access: 'open', starts_at: null };
  const terms = { v: 1, project: PROJECT, ...shown, tiers: [tier], refund_min_xrp: '0.001000', operating_accounts: [] };
  const canonical = canonicalize(terms) ?? '';
  const memo = encodeActionMemo({ v: 1, project: PROJECT, move: 'launch', terms_hash: sha256Hex(canonical) });
  const launch = await send(deposit, { TransactionType: 'AccountSet', Memos: [memo] });

  const project = {
    id: PROJECT,
    ...shown,
    slug: 'packed',
    description: '',
    website: null,
    logo: null,
    status: 'active',
    tiers: [{ ...tier, sold_tokens: '0.000000', completed_at: null }],
    refund_min_xrp: terms.refund_min_xrp,
    progress: {
      tiers_completed: 0,
      total_tiers: 1,
      total_raised_xrp: '0.000000',
      cancelled_xrp: '0.000000',
      progress_percentage: 0,
      total_investors: 0,
    },
    terms_hash: sha256Hex(canonical),
    list_hash: null,
    pending_action: null,
    created_at: '2026-11-21T12:00:00.000Z',
    launched_at: '2026-11-21T12:00:00.000Z',
    ended_at: null,
    end_reason: null,
  };
  const page = { next_cursor: null };
  const answers: Record<string, () => Promise<object | string>> = {
    '/verification': async () => ({
      deposit_account: {
        address: deposit.address,
        network_id: 0,
        registered_ledger: registered,
        confirmed_ledger: await validatedLedger(),
        refund_min_xrp: '0.001000',
      },
    }),
    '': async () => project,
    '/terms': async () => ({
      project_id: PROJECT,
      canonical,
      sha256: sha256Hex(canonical),
      anchor: { transaction_hash: launch.hash, ledger_index: launch.ledgerIndex },
    }),
    '/lists': async () => ({ lists: [], ...page }),
    '/exceptions': async () => ({ exceptions: [], ...page }),
    '/payments': async () => '',
    '/allocations': async () => '',
    '/payouts': async () => '',
  };
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://platform');
    const answer =
      pathname === '/api/projects'
        ? { projects: [project], ...page }
        : await answers[pathname.replace(`/api/projects/${PROJECT}`, '')]?.();
    response.statusCode = answer === undefined ? 404 : 200;
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    project: PROJECT,
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    wsUrl,
    pay: async () => {
      const to = { Destination: deposit.address, DestinationTag: TAG, Amount: '5000000' };
      await send(investor, { TransactionType: 'Payment', ...to });
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
