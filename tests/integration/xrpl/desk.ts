import { Client, type SubmittableTransaction, Wallet } from 'xrpl';
import { GENESIS_SEED, type LedgerOptions, type SandboxLedger, startLedger } from 'xrpl-sandbox/index.ts';
import { connectRealServer } from 'xrpl-sandbox/tests/realServer.ts';
import { registerSecrets } from '#tests/support/secrets.ts';
import { GENESIS, of, write } from '#tests/support/token-crowd.ts';

export const NETWORK_ID = 21_337;

const genesis = Wallet.fromSeed(GENESIS_SEED);
/** What autofill() would give while the ledger is not busy. */
const FEE_DROPS = '12';
const VALID_FOR_LEDGERS = 20;
/** Networks up to this id refuse the NetworkID field, those above require it. */
const LAST_NETWORK_WITHOUT_FIELD = 1024;

/** A ledger that closes on demand, and a client of the tests' own to act on it as anybody might. */
export interface LedgerDesk {
  ledger: SandboxLedger;
  client: Client;
  genesis: Wallet;
  /** New accounts with `xrp` each, in a closed ledger. */
  accounts(count: number, xrp?: number): Promise<Wallet[]>;
  /** Signs and submits; the transaction is in the open ledger when it answers. Fails unless the ledger takes it. */
  send(wallet: Wallet, transaction: SubmittableTransaction): Promise<string>;
  /** What a test finds done when it begins: validated at once, in a ledger of its own, without signatures. Fails unless all succeed. */
  write(...transactions: readonly [Wallet, SubmittableTransaction][]): Promise<void>;
  /** Closes `count` ledgers and returns the last one's index. */
  close(count?: number): number;
  end(): Promise<void>;
}

/** A ledger of its own, or the standalone server of LEDGER_URL; tests that need more of it are left out (stand-in-only.ts). */
async function openLedger(options: LedgerOptions): Promise<SandboxLedger> {
  const url = process.env.LEDGER_URL;
  return url === undefined ? startLedger(options) : ((await connectRealServer(url)) as SandboxLedger);
}

export async function openDesk(options: LedgerOptions = {}): Promise<LedgerDesk> {
  const { networkId = NETWORK_ID } = options;
  const isReal = process.env.LEDGER_URL !== undefined;
  // The platform runs on the main network.
  const ledger = await openLedger({ intervalMs: 0, profile: 'mainnet', ...options, networkId });
  const client = new Client(ledger.wsUrl);
  await client.connect();
  if (client.networkID !== networkId && isReal) {
    throw new Error(
      `the server of LEDGER_URL is on network ${client.networkID}: start it with network ID ${networkId}`,
    );
  }
  const close = (count = 1): number => {
    for (let i = 1; i < count; i++) ledger.accept();
    return ledger.accept();
  };
  /** What autofill() would fill in, by one question instead of three. */
  const fill = async (transaction: SubmittableTransaction): Promise<SubmittableTransaction> => {
    // It costs the reserve of an object.
    if (transaction.TransactionType === 'AccountDelete') return client.autofill(transaction);
    const { result: sender } = await client.request({
      command: 'account_info',
      account: transaction.Account,
      ledger_index: 'current',
    });
    return {
      Fee: FEE_DROPS,
      Sequence: sender.account_data.Sequence,
      LastLedgerSequence: Number(sender.ledger_current_index) + VALID_FOR_LEDGERS,
      ...(networkId > LAST_NETWORK_WITHOUT_FIELD && { NetworkID: networkId }),
      ...transaction,
    };
  };
  const send = async (wallet: Wallet, transaction: SubmittableTransaction): Promise<string> => {
    const { tx_blob: blob, hash } = wallet.sign(await fill(transaction));
    const answer = await client.request({ command: 'submit', tx_blob: blob });
    if (!/^te[sc]/.test(answer.result.engine_result)) {
      throw new Error(`${transaction.TransactionType}: ${answer.result.engine_result}`);
    }
    return hash;
  };
  const writeSigned = async (transactions: readonly (readonly [Wallet, SubmittableTransaction])[]): Promise<void> => {
    for (const [wallet, transaction] of transactions) await send(wallet, transaction);
    close();
  };
  return {
    ledger,
    client,
    genesis,
    close,
    send,
    write: (...transactions) =>
      isReal
        ? writeSigned(transactions)
        : write(
            client,
            transactions.map(([wallet, { TransactionType, ...fields }]) => of(wallet, TransactionType, fields)),
          ),
    async accounts(count, xrp = 1000) {
      const wallets = Array.from({ length: count }, () => Wallet.generate());
      registerSecrets(...wallets.map(({ seed }) => seed));
      const Amount = String(xrp * 1_000_000);
      if (isReal) {
        const common = { TransactionType: 'Payment', Account: genesis.address, Amount } as const;
        await writeSigned(wallets.map(({ address }) => [genesis, { ...common, Destination: address }]));
        return wallets;
      }
      await write(
        client,
        wallets.map(({ address }) => of(GENESIS, 'Payment', { Destination: address, Amount })),
      );
      return wallets;
    },
    async end() {
      await client.disconnect();
      await ledger.close();
    },
  };
}
