import { randomBytes } from 'node:crypto';
import { Redis } from '@upstash/redis';
import { AccountSetAsfFlags, Client, type SubmittableTransaction, Wallet } from 'xrpl';
import { GENESIS_SEED } from 'xrpl-sandbox/index.ts';
import { migrateDatabase } from '#drizzle/migrate.ts';
import { payouts } from '#drizzle/schema/payouts.ts';
import { type Database, openDatabase } from '#lib/base/db.ts';
import { applyEnv } from '#lib/base/env.ts';
import { newId } from '#lib/base/ids.ts';
import { logger } from '#lib/base/log.ts';
import { queue } from '#lib/base/queue.ts';
import type { Ctx } from '#lib/ctx.ts';
import { confirmation } from '#lib/jobs/confirmation.ts';
import { runJobs } from '#lib/jobs/engine.ts';
import { intake } from '#lib/jobs/intake.ts';
import { setCustody } from '#lib/sales/accounts/set-custody.ts';
import { submitAction } from '#lib/sales/actions/submit-action.ts';
import { createProject } from '#lib/sales/projects/create-project.ts';
import { getTerms } from '#lib/sales/projects/get-terms.ts';
import { projectInput } from '#lib/sales/projects/project-input.ts';
import { openLedger } from '#lib/xrpl/ledger.ts';
import { startPostgres } from '#sandbox/postgres/index.ts';
import { startRedisRest } from '#sandbox/redis/index.ts';
import { testEnv } from '#tests/support/env.ts';
import { fund as fundAll, of, type TestWallet, testWallets, trust as trustIssuer } from '#tests/support/token-crowd.ts';
import { NETWORK_ID, spawnLedger } from '../spawn-ledger.ts';
import type { Witnesses } from './witnesses.ts';

const CURRENCY = 'DMO';
export const PAYER_TOKENS = 1_000_000n;
const PER_LEDGER = 200;
const QUORUM = 4;
const A_REQUEST = 2_000;

export interface BenchSale {
  distributor: Wallet;
  /** That many investors pay 1 XRP each, which the platform confirms: it owes them 10 tokens each. */
  sell(count: number): Promise<void>;
}

export interface World {
  ctx: Ctx;
  database: Database;
  client: Client;
  ledgerUrl: string;
  ledgerPid: number;
  holders: readonly TestWallet[];
  token(value: string): { currency: string; issuer: string; value: string };
  /** Every answer of the ledger comes that much later. */
  delayAnswers(ms: number): Promise<void>;
  /** Signs, submits and closes the ledger. */
  send(wallet: Wallet, transaction: SubmittableTransaction): Promise<void>;
  accept(): Promise<void>;
  /** A launched sale with accounts of its own, paid under one key, or under custody of these witnesses. */
  openSale(witnesses: Witnesses | null): Promise<BenchSale>;
  /** An account that holds PAYER_TOKENS, as a distributor does. */
  openPayer(): Promise<Wallet>;
  /** Lets the platform sign for it with its own key. */
  signFor(wallet: Wallet): void;
  end(): Promise<void>;
}

