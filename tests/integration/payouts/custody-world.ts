import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Custody, purposeId } from '@tranche/rules/custody.ts';
import { cancelTicket, forNetwork, payoutPayment, ticketCreate } from '@tranche/rules/transactions.ts';
import { signMessage } from '@tranche/witness/key-signature.ts';
import { type Candidate, type Refusal, readPurpose, signaturesRequest } from '@tranche/witness/protocol.ts';
import { eq, sql } from 'drizzle-orm';
import { encodeForMultiSigning, type SubmittableTransaction, type Transaction, Wallet } from 'xrpl';
import { depositAccounts, projects } from '#drizzle/schema/sale.ts';
import { applyEnv } from '#lib/base/env.ts';
import { loadStored } from '#lib/payouts/load.ts';
import { purposeIdOf } from '#lib/payouts/purposes.ts';
import type { Payout } from '#lib/payouts/types.ts';
import { testEnv } from '../../support/env.ts';
import { NETWORK_ID } from '../xrpl/desk.ts';
import { openWorld, type World } from './world.ts';

const TOKEN = 'token-of-a-witness-in-tests';

/** A witness that signs whatever is owed by the records, over real HTTP: the platform's side is what is tested here. */
export interface SigningWitness {
  wallet: Wallet;
  /** What it does with each candidate; null signs it. */
  refuse: (candidate: Candidate) => Refusal | null;
  /** It answers nothing while true. */
  isAway: boolean;
  /** It takes requests and never answers. */
  isHanging: boolean;
  /** It signs with another key than its own. */
  isForging: boolean;
  /** The ledger that it says it decides by; the newest where null. */
  ledgerIndex: number | null;
  requests: number;
}

export interface CustodyWorld extends World {
  platform: Wallet;
  witnesses: SigningWitness[];
  custody: Custody;
  close(): Promise<void>;
}

/** A world whose distributor and deposit account need the platform and two of three witnesses. */
export async function openCustodyWorld(): Promise<CustodyWorld> {
  const world = await openWorld();
  const platform = Wallet.generate();
  const servers: Server[] = [];
  const witnesses: SigningWitness[] = [];
  const settings: string[] = [];
  for (let index = 0; index < 3; index++) {
    const witness: SigningWitness = {
      wallet: Wallet.generate(),
      refuse: () => null,
      isAway: false,
      isHanging: false,
      isForging: false,
      ledgerIndex: null,
      requests: 0,
    };
    const server = createServer((request, response) => {
      void answer(world, witness, request).then((body) => {
        if (witness.isHanging) return;
        if (witness.isAway) request.socket.destroy();
        else response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    servers.push(server);
    witnesses.push(witness);
    const { port } = server.address() as AddressInfo;
    settings.push(`${witness.wallet.address}=http://127.0.0.1:${port}#${TOKEN}`);
  }
  const custody: Custody = {
    quorum: 4,
    platform: { account: platform.address, weight: 2 },
    witnesses: witnesses.map(({ wallet }, index) => ({
      account: wallet.address,
      weight: 1,
      name: `W${index + 1}`,
      operator: `Operator ${index + 1}`,
    })),
    ledgers_to_live: 20,
    from_ledger: 1,
    refund_min_xrp: '0.001000',
  };
  for (const account of [world.distributor, world.deposit]) {
    const Account = account.address;
    const SignerEntries = [custody.platform, ...custody.witnesses].map(({ account: key, weight }) => ({
      SignerEntry: { Account: key, SignerWeight: weight },
    }));
    const list: SubmittableTransaction = { TransactionType: 'SignerListSet', Account, SignerQuorum: 4, SignerEntries };
    await world.desk.send(account, list);
    world.desk.close();
    await world.desk.send(account, { TransactionType: 'AccountSet', Account, SetFlag: 4 });
    world.desk.close();
  }
  await world.ctx.db.update(depositAccounts).set({ custody }).where(eq(depositAccounts.address, world.deposit.address));
  await world.ctx.db.update(projects).set({ custody }).where(eq(projects.id, world.projectId));
  applyEnv(
    testEnv({
      KV_REST_API_URL: world.redis.url,
      XRPL_URLS: world.desk.ledger.wsUrl,
      XRPL_NETWORK_ID: String(NETWORK_ID),
      SIGNING_KEYS: [world.distributor, world.deposit]
        .map(({ address }) => `${address}=ed25519:${platform.seed}`)
        .join(','),
      WITNESSES: settings.join(','),
    }),
  );
  return {
    ...world,
    platform,
    witnesses,
    custody,
    async close() {
      for (const server of servers) server.close();
      await world.end();
    },
  };
}

async function answer(world: World, witness: SigningWitness, request: NodeJS.ReadableStream): Promise<unknown> {
  witness.requests += 1;
  const { account, candidates } = signaturesRequest.parse(JSON.parse(await text(request)));
  const owed = await loadStored(world.ctx.db, sql`true`, [], 100_000);
  const { validatedIndex } = await world.ctx.ledger.serverState();
  const results = candidates.map((candidate) => {
    const refused = witness.refuse(candidate);
    if (refused !== null) return { refused };
    const payments = owed.map(({ payout }) => payout);
    const transaction = forNetwork({ ...build(account, candidate, payments), SigningPubKey: '' }, NETWORK_ID);
    return { signed: signatureOf(witness, transaction as Transaction) };
  });
  return { ledger_index: witness.ledgerIndex ?? validatedIndex, results };
}

function signatureOf({ wallet, isForging }: SigningWitness, transaction: Transaction) {
  const { privateKey } = isForging ? Wallet.generate() : wallet;
  const signature = signMessage(encodeForMultiSigning(transaction, wallet.address), privateKey);
  return { account: wallet.address, public_key: wallet.publicKey, signature };
}

/** The bytes that a witness builds by itself. */
function build(account: string, candidate: Candidate, owed: readonly Payout[]) {
  const limits = {
    feeDrops: BigInt(candidate.fee_drops),
    lastLedgerSequence: candidate.last_ledger_sequence,
  };
  switch (candidate.kind) {
    case 'payment': {
      const purpose = purposeId(readPurpose(candidate.purpose));
      const payout = owed.find((each) => purposeIdOf(each) === purpose);
      if (payout === undefined) throw new Error('nothing is owed for this purpose');
      return payoutPayment(payout, { ...limits, ticket: candidate.ticket });
    }
    case 'ticket_create': {
      const ids = candidate.purposes.map((purpose) => purposeId(readPurpose(purpose)));
      return ticketCreate(account, ids, { ...limits, sequence: candidate.sequence });
    }
    case 'ticket_cancel':
      return cancelTicket(account, { ...limits, ticket: candidate.ticket });
    case 'action':
      throw new Error('not asked here');
  }
}
