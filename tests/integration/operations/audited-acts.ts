import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Wallet } from 'xrpl';
import { payouts } from '#drizzle/schema/payouts.ts';
import { issuePlatformId } from '#lib/accounts/platform-ids/issue-platform-id.ts';
import { newId } from '#lib/base/ids.ts';
import { askForApproval } from '#lib/sales/approvals/ask-for-approval.ts';
import { raising } from '#tests/integration/payouts/raised.ts';
import { writeSnapshot } from '#tests/integration/platform-ids/snapshots.ts';
import { holders, untilQuiet } from '#tests/integration/sales/cancelled-sales.ts';
import { lateDiscovery } from '#tests/integration/sales/forgetful-feed.ts';
import { CURRENCY, type Stage } from '#tests/integration/sales/stage.ts';
import { type Receiver, startReceiver } from '#tests/integration/webhooks/receiver.ts';
import { reportInvestments } from '#tests/integration/webhooks/stage.ts';
import { testCtx } from '#tests/support/ctx.ts';
import { TEST_ADMIN_TOKEN } from '#tests/support/env.ts';
import { addRows } from '#tests/support/rows.ts';
import { type Answered, ask } from './ask.ts';

const reason = 'asked for by the owner, ticket 4711';
const token = TEST_ADMIN_TOKEN;
type Act = () => Promise<Answered>;

export interface Acts {
  /** By operation id: a proper call of it by an operator, everything it needs brought about before. */
  acts: Readonly<Record<string, Act>>;
  receiver: Receiver;
}

