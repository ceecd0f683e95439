import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type RunningWitness, startWitness } from '@tranche/witness/server.ts';
import { eq, isNotNull } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Wallet } from 'xrpl';
import { startLedger } from 'xrpl-sandbox/index.ts';
import { ticketAssignments, ticketRequests } from '#drizzle/schema/payouts.ts';
import { investments, payments } from '#drizzle/schema/sale.ts';
import { runPayouts } from '#lib/payouts/run-payouts.ts';
import { setCustody } from '#lib/sales/accounts/set-custody.ts';
import { readFeedPosition } from '#lib/sales/feed/load-state.ts';
import { assignPayment } from '#lib/sales/held/assign-payment.ts';
import { refundPayment } from '#lib/sales/held/refund-payment.ts';
import { createProject } from '#lib/sales/projects/create-project.ts';
import { getTerms } from '#lib/sales/projects/get-terms.ts';
import { inputOf } from '#lib/sales/projects/project-columns.ts';
import { findProject, findTiers } from '#lib/sales/projects/project-resource.ts';
import { databaseSource } from '#lib/sales/verification/database-source.ts';
import { NETWORK_ID } from '#tests/integration/xrpl/desk.ts';
import { addRows, changeRows } from '#tests/support/rows.ts';
import { openStage, type Sale, type Stage } from './stage.ts';

let stage: Stage;
let sale: Sale;
let second: Awaited<ReturnType<typeof startLedger>>;
let witnesses: RunningWitness[] = [];
const folders: string[] = [];

beforeAll(async () => {
  stage = await openStage();
  second = await startLedger({ peerOf: stage.desk.ledger, networkId: NETWORK_ID });
  witnesses = await Promise.all(
    [0, 1, 2].map(async (index) => {
      const folder = mkdtempSync(path.join(tmpdir(), 'witness-'));
      folders.push(folder);
      const settings = {
        name: `W${index}`,
        network_id: NETWORK_ID,
        ledger: [stage.desk.ledger.wsUrl, second.wsUrl],
      };
      return startWitness({ folder, settings });
    }),
  );
  stage.set({ WITNESSES: witnesses.map(({ key, url, token }) => `${key}=${url}#${token}`).join(',') });
  sale = await stage.draft();
  const platform = Wallet.generate();
  const custody = {
    quorum: 4,
    platform: { account: platform.address, weight: 2 },
    witnesses: witnesses.map(({ key }, index) => ({
      account: key,
      weight: 1,
      name: `W${index}`,
      operator: 'Somebody',
    })),
    ledgers_to_live: 20,
  };
  const SignerEntries = [custody.platform, ...custody.witnesses].map(({ account, weight }) => ({
    SignerEntry: { Account: account, SignerWeight: weight },
  }));
  for (const account of [sale.deposit, sale.issuer]) {
    const Account = account.address;
    await stage.desk.write([account, { TransactionType: 'SignerListSet', Account, SignerQuorum: 4, SignerEntries }]);
    await stage.setFlag(account, 'asfDisableMaster');
    stage.entrust(account, platform);
  }
  await setCustody(stage.ctx, { address: sale.deposit.address, custody, reason: 'for a test' });
  const { canonical } = await getTerms(stage.ctx, sale.project.id);
  for (const { approve } of witnesses) approve(canonical);
  await Promise.all(witnesses.map(({ witness }) => witness.readFresh()));
  await stage.act(sale, 'launch');
  await stage.settle(sale.deposit);
});
afterAll(async () => {
  await Promise.all(witnesses.map((witness) => witness.stop()));
  await second?.close();
  await stage?.end();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Ledgers close while the request waits for its ticket; gives how many accounts a slice of payouts found busy meanwhile. */
async function assign(hash: string): Promise<number> {
  const asked = assignPayment(stage.ctx, {
    transactionHash: hash,
    projectId: sale.project.id,
    reason: 'it came in time',
  });
  const submitted = () =>
    stage.database.db.select().from(ticketRequests).where(isNotNull(ticketRequests.submittedLedger));
  await vi.waitFor(async () => expect(await submitted()).toHaveLength(1), { timeout: 10_000, interval: 20 });
  const account = sale.deposit.address;
  // The request that has asked for the ticket may hold the account until it begins to wait.
  const run = () => runPayouts(stage.ctx, { account, deadlineMs: Date.now() + 10_000 });
  const busy = await vi.waitFor(
    async () => {
      const slice = await run();
      expect(slice.busy).toBe(0);
      return slice.busy;
    },
    { timeout: 3_000, interval: 20 },
  );
  stage.desk.close();
  await asked;
  return busy;
}

const ask = async (candidate: object): Promise<unknown> => {
  const { url, token } = witnesses[0] as RunningWitness;
  const { validatedIndex } = await stage.ctx.ledger.serverState();
  const answer = await fetch(`${url}/v1/signatures`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      account: sale.deposit.address,
      candidates: [{ fee_drops: '48', last_ledger_sequence: validatedIndex + 10, ...candidate }],
    }),
  });
  return answer.json();
};