/** A ledger and a database of their own, and so many investors who can hold the token. */
export async function openWorld(holderCount: number): Promise<World> {
  const postgres = await startPostgres();
  const url = await postgres.createDatabase('payouts');
  await migrateDatabase(url);
  const { wsUrl, child } = await spawnLedger();
  // Writing ten thousand transactions takes a moment.
  const client = new Client(wsUrl, { timeout: 120_000 });
  await client.connect();
  const accept = async (): Promise<void> => {
    await client.request({ command: 'ledger_accept' } as never);
  };
  const submit = async (wallet: Wallet, transaction: SubmittableTransaction): Promise<void> => {
    const { tx_blob: blob } = wallet.sign(await client.autofill(transaction));
    const { result } = await client.request({ command: 'submit', tx_blob: blob });
    if (result.engine_result !== 'tesSUCCESS')
      throw new Error(`${transaction.TransactionType}: ${result.engine_result}`);
  };
  const send: World['send'] = async (wallet, transaction) => {
    await submit(wallet, transaction);
    await accept();
  };
  const genesis = Wallet.fromSeed(GENESIS_SEED);
  const fund = async (wallets: readonly Wallet[]): Promise<void> => {
    for (const { address } of wallets) {
      const Amount = '10000000000';
      await submit(genesis, { TransactionType: 'Payment', Account: genesis.address, Destination: address, Amount });
    }
    await accept();
  };
  const issuer = Wallet.generate();
  const holders = testWallets(holderCount);
  const token = (value: string) => ({ currency: CURRENCY, issuer: issuer.address, value });
  const trust = async (wallets: readonly Wallet[]): Promise<void> => {
    for (const wallet of wallets) {
      const LimitAmount = token('1000000000');
      await submit(wallet, { TransactionType: 'TrustSet', Account: wallet.address, LimitAmount, Flags: 0x20000 });
    }
    await accept();
  };
  await fund([issuer]);
  await fundAll(client, holders);
  await send(issuer, {
    TransactionType: 'AccountSet',
    Account: issuer.address,
    SetFlag: AccountSetAsfFlags.asfDefaultRipple,
  });
  await trustIssuer(client, issuer, CURRENCY, holders);

  const notes = await startRedisRest({ token: testEnv().KV_REST_API_TOKEN ?? '' });
  const signingKeys: string[] = [];
  const configure = (witnesses: Witnesses | null): void =>
    applyEnv(
      testEnv({
        POSTGRES_URL: url,
        KV_REST_API_URL: notes.url,
        XRPL_URLS: wsUrl,
        XRPL_NETWORK_ID: String(NETWORK_ID),
        SIGNING_KEYS: signingKeys.join(','),
        ...(witnesses === null ? {} : { WITNESSES: witnesses.setting }),
      }),
    );
  configure(null);
  const database = await openDatabase(url, 5);
  const ledger = openLedger({ urls: [wsUrl], networkId: NETWORK_ID });
  const ctx: Ctx = {
    db: database.db,
    redis: new Redis({
      url: notes.url,
      token: testEnv().KV_REST_API_TOKEN ?? '',
      enableTelemetry: false,
      retry: false,
    }),
    get queue() {
      return queue();
    },
    ledger,
    clock: { nowMs: Date.now },
    random: randomBytes,
    actor: { kind: 'system' },
    requestId: newId('req', randomBytes),
    log: logger(),
  };

  /** Reads and confirms every ledger that is closed. Throws what a job or an account failed with: nothing may be left out in silence. */
  async function readAll(): Promise<void> {
    await accept();
    await accept();
    for (let more = true; more; ) {
      const results = await runJobs(ctx, { jobs: [intake, confirmation] });
      for (const { done } of [results.orThrow(intake), results.orThrow(confirmation)].filter((each) => each !== null)) {
        for (const { error } of done.failures) throw error;
      }
      // A lease that ran out under load leaves a job undone, which has work left all the same.
      more = results.more || results.passedOver;
    }
  }

  /** The signer list of the witnesses, and no master key any more. */
  async function bringUnderCustody(accounts: readonly Wallet[], platform: Wallet, { keys }: Witnesses) {
    const custody = {
      quorum: QUORUM,
      platform: { account: platform.address, weight: 2 },
      witnesses: keys.map((account, index) => ({ account, weight: 1, name: `W${index + 1}`, operator: 'A benchmark' })),
      ledgers_to_live: 20,
    };
    const SignerEntries = [custody.platform, ...custody.witnesses].map(({ account, weight }) => ({
      SignerEntry: { Account: account, SignerWeight: weight },
    }));
    for (const account of accounts) {
      const Account = account.address;
      await send(account, { TransactionType: 'SignerListSet', Account, SignerQuorum: QUORUM, SignerEntries });
      const SetFlag = AccountSetAsfFlags.asfDisableMaster;
      await send(account, { TransactionType: 'AccountSet', Account, SetFlag });
    }
    return custody;
  }

  async function openPayer(): Promise<Wallet> {
    const payer = Wallet.generate();
    await fund([payer]);
    await trust([payer]);
    const Amount = token(String(PAYER_TOKENS));
    await send(issuer, { TransactionType: 'Payment', Account: issuer.address, Destination: payer.address, Amount });
    return payer;
  }

  async function openSale(witnesses: Witnesses | null): Promise<BenchSale> {
    const deposit = Wallet.generate();
    await fund([deposit]);
    const distributor = await openPayer();
    const platform = Wallet.generate();
    for (const account of [deposit, distributor]) {
      signingKeys.push(`${account.address}=ed25519:${(witnesses === null ? account : platform).seed}`);
    }
    configure(witnesses);
    const project = await createProject(
      ctx,
      projectInput.parse({
        name: witnesses === null ? 'One key' : 'Witnessed',
        token: { kind: 'iou', currency: CURRENCY, issuer: issuer.address },
        distributor: distributor.address,
        deposit_address: deposit.address,
        treasury: issuer.address,
        min_investment_xrp: null,
        distribution: 'immediate',
        tiers: [{ price_per_token: '0.10', total_tokens: '1000000' }],
      }),
    );
    if (witnesses !== null) {
      const custody = await bringUnderCustody([deposit, distributor], platform, witnesses);
      await setCustody(ctx, { address: deposit.address, custody, reason: 'benchmark' });
      const { canonical } = await getTerms(ctx, project.id);
      await witnesses.approve(canonical, await client.getLedgerIndex());
    }
    await submitAction(ctx, { projectId: project.id, action: 'launch', reason: 'benchmark' });
    await readAll();
    return {
      distributor,
      async sell(count) {
        const owedBefore = await database.db.$count(payouts);
        const transactions = Array.from({ length: count }, (_, index) => {
          const buyer = holders[index % holders.length] as TestWallet;
          const DestinationTag = project.destination_tag;
          return of(buyer, 'Payment', { Destination: deposit.address, DestinationTag, Amount: '1000000' });
        });
        for (let from = 0; from < count; from += A_REQUEST) {
          await client.request({
            command: 'sandbox_write_transactions',
            transactions: transactions.slice(from, from + A_REQUEST),
            per_ledger: PER_LEDGER,
          } as never);
        }
        await readAll();
        const owed = (await database.db.$count(payouts)) - owedBefore;
        if (owed !== count) throw new Error(`${owed} distributions are owed for ${count} payments`);
      },
    };
  }

  return {
    ctx,
    database,
    client,
    ledgerUrl: wsUrl,
    ledgerPid: child.pid ?? 0,
    holders,
    token,
    send,
    accept,
    openSale,
    openPayer,
    signFor(wallet) {
      signingKeys.push(`${wallet.address}=ed25519:${wallet.seed}`);
      configure(null);
    },
    async delayAnswers(ms) {
      await client.request({ command: 'sandbox_faults', answer_delay_ms: ms } as never);
    },
    async end() {
      await ledger.close();
      await database.close();
      await client.disconnect();
      child.kill();
      await notes.close();
      await postgres.close();
    },
  };
}