/** A proper call of every operation by which administrators change something. */
export async function auditedActs(stage: Stage): Promise<Acts> {
  const receiver = await startReceiver();
  const { db } = stage.database;
  const sale = await stage.launched();
  const [sender] = (await stage.desk.accounts(1)) as [Wallet];
  const held = [
    await lateDiscovery(stage, sale, sender, 10),
    await lateDiscovery(stage, sale, sender, 11),
    await lateDiscovery(stage, sale, sender, 12),
  ] as const;
  const id = sale.project.id;

  const payout = async () => {
    const [row] = await db
      .insert(payouts)
      .values({
        id: newId('pay', randomBytes),
        kind: 'release',
        projectId: id,
        account: sale.deposit.address,
        destination: sender.address,
        amount: 1_000_000n,
        dueAt: new Date(),
      })
      .returning();
    return row?.id ?? '';
  };
  const list = async () => String((await ask('createAllowlist', { token, params: { id }, body: { reason } })).body.id);
  const webhook = async () => String((await ask('registerWebhook', { token, body: { url: receiver.url } })).body.id);
  const rotating = async () => {
    const params = { webhook_id: await webhook() };
    await ask('rotateWebhookSecret', { token, params });
    return params;
  };
  const delivered = async () => {
    const webhook_id = await webhook();
    await reportInvestments(db);
    await db.execute(sql`update deliveries set status = 'failed', due_at = null where status = 'pending'`);
    const { rows } = await db.execute<{ id: string }>(sql`select id from deliveries where webhook_id = ${webhook_id}`);
    return { webhook_id, delivery_id: rows[0]?.id ?? '' };
  };
  const from = new Date(Date.now() - 3_600_000).toISOString();

  return {
    receiver,
    acts: {
      createProject: async () => {
        const [deposit, issuer] = [await stage.account(), await stage.issuer()];
        stage.entrust(deposit);
        stage.entrust(issuer);
        const body = {
          name: 'Another',
          token: { kind: 'iou', currency: CURRENCY, issuer: issuer.address },
          distributor: issuer.address,
          deposit_address: deposit.address,
          tiers: [{ price_per_token: '0.10', total_tokens: '1000' }],
        };
        return ask('createProject', { token, body });
      },
      patchProject: async () => {
        const draft = await stage.draft();
        return ask('patchProject', { token, params: { id: draft.project.id }, body: { description: 'new', reason } });
      },
      actOnProject: async () => {
        const draft = await stage.draft();
        return ask('actOnProject', { token, params: { id: draft.project.id, action: 'launch' }, body: { reason } });
      },
      askForApproval: async () => {
        const draft = await stage.draft();
        return ask('askForApproval', { token, body: { project_id: draft.project.id, action: 'launch', reason } });
      },
      decideApproval: async () => {
        const draft = await stage.draft();
        const colleague = testCtx({
          db,
          overrides: { actor: { kind: 'administrator', name: 'colleague', role: 'operator' } },
        });
        const asked = await askForApproval(colleague, { projectId: draft.project.id, action: 'launch', reason });
        return ask('decideApproval', { token, params: { id: asked.id, decision: 'approve' }, body: { reason } });
      },
      createAllowlist: () => ask('createAllowlist', { token, params: { id }, body: { reason } }),
      createAllowlistFromPlatformIds: async () => {
        const platformToken = `PLT.${sale.issuer.address}`;
        stage.set({ PLATFORM_TOKEN: platformToken });
        await writeSnapshot(db, platformToken, [{ account: sender.address, balance: '5' }]);
        await issuePlatformId(stage.ctx, { walletAddress: sender.address, displayName: null });
        return ask('createAllowlistFromPlatformIds', { token, params: { id }, body: { min_level: 'bronze', reason } });
      },
      addAllowlistEntries: async () => {
        const entries = [{ wallet_address: sender.address, cap_xrp: null }];
        return ask('addAllowlistEntries', { token, params: { id, list_id: await list() }, body: { entries, reason } });
      },
      discardAllowlist: async () => ask('discardAllowlist', { token, params: { id, list_id: await list() } }),
      commitAllowlist: async () => {
        await stage.settle(sale.deposit);
        const params = { id, list_id: await list() };
        const entries = [{ wallet_address: sender.address, cap_xrp: null }];
        await ask('addAllowlistEntries', { token, params, body: { entries, reason } });
        return ask('commitAllowlist', { token, params, body: { reason } });
      },
      setCustody: () =>
        ask('setCustody', {
          token,
          params: { address: sale.deposit.address },
          body: { custody: null, reason },
        }),
      haltDepositAccount: () =>
        ask('haltDepositAccount', { token, params: { address: sale.deposit.address }, body: { reason } }),
      resumeDepositAccount: () =>
        ask('resumeDepositAccount', { token, params: { address: sale.deposit.address }, body: { reason } }),
      openTokenHolding: async () => {
        const distributor = await stage.account();
        stage.entrust(distributor);
        const held = { kind: 'iou', currency: CURRENCY, issuer: sale.issuer.address, limit_tokens: '1000' };
        return ask('openTokenHolding', {
          token,
          params: { address: distributor.address },
          body: { token: held, reason },
        });
      },
      assignPayment: async () => {
        await stage.settle(sale.deposit);
        return ask('assignPayment', {
          token,
          params: { transaction_hash: held[0] },
          body: { project_id: id, reason },
        });
      },
      refundPayments: () => ask('refundPayments', { token, body: { transaction_hashes: [held[2]], reason } }),
      refundPayment: () => ask('refundPayment', { token, params: { transaction_hash: held[1] }, body: { reason } }),
      processTransactions: () => ask('processTransactions', { token, body: { transaction_hashes: [held[0]], reason } }),
      actOnPayout: async () =>
        ask('actOnPayout', { token, params: { id: await payout(), action: 'hold' }, body: { reason } }),
      retryPayouts: async () => ask('retryPayouts', { token, body: { payout_ids: [await payout()], reason } }),
      issueTokens: () => ask('issueTokens', { token, body: { project_id: id, reason } }),
      releaseRaised: async () => {
        const raised = await raising(stage);
        const [buyer] = (await holders(stage, raised, 1)) as [Wallet];
        await stage.pay(buyer, raised, 30);
        await untilQuiet(stage, raised);
        return ask('releaseRaised', { token, params: { id: raised.project.id }, body: { reason } });
      },
      startMaintenance: () => ask('startMaintenance', { token, body: { message: 'The database is moved.', reason } }),
      endMaintenance: () => ask('endMaintenance', { token, body: { reason } }),
      trustlineMonitor: () => ask('trustlineMonitor', { token }),
      registerWebhook: () => ask('registerWebhook', { token, body: { url: receiver.url } }),
      updateWebhook: async () =>
        ask('updateWebhook', { token, params: { id: await webhook() }, body: { active: false } }),
      deleteWebhook: async () => ask('deleteWebhook', { token, params: { id: await webhook() } }),
      rotateWebhookSecret: async () => ask('rotateWebhookSecret', { token, params: { webhook_id: await webhook() } }),
      commitWebhookSecretRotation: async () => ask('commitWebhookSecretRotation', { token, params: await rotating() }),
      cancelWebhookSecretRotation: async () => ask('cancelWebhookSecretRotation', { token, params: await rotating() }),
      sendTestEvent: async () =>
        ask('sendTestEvent', { token, body: { webhook_id: await webhook(), event_type: 'system.alert' } }),
      resendDelivery: async () => ask('resendDelivery', { token, params: await delivered() }),
      startReplay: async () =>
        ask('startReplay', { token, params: { webhook_id: await webhook() }, body: { from, selection: 'failed' } }),
      eraseEvent: async () => {
        await reportInvestments(db);
        const { rows } = await db.execute<{ id: string }>(sql`select id from events where pruned_at is null limit 1`);
        return ask('eraseEvent', {
          token,
          params: { id: rows[0]?.id ?? '' },
          query: `?reason=${encodeURIComponent(reason)}`,
        });
      },
      cancelReplay: async () => {
        const webhookId = await webhook();
        const replay_id = newId('rpl', randomBytes);
        await addRows(db, 'replays', {
          id: replay_id,
          webhookId,
          fromTime: new Date(from),
          toTime: new Date(),
          selection: 'failed',
          total: 1,
          throughSequence: 0,
          requestedBy: 'administrator:operator',
        });
        return ask('cancelReplay', { token, params: { webhook_id: webhookId, replay_id } });
      },
    },
  };
}