test('a held payment is credited with the ticket that would have sent it back, while payouts go on, and can never be sent back afterwards', async () => {
  const hash = await stage.pay(await stage.account(), sale, 0.0005, null);
  await stage.settle(sale.deposit);
  expect(await stage.database.db.select().from(payments).where(eq(payments.txHash, hash))).toMatchObject([
    { outcome: 'held', reason: 'no_tag' },
  ]);
  expect(await assign(hash)).toBe(0);
  await stage.settle(sale.deposit);
  expect(await stage.database.db.select().from(investments).where(eq(investments.txHash, hash))).toMatchObject([
    { status: 'confirmed' },
  ]);
  await expect(refundPayment(stage.ctx, { transactionHash: hash, reason: 'asked' })).rejects.toMatchObject({
    code: 'conflict',
  });
  const [payment] = await stage.database.db.select().from(payments).where(eq(payments.txHash, hash));
  const [assigned] = await stage.database.db.select().from(ticketAssignments);
  const { ledgerIndex, transactionIndex } = payment ?? {};
  const purpose = { kind: 'refund', ledger_index: ledgerIndex, transaction_index: transactionIndex, part: 1 };
  expect(await ask({ kind: 'payment', purpose, ticket: assigned?.ticket })).toMatchObject({
    results: [{ refused: { reason: 'not_owed' } }],
  });
});

test('a payment with a draft’s tag is nobody’s, to the platform and to witnesses alike: the account’s smallest refund counts, and no page of the sale ever shows it', async () => {
  const row = await findProject(stage.database.db, sale.project.id);
  const { slug: _, ...input } = inputOf(row, await findTiers(stage.database.db, row.id));
  const draft = await createProject(stage.ctx, { ...input, name: 'Later' });
  await changeRows(stage.database.db, 'projects', { id: draft.id }, { refundMinDrops: 5_000n });
  const hash = await stage.pay(await stage.account(), sale, 0.002, draft.destination_tag);
  await stage.settle(sale.deposit);
  const [payment] = await stage.database.db.select().from(payments).where(eq(payments.txHash, hash));
  expect(payment).toMatchObject({
    projectId: null,
    outcome: 'refunded',
    reason: 'unknown_tag',
    refundedDrops: 2_000n,
  });
  expect(await stage.database.db.select().from(investments).where(eq(investments.txHash, hash))).toEqual([]);
  const { ledgerIndex, transactionIndex } = payment ?? {};
  const purpose = { kind: 'refund', ledger_index: ledgerIndex, transaction_index: transactionIndex, part: 1 };
  const sequence = (await stage.ctx.ledger.account(sale.deposit.address))?.sequence;
  expect(await ask({ kind: 'ticket_create', purposes: [purpose], sequence })).toMatchObject({
    results: [{ signed: {} }],
  });

  await addRows(stage.database.db, 'actions', {
    txHash: 'E'.repeat(64),
    account: sale.deposit.address,
    projectId: draft.id,
    action: 'launch',
    status: 'applied',
    ledgerIndex: (ledgerIndex ?? 0) + 1,
    transactionIndex: 0,
  });
  await changeRows(stage.database.db, 'projects', { id: draft.id }, { status: 'active', launchedAt: new Date() });
  const { confirmedLedger } = await readFeedPosition(stage.database.db, sale.deposit.address);
  const source = databaseSource(stage.ctx);
  for await (const rows of source.payments(draft.id, confirmedLedger, null)) expect(rows).toEqual([]);
  expect(await source.exceptions(draft.id)).toEqual([]);
});
