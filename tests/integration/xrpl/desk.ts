import { GENESIS_SEED, type LedgerOptions, type SandboxLedger, startLedger } from '@tranche/sandbox-ledger/index.ts';
import { Client, type SubmittableTransaction, Wallet } from 'xrpl';
import { registerSecrets } from '#tests/support/secrets.ts';

export const NETWORK_ID = 21_337;

const genesis = Wallet.fromSeed(GENESIS_SEED);
/** Pays for new accounts: the genesis account signs with secp256k1, which costs three times as much to make and to verify. */
const distributorToken = Wallet.generate();
const FUNDED_DROPS = String(1_000_000_000n * 1_000_000n);

/** A ledger that closes on demand, and a client of the tests' own to act on it as anybody might. */
export interface DeveloperConsole {
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

export async function openDesk(options: Partial<LedgerOptions> = {}): Promise<DeveloperConsole> {
  const ledger = await startLedger({ intervalMs: 0, networkId: NETWORK_ID, ...options });
  const client = new Client(ledger.wsUrl);
  await client.connect();
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
  const pay = (from: Wallet, to: Wallet, drops: string) =>
    send(from, { TransactionType: 'Payment', Account: from.address, Destination: to.address, Amount: drops });
  let filled: Promise<unknown> | null = null;
  const fundDistributor = async () => {
    registerSecrets(distributorToken.seed);
    await pay(genesis, distributorToken, FUNDED_DROPS);
    close();
  };
  return {
    ledger,
    client,
    genesis,
    close,
    send,
    async accounts(count, xrp = 1000) {
      const wallets = Array.from({ length: count }, () => Wallet.generate());
      registerSecrets(...wallets.map(({ seed }) => seed));
      filled ??= fundDistributor();
      await filled;
      for (const wallet of wallets) await pay(distributorToken, wallet, String(xrp * 1_000_000));
      close();
      return wallets;
    },
    async end() {
      await client.disconnect();
      await ledger.close();
    },
  };
}
