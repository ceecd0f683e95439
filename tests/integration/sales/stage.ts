import type { Action } from '@tranche/rules/types.ts';
import { AccountSetAsfFlags, type Wallet } from 'xrpl';
import type { z } from 'zod';
// The linter takes any `use…` inside a function for a React hook.
import { applyEnv } from '#lib/base/env.ts';
import { submitAction } from '#lib/sales/actions/submit-action.ts';
import { createProject } from '#lib/sales/projects/create-project.ts';
import { projectInput } from '#lib/sales/projects/project-input.ts';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import { closeLedger } from '#lib/xrpl/lazy.ts';
import { openLedger } from '#lib/xrpl/ledger.ts';
import { startQStash } from '#sandbox/qstash/index.ts';
import { startRedisRest } from '#sandbox/redis/index.ts';
import { type Advanced, advanceAccount } from '#tests/integration/sales/advance-account.ts';
import { type LedgerDesk, NETWORK_ID, openDesk } from '#tests/integration/xrpl/desk.ts';
import { type TestCtx, testCtx } from '#tests/support/ctx.ts';
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts';
import { testEnv } from '#tests/support/env.ts';
import { CLOSED_AT_MS } from '#tests/support/sale.ts';

export const CURRENCY = 'DMO';
/** Nothing listens there. */
const NOWHERE = '127.0.0.1:9';

/** What an operator sends to create a project. */
export type ProjectBody = z.input<typeof projectInput>;

/** A project and the accounts behind it. Unless a test says otherwise, the issuer pays its tokens out by itself. */
export interface Sale {
  project: ProjectResource;
  deposit: Wallet;
  issuer: Wallet;
}
type ProjectAccounts = Partial<Pick<Sale, 'deposit' | 'issuer'>>;
type Addressed = Pick<Wallet, 'address'>;

/**
 * Everything real, once a test file: a ledger that closes on demand, Postgres, Redis, QStash. The tests of a file do not
 * disturb each other because each makes accounts of its own.
 */
export interface Stage {
  desk: LedgerDesk;
  database: FreshDatabase;
  ctx: TestCtx;
  /** The same ctx, but no ledger server answers it. */
  cutOff: TestCtx;
  /** Changes settings; what is not named stays. */
  set(settings: Record<string, string | undefined>): void;
  /** Lets the platform sign for an account; `seedOf` another one, the seed is a wrong one. */
  entrust(account: Wallet, seedOf?: Wallet): void;
  /** A new account with 1,000 XRP. */
  account(): Promise<Wallet>;
  /** A new account whose tokens pass from holder to holder. */
  issuer(): Promise<Wallet>;
  setFlag(account: Wallet, flag: keyof typeof AccountSetAsfFlags): Promise<void>;
  /** A draft on the given accounts, or on new ones. */
  draft(body?: Partial<ProjectBody>, parties?: ProjectAccounts): Promise<Sale>;
  /** The same, launched. */
  launched(body?: Partial<ProjectBody>, parties?: ProjectAccounts): Promise<Sale>;
  /** Asks for an action; the answer is the project with its pending action. */
  act(sale: Pick<Sale, 'project'>, action: Action, ctx?: TestCtx): Promise<ProjectResource>;
  /** Sends XRP to a sale's deposit account, with the sale's tag unless another is given; it stands in the open ledger. */
  pay(from: Wallet, sale: Sale, xrp: number, tag?: number | null): Promise<string>;
  /** Reads a deposit account's feed and decides what is confirmable. */
  advance(deposit: Addressed, over?: { deadlineMs?: number; stillMine?: () => Promise<boolean> }): Promise<Advanced>;
  /** Closes ledgers until what is open is confirmable, and decides it. */
  settle(deposit: Addressed): Promise<Advanced>;
  end(): Promise<void>;
}

