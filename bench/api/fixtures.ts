import { randomBytes } from 'node:crypto';
import { apiKeys, tenants } from '#drizzle/schema/access.ts';
import { webhooks } from '#drizzle/schema/events.ts';
import { platformIds } from '#drizzle/schema/holders.ts';
import { newApiKey, visiblePrefix } from '#lib/accounts/api-keys/authenticate-api-key.ts';
import { newPlatformId } from '#lib/accounts/platform-ids/platform-id-form.ts';
import { SCOPES } from '#lib/base/contract.ts';
import type { Db } from '#lib/base/db.ts';
import { newId } from '#lib/base/ids.ts';
import { seal, sha256Hex } from '#lib/base/secretbox.ts';
import { appendEvents } from '#lib/events/append.ts';
import { EVENT_TYPES } from '#lib/events/catalogue.ts';
import { API_VERSION } from '#lib/events/envelope.ts';
import { fanOutSlice } from '#lib/webhooks/delivery/fan-out.ts';
import { newSecret } from '#lib/webhooks/secret.ts';
import { sampleData } from '#lib/webhooks/testing/samples.ts';
import { addDepositAccount, DEPOSIT, seedSale } from '#tests/support/sale.ts';

/** A page of the log. */
const DELIVERIES = 50;
const TIME_BUDGET_MS = 10_000;

/** One of each thing that is read. */
export interface Fixtures {
  apiKey: string;
  projectId: string;
  webhookId: string;
  walletAddress: string;
}

/**
 * Writes a sale whose deposit account is read through `ledgerIndex`, a wallet with a Platform ID, its key, and a webhook of the
 * key's tenant with a page of deliveries.
 */
export async function writeFixtures(db: Db, ledgerIndex: number): Promise<Fixtures> {
  await addDepositAccount(db, DEPOSIT, { ledger: ledgerIndex });
  const { projectId } = await seedSale(db);
  const tenantId = newId('ten', randomBytes);
  const webhookId = newId('wh', randomBytes);
  const apiKey = newApiKey('test', randomBytes);
  await db.insert(tenants).values({ id: tenantId });
  await db.insert(apiKeys).values({
    id: newId('key', randomBytes),
    tenantId,
    keyHash: sha256Hex(apiKey),
    prefix: visiblePrefix(apiKey),
    walletAddress: DEPOSIT,
    scopes: [...SCOPES],
  });
  await db
    .insert(platformIds)
    .values({ id: newPlatformId(randomBytes), walletAddress: DEPOSIT, createdAt: new Date() });
  await db.insert(webhooks).values({
    id: webhookId,
    tenantId,
    url: 'https://receiver.example/hook',
    host: 'receiver.example',
    events: [...EVENT_TYPES],
    sealedSecret: seal(newSecret(randomBytes), webhookId, randomBytes),
    apiVersion: API_VERSION,
  });
  const now = new Date();
  const sample = sampleData({ amountDrops: 1_000_000n, investorAccount: DEPOSIT, now });
  const investments = Array.from({ length: DELIVERIES }, () => ({
    type: 'investment.created' as const,
    subject: randomBytes(8).toString('hex'),
    projectId: null,
    occurredAt: now,
    data: sample['investment.created'],
  }));
  await db.transaction((tx) => appendEvents(tx, investments));
  await fanOutSlice(db, TIME_BUDGET_MS);
  return { apiKey, projectId, webhookId, walletAddress: DEPOSIT };
}
