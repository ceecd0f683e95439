import { Client, type SubmittableTransaction, Wallet } from 'xrpl';
import { GENESIS_SEED, type LedgerOptions, type SandboxLedger, startLedger } from '#sandbox/ledger/index.ts';
import { noteSecrets } from '#tests/support/secrets.ts';

export const NETWORK_ID = 21_337;

/** A ledger that closes on demand, and a client of the tests' own to act on it as anybody might. */
export interface Desk {
  ledger: SandboxLedger;
  client: Client;
  genesis: Wallet;
  /** New accounts with `xrp` each, in a closed ledger. */
  accounts(count: number, xrp?: number): Promise<Wallet[]>;
  /** Signs and submits; the transaction is in the open ledger when it answers. Fails unless the ledger takes it. */
  send(wallet: Wallet, transaction: SubmittableTransaction): Promise<string>;
  /** Closes `count` ledgers and returns the last one's index. */
  close(count?: number): number;
  end(): Promise<void>;
}

export async function openDesk(options: Partial<LedgerOptions> = {}): Promise<Desk> {
  const ledger = await startLedger({ intervalMs: 0, networkId: NETWORK_ID, ...options });
  const client = new Client(ledger.wsUrl);
  await client.connect();
  const genesis = Wallet.fromSeed(GENESIS_SEED);
  const close = (count = 1): number => {
    for (let i = 1; i < count; i++) ledger.accept();
    return ledger.accept();
  };
  const send = async (wallet: Wallet, transaction: SubmittableTransaction): Promise<string> => {
    const { tx_blob: blob, hash } = wallet.sign(await client.autofill(transaction));
    const answer = await client.request({ command: 'submit', tx_blob: blob });
    if (!/^te[sc]/.test(answer.result.engine_result)) {
      throw new Error(`${transaction.TransactionType}: ${answer.result.engine_result}`);
    }
    return hash;
  };
  return {
    ledger,
    client,
    genesis,
    close,
    send,
    async accounts(count, xrp = 1000) {
      const wallets = Array.from({ length: count }, () => Wallet.generate());
      noteSecrets(...wallets.map(({ seed }) => seed));
      for (const wallet of wallets) {
        await send(genesis, {
          TransactionType: 'Payment',
          Account: genesis.address,
          Destination: wallet.address,
          Amount: String(xrp * 1_000_000),
        });
      }
      close();
      return wallets;
    },
    async end() {
      await client.disconnect();
      await ledger.close();
    },
  };
}
