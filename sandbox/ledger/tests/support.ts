import { encode, encodeForSigning } from 'ripple-binary-codec';
import { sign } from 'ripple-keypairs';
import { test } from 'vitest';
import { Client, type Payment, type RippledError, type SubmittableTransaction, Wallet } from 'xrpl';
import { GENESIS_SEED, type LedgerOptions, type SandboxLedger, startLedger } from '../index.ts';
import { connectRealServer } from './realServer.ts';

/** A running ledger with a connected xrpl.js client; `stop` ends both. */
export type Rig = {
  readonly ledger: SandboxLedger;
  readonly client: Client;
  readonly genesis: Wallet;
  readonly stop: () => Promise<void>;
};

/** The ledger of a test: one of its own, or the standalone server of LEDGER_URL, which has no settings. */
async function openLedger(options: LedgerOptions): Promise<SandboxLedger> {
  const url = process.env.LEDGER_URL;
  if (url === undefined) return startLedger({ intervalMs: 0, ...options });
  if (Object.keys(options).length > 0) throw new Error('a real server has no settings of a test');
  // Tests that use more of it are left out (tests/support/stand-in-only.ts).
  return (await connectRealServer(url)) as SandboxLedger;
}

/** A test that counts on a ledger in which nothing happened before, or on a command of Clio: left out with LEDGER_URL. */
export const testOnFreshLedger = process.env.LEDGER_URL === undefined ? test : test.skip;

/** Starts a ledger that closes only when told, unless an interval is given. */
export async function startRig(options: LedgerOptions = {}): Promise<Rig> {
  const ledger = await openLedger(options);
  const client = new Client(ledger.wsUrl);
  await client.connect();
  return {
    ledger,
    client,
    genesis: Wallet.fromSeed(GENESIS_SEED, { algorithm: 'ecdsa-secp256k1' as never }),
    stop: async () => {
      await client.disconnect();
      await ledger.close();
    },
  };
}

/** Autofills, signs and submits; answers the engine result and the hash. */
export async function send(rig: Rig, wallet: Wallet, transaction: SubmittableTransaction) {
  const filled = await rig.client.autofill(transaction);
  const { tx_blob, hash } = wallet.sign(filled);
  const { result } = await rig.client.request({ command: 'submit', tx_blob });
  return { hash, tx_blob, filled, result: result.engine_result };
}

/** Sends and closes the ledger; throws when the engine does not take it. */
export async function settle(rig: Rig, wallet: Wallet, transaction: SubmittableTransaction) {
  const sent = await send(rig, wallet, transaction);
  if (!/^te[sc]/.test(sent.result)) throw new Error(`${transaction.TransactionType}: ${sent.result}`);
  rig.ledger.accept();
  const { result } = await rig.client.request({ command: 'tx', transaction: sent.hash });
  if (typeof result.meta !== 'object') throw new Error('a validated transaction has metadata');
  return { ...sent, meta: result.meta, ledgerIndex: result.ledger_index ?? 0 };
}

export function pay(from: string, to: string, amount: Payment['Amount'], more: Partial<Payment> = {}): Payment {
  return { TransactionType: 'Payment', Account: from, Destination: to, Amount: amount, ...more };
}

/** New accounts with that much XRP each, validated. */
export async function fundedWallets(rig: Rig, count: number, xrp = 1000): Promise<Wallet[]> {
  const wallets = Array.from({ length: count }, () => Wallet.generate());
  for (const wallet of wallets) {
    const sent = await send(rig, rig.genesis, pay(rig.genesis.address, wallet.address, String(xrp * 1_000_000)));
    if (sent.result !== 'tesSUCCESS') throw new Error(`funding: ${sent.result}`);
  }
  rig.ledger.accept();
  return wallets;
}

/** Exactly three wallets, for tests with an issuer and two holders. */
export async function threeWallets(rig: Rig): Promise<[Wallet, Wallet, Wallet]> {
  const [a, b, c] = await fundedWallets(rig, 3);
  if (!a || !b || !c) throw new Error('three wallets were asked for');
  return [a, b, c];
}

/** Signs exactly these fields, whatever a client library thinks of them. */
export function signRaw(wallet: Wallet, fields: Record<string, unknown>): string {
  const unsigned = { ...fields, Account: fields.Account ?? wallet.address, SigningPubKey: wallet.publicKey };
  const signature = sign(encodeForSigning(unsigned), wallet.privateKey);
  return encode({ ...unsigned, TxnSignature: signature });
}

/** What the server answers to the submission of such a transaction: its result, or its error. */
export async function submitRaw(rig: Rig, wallet: Wallet, fields: Record<string, unknown>): Promise<string> {
  const { result: info } = await rig.client.request({ command: 'account_info', account: wallet.address });
  const blob = signRaw(wallet, { Fee: '10', Sequence: info.account_data.Sequence, ...fields });
  return submitBlob(rig, blob);
}

/** The engine result of a submitted blob, or what kept it from the engine. */
export async function submitBlob(rig: Rig, blob: string): Promise<string> {
  const answered = await rig.client.request({ command: 'submit', tx_blob: blob }).then(
    ({ result }) => result.engine_result,
    (error: RippledError) => (error.data as { error_exception?: string } | undefined)?.error_exception ?? error.message,
  );
  return answered;
}