export async function openStage(): Promise<Stage> {
  // The ledger's clock and the ctx's start together.
  const desk = await openDesk({ startTime: new Date(CLOSED_AT_MS) });
  const database = await freshDatabase({ maxConnections: 10 });
  const given = testEnv();
  const redis = await startRedisRest({ token: given.KV_REST_API_TOKEN ?? '' });
  const qstash = await startQStash({
    token: given.QSTASH_TOKEN ?? '',
    currentSigningKey: given.QSTASH_CURRENT_SIGNING_KEY ?? '',
    nextSigningKey: given.QSTASH_NEXT_SIGNING_KEY ?? '',
  });
  const keys = new Map<string, string>();
  let settings: Record<string, string | undefined> = {
    // No callback arrives: what is decided is decided by the test's own calls.
    BASE_URL: `http://${NOWHERE}`,
    POSTGRES_URL: database.url,
    KV_REST_API_URL: redis.url,
    QSTASH_URL: qstash.url,
    XRPL_URLS: desk.ledger.wsUrl,
    XRPL_NETWORK_ID: String(NETWORK_ID),
    RATE_LIMIT_SCALE: '1000',
  };
  const set: Stage['set'] = (changed) => {
    settings = { ...settings, ...changed };
    applyEnv(testEnv({ ...settings, SIGNING_KEYS: [...keys.values()].join(',') }));
  };
  set({});
  const ctx = testCtx({ db: database.db });
  const cutOff = testCtx({
    db: database.db,
    overrides: { ledger: openLedger({ urls: [`ws://${NOWHERE}`], networkId: NETWORK_ID }) },
  });

  const stage: Stage = {
    desk,
    database,
    ctx,
    cutOff,
    set,
    entrust(account, seedOf = account) {
      keys.set(account.address, `${account.address}=ed25519:${seedOf.seed}`);
      set({});
    },
    async account() {
      const [account] = (await desk.accounts(1)) as [Wallet];
      return account;
    },
    async issuer() {
      const issuer = await stage.account();
      await stage.setFlag(issuer, 'asfDefaultRipple');
      return issuer;
    },
    async setFlag(account, flag) {
      const SetFlag = AccountSetAsfFlags[flag];
      await desk.write([account, { TransactionType: 'AccountSet', Account: account.address, SetFlag }]);
    },
    async draft(body = {}, parties = {}) {
      const deposit = parties.deposit ?? (await stage.account());
      const issuer = parties.issuer ?? (await stage.issuer());
      stage.entrust(deposit);
      stage.entrust(issuer);
      const input = projectInput.parse({
        name: 'Sale',
        token: { kind: 'iou', currency: CURRENCY, issuer: issuer.address },
        distributor: issuer.address,
        deposit_address: deposit.address,
        treasury: issuer.address,
        // Tests pay what they like; what is left out would become the default.
        min_investment_xrp: null,
        tiers: [
          { price_per_token: '0.10', total_tokens: '1000' },
          { price_per_token: '0.20', total_tokens: '5000' },
        ],
        ...body,
      });
      return { project: await createProject(ctx, input), deposit, issuer };
    },
    async launched(body, parties) {
      const sale = await stage.draft(body, parties);
      await stage.act(sale, 'launch');
      await stage.settle(sale.deposit);
      return sale;
    },
    act: (sale, action, asked = ctx) =>
      submitAction(asked, { projectId: sale.project.id, action, reason: 'asked for' }),
    pay: (from, sale, xrp, tag = sale.project.destination_tag) =>
      desk.send(from, {
        TransactionType: 'Payment',
        Account: from.address,
        Destination: sale.deposit.address,
        Amount: String(BigInt(Math.round(xrp * 1_000_000))),
        ...(tag === null ? {} : { DestinationTag: tag }),
      }),
    async advance({ address }, { deadlineMs = Number.POSITIVE_INFINITY, stillMine = async () => true } = {}) {
      return advanceAccount(ctx, { account: address, server: await ctx.ledger.serverState(), deadlineMs, stillMine });
    },
    async settle(deposit) {
      desk.close(2);
      return stage.advance(deposit);
    },
    async end() {
      await closeLedger();
      await qstash.close();
      await redis.close();
      await database.close();
      await desk.end();
    },
  };
  return stage;
}
