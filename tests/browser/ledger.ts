import { vi } from 'vitest';
import { Client, type SubmittableTransaction, type TxResponse, Wallet, xrpToDrops } from 'xrpl';
import { fetchOk } from '#tests/support/fetch-ok.ts';
import { registerSecrets } from '#tests/support/secrets.ts';
import { manifest } from './browser.ts';

const LEDGER_TIMEOUT_MS = 30_000;

/** A wallet with XRP of its own on the sandbox's ledger, as an investor brings one. */
export async function fundedWallet(client: Client, xrp = 1_000): Promise<Wallet> {
  const wallet = Wallet.generate();
  registerSecrets(wallet.seed);
  await fetchOk(manifest.faucet_url ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ destination: wallet.classicAddress, xrpAmount: String(xrp) }),
  });
  await vi.waitFor(() => client.getXrpBalance(wallet.classicAddress), { timeout: LEDGER_TIMEOUT_MS, interval: 50 });
  return wallet;
}

export async function connect(): Promise<Client> {
  const client = new Client(manifest.ledger_ws);
  await client.connect();
  return client;
}

/** Sends a transaction and gives it as it was validated, with the next ledger: xrpl.js looks for it once a second only. */
export async function send(client: Client, wallet: Wallet, transaction: SubmittableTransaction): Promise<TxResponse> {
  const { tx_blob, hash } = wallet.sign(await client.autofill(transaction));
  const { engine_result, engine_result_message } = (await client.submit(tx_blob)).result;
  return vi.waitFor(
    async () => {
      const sent = await client.request({ command: 'tx', transaction: hash });
      if (sent.result.validated !== true) throw new Error(`Not validated: ${engine_result} ${engine_result_message}`);
      return sent;
    },
    { timeout: LEDGER_TIMEOUT_MS, interval: 50 },
  );
}

export const drops = (xrp: string): string => xrpToDrops(xrp);
