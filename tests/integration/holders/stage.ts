import { exactText } from '@tranche/rules/exact-decimal.ts';
import { inArray } from 'drizzle-orm';
import type { Client } from 'xrpl';
import { holderBalances } from '#drizzle/schema/holders.ts';
import { applyEnv } from '#lib/base/env.ts';
import { type ClosableLedger, openLedger } from '#lib/xrpl/ledger.ts';
import { startQStash } from '#sandbox/qstash/index.ts';
import { type LedgerDesk, NETWORK_ID, openDesk } from '#tests/integration/xrpl/desk.ts';
import { type TestCtx, testCtx } from '#tests/support/ctx.ts';
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts';
import { testEnv } from '#tests/support/env.ts';
import { addDepositAccount, addProject as addSaleProject } from '#tests/support/sale.ts';
import { fund, give, type TestWallet, testWallet, testWallets, trust } from '#tests/support/token-crowd.ts';

export const CURRENCY = 'DMO';

/** A database, a ledger that closes on demand, and a token's issuer with trusting holders on it. */
export interface Stage {
  database: FreshDatabase;
  desk: LedgerDesk;
  ledger: ClosableLedger;
  ctx: TestCtx;
  issuer: TestWallet;
  holders: TestWallet[];
  token: { kind: 'iou'; currency: string; issuer: string };
  /** Puts other settings in force, over the stage's own. */
  set(overrides: Record<string, string>): void;
  /** What waits in the queue: bodies of the messages to ourselves. */
  messages(): Promise<unknown[]>;
  end(): Promise<void>;
}

/** Puppets below are issuers, so that every stage has its own. */
const FIRST_HOLDER = 1_000;

export async function openStage(holderCount: number): Promise<Stage> {
  const [database, desk] = await Promise.all([freshDatabase(), openDesk()]);
  const settings = testEnv();
  const qstash = await startQStash({
    token: settings.QSTASH_TOKEN ?? '',
    currentSigningKey: settings.QSTASH_CURRENT_SIGNING_KEY ?? '',
    nextSigningKey: settings.QSTASH_NEXT_SIGNING_KEY ?? '',
  });
  const issuer = testWallet(1);
  const token = { kind: 'iou' as const, currency: CURRENCY, issuer: issuer.address };
  const inForce = {
    POSTGRES_URL: database.url,
    QSTASH_URL: qstash.url,
    XRPL_URLS: desk.ledger.wsUrl,
    PLATFORM_TOKEN: `${CURRENCY}.${issuer.address}`,
  };
  const set = (overrides: Record<string, string>) => applyEnv(testEnv({ ...inForce, ...overrides }));
  set({});
  const ledger = openLedger({ urls: [desk.ledger.wsUrl], networkId: NETWORK_ID });
  const holders = testWallets(holderCount, FIRST_HOLDER);
  await fund(desk.client, [issuer, ...holders]);
  await trust(desk.client, issuer, CURRENCY, holders);
  const ctx = testCtx({ db: database.db, overrides: { ledger } });
  ctx.clock.set(Date.now());
  return {
    database,
    desk,
    ledger,
    ctx,
    issuer,
    holders,
    token,
    set,
    messages: async () => {
      const waiting = (await (await fetch(`${qstash.url}/sandbox/messages`)).json()) as { body: string }[];
      return waiting.map(({ body }) => JSON.parse(body));
    },
    end: async () => {
      await ledger.close();
      await qstash.close();
      await desk.end();
      await database.close();
    },
  };
}

/** The issuer pays holder number `n` of the stage so many tokens. */
export const grant = ({ desk, issuer, holders }: Stage, values: readonly (readonly [n: number, value: string])[]) =>
  give(
    desk.client,
    issuer,
    CURRENCY,
    values.map(([n, value]) => ({ to: holders[n]!, value })),
  );

/** Who holds the token in that ledger, read by xrpl.js alone. */
export async function holdersAt(client: Client, issuer: string, ledgerIndex: number): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  let marker: unknown;
  do {
    const { result } = await client.request({
      command: 'account_lines',
      account: issuer,
      ledger_index: ledgerIndex,
      ...(marker === undefined ? {} : { marker }),
    });
    for (const { account, balance, currency } of result.lines) {
      if (currency === CURRENCY && balance.startsWith('-')) found.set(account, exactText(balance.slice(1)));
    }
    ({ marker } = result);
  } while (marker !== undefined);
  return found;
}

/** What the database holds of a synchronisation, excluded accounts included. */
export async function storedHolders({ database }: Stage, syncId: string): Promise<Map<string, string>> {
  const rows = await database.db
    .select()
    .from(holderBalances)
    .where(inArray(holderBalances.syncId, [syncId]));
  return new Map(rows.map(({ account, balance }) => [account, exactText(balance)]));
}

/** A project that sells the token; nothing of it matters here but its accounts and its state. */
export async function addProject(
  { database: { db }, token }: Stage,
  project: { id: string; distributor: string; treasury?: string; status?: 'draft' | 'active'; issuanceId?: string },
): Promise<void> {
  const { id, distributor, treasury = null, status = 'active', issuanceId } = project;
  await addDepositAccount(db, distributor, { networkId: NETWORK_ID });
  await addSaleProject(db, {
    id,
    name: id,
    status,
    ...(issuanceId === undefined
      ? { tokenKind: 'iou', currency: token.currency, issuer: token.issuer }
      : { tokenKind: 'mpt', currency: null, issuer: null, issuanceId }),
    decimals: 2,
    distributor,
    treasury,
    depositAddress: distributor,
    destinationTag: Math.floor(Math.random() * 0xffff_fffe) + 1,
  });
}
