import { vi } from 'vitest';
import { Client, type SubmittableTransaction, Wallet, xrpToDrops } from 'xrpl';
import { registerSecrets } from '#tests/support/secrets.ts';
import { manifest } from './browser.ts';

const FAUCET_TIMEOUT_MS = 30_000;

/** A wallet with XRP of its own on the sandbox's ledger, as an investor brings one. */
export async function fundedWallet(client: Client, xrp = 1_000): Promise<Wallet> {
  const wallet = Wallet.generate();
  registerSecrets(wallet.seed);
  const answer = await fetch(manifest.faucet_url ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ destination: wallet.classicAddress, xrpAmount: String(xrp) }),
  });
  if (!answer.ok) throw new Error(`The faucet answered ${answer.status}`);
  await vi.waitFor(() => client.getXrpBalance(wallet.classicAddress), { timeout: FAUCET_TIMEOUT_MS, interval: 250 });
  return wallet;
}

export async function connect(): Promise<Client> {
  const client = new Client(manifest.ledger_ws);
  await client.connect();
  return client;
}

export const send = (client: Client, wallet: Wallet, transaction: SubmittableTransaction) =>
  client.submitAndWait(transaction, { wallet, autofill: true });

export const drops = (xrp: string): string => xrpToDrops(xrp);
