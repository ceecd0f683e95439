import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Wallet } from 'xrpl';
import { payouts } from '#drizzle/schema/payouts.ts';
import { payments } from '#drizzle/schema/sale.ts';
import { named, verify } from '#tests/integration/verifier/scene.ts';
import { beat, holders } from './cancelled-sales.ts';
import type { Sale } from './stage.ts';
import { openWitnessedStage, type WitnessedStage } from './witnessed-stage.ts';

// A sale under custody whose tier requires a credential: the platform and three witnesses, each with its own reading.

const KYC = '4B5943';
let world: WitnessedStage;
let sale: Sale;
let attester: Wallet;
let holder: Wallet;
let outsider: Wallet;

beforeAll(async () => {
  world = await openWitnessedStage();
  attester = await world.stage.account();
  const credential = { type: 'KYC', issuers: [attester.address] };
  sale = await world.draft({ tiers: [{ price_per_token: '0.10', total_tokens: '1000', credential }] });
  [holder, outsider] = (await holders(world.stage, sale, 2)) as [Wallet, Wallet];
  await world.stage.act(sale, 'launch');
  await world.stage.settle(sale.deposit);
  const { desk } = world.stage;
  await desk.send(attester, {
    TransactionType: 'CredentialCreate',
    Account: attester.address,
    Subject: holder.address,
    CredentialType: KYC,
  });
  await desk.send(holder, {
    TransactionType: 'CredentialAccept',
    Account: holder.address,
    Issuer: attester.address,
    CredentialType: KYC,
  });
  desk.close();
});
afterAll(() => world?.end());

async function payoutsOf(hash: string) {
  const { db } = world.stage.database;
  const rows = await db.select().from(payouts).where(eq(payouts.paymentHash, hash));
  return rows.map(({ kind, status, reason }) => [kind, status, reason]);
}

async function beats(count: number): Promise<void> {
  for (let done = 0; done < count; done++) {
    await world.stage.database.db.execute(
      sql`update ${payouts} set next_check_at = now() where status not in ('validated', 'cancelled')`,
    );
    await beat(world.stage, sale);
  }
}

test('pays tokens to who held the credential before the payment, and returns what others paid', async () => {
  const bought = await world.stage.pay(holder, sale, 5);
  const refused = await world.stage.pay(outsider, sale, 5);
  await world.stage.settle(sale.deposit);
  await beats(8);
  expect(await payoutsOf(bought)).toEqual([['distribution', 'validated', null]]);
  expect(await payoutsOf(refused)).toEqual([['refund', 'validated', null]]);
  expect(await verify(world.stage, world.served, sale)).toMatchObject({ code: 0, report: { verdict: 'agrees' } });
});

test('pays nothing for a payment that a forged reading of the platform admits: no witness signs for it, and the verifier names it', async () => {
  const { stage } = world;
  const hash = await stage.pay(outsider, sale, 5);
  const ledgerIndex = stage.desk.close() - 1;
  await stage.database.db.execute(sql`
    insert into credential_readings (ledger_index, subject, issuer, credential_type, found, accepted)
    values (${ledgerIndex}, ${outsider.address}, ${attester.address}, ${KYC}, true, true)`);
  await stage.settle(sale.deposit);
  const [payment] = await stage.database.db.select().from(payments).where(eq(payments.txHash, hash));
  expect(payment?.outcome).toBe('invested');
  await beats(8);
  expect(await payoutsOf(hash)).toEqual([['distribution', 'ready', 'witness_refused']]);
  expect(named(await verify(stage, world.served, sale))).toContainEqual(['payment_differs', hash, 'outcome']);
});
