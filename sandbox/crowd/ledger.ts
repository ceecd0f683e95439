import { setTimeout as sleep } from 'node:timers/promises';
import { type BaseRequest, Client, type SubmittableTransaction, Wallet } from 'xrpl';

/** A connection to the ledger stand-in, for setting things up. */
export type SandboxLedger = {
  networkId: number;
  /** Pays XRP from the faucet to an account, which comes into being by it. */
  fund(address: string, xrp: number): Promise<void>;
  /** Sends a transaction and returns when it is validated with success. */
  settle(seed: string, transaction: SubmittableTransaction): Promise<void>;
  /** Closes the open ledger, so that nobody waits for the clock (and there may be none). */
  accept(): Promise<void>;
  close(): Promise<void>;
};

const SETTLE_TIMEOUT_MS = 30_000;
const POLL_MS = 50;

/** Connects to the ledger stand-in; `signal` ends every wait. */
export async function connectLedger(wsUrl: string, faucetUrl: string, signal: AbortSignal): Promise<SandboxLedger> {
  const client = new Client(wsUrl);
  // Broken connections show where a request fails; without a listener they would be uncaught errors.
  client.on('error', () => {});
  await client.connect();

  const accept = async () => {
    // xrpl.js has no type for an administrator's command; its connection takes any.
    const command: BaseRequest = { command: 'ledger_accept' };
    await client.connection.request(command);
  };
  const until = async (what: string, reached: () => Promise<boolean>) => {
    for (const end = Date.now() + SETTLE_TIMEOUT_MS; !(await reached()); await sleep(POLL_MS, undefined, { signal })) {
      if (Date.now() > end) throw new Error(`${what} was not validated after ${SETTLE_TIMEOUT_MS / 1000} s.`);
      await accept();
    }
  };

  return {
    networkId: client.networkID ?? 0,
    accept,
    fund: async (address, xrp) => {
      await requestFunds(faucetUrl, address, xrp, signal);
      await until(`The funding of ${address}`, () => exists(client, address));
    },
    settle: async (seed, transaction) => {
      const wallet = Wallet.fromSeed(seed);
      const { tx_blob, hash } = wallet.sign(await client.autofill(transaction));
      const { result } = await client.submit(tx_blob);
      const what = `${transaction.TransactionType} of ${transaction.Account}`;
      if (result.engine_result !== 'tesSUCCESS') throw new Error(`${what}: ${result.engine_result_message}`);
      await accept();
      await until(what, () => isValidated(client, hash));
    },
    close: () => client.disconnect(),
  };
}

/** Asks the faucet for XRP; throws when it refuses. */
export async function requestFunds(
  faucetUrl: string,
  address: string,
  xrp: number,
  signal: AbortSignal,
): Promise<void> {
  const response = await fetch(faucetUrl, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ destination: address, xrpAmount: String(xrp) }),
    signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]),
  });
  if (!response.ok) throw new Error(`The faucet refused ${address}: ${response.status} ${await response.text()}`);
}

/** Whether an account stands in a validated ledger. */
export async function exists(client: Client, address: string): Promise<boolean> {
  return client.request({ command: 'account_info', account: address, ledger_index: 'validated' }).then(
    () => true,
    () => false,
  );
}

async function isValidated(client: Client, hash: string): Promise<boolean> {
  const response = await client.request({ command: 'tx', transaction: hash }).catch(() => null);
  if (!response?.result.validated) return false;
  const { meta } = response.result;
  if (typeof meta === 'object' && meta.TransactionResult !== 'tesSUCCESS') {
    throw new Error(`Transaction ${hash} was validated with ${meta.TransactionResult}.`);
  }
  return true;
}
