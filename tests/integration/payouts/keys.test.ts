import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ECDSA, Wallet } from 'xrpl';
import { events } from '#drizzle/schema/events.ts';
import { applyEnv, env } from '#lib/base/env.ts';
import { readMetrics } from '#lib/ops/status/read-figures.ts';
import { checkAccounts } from '#lib/payouts/monitor/check-accounts.ts';
import { readLaunchFacts } from '#lib/sales/actions/launch-checklist.ts';
import { submitAction } from '#lib/sales/actions/submit-action.ts';
import { LEDGERS_TO_LIVE } from '#lib/xrpl/transactions.ts';
import { rowsOf } from '#tests/support/rows.ts';
import { testCtx } from '../../support/ctx.ts';
import { testEnv } from '../../support/env.ts';
import { NETWORK_ID } from '../xrpl/desk.ts';
import { openWorld, type World } from './world.ts';

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.end());

/** Puts settings in force with these keys, each beside the account it is to sign for. */
function entrust(...keys: [account: Wallet, key: Wallet][]): void {
  const entries = keys.map(([account, key]) => `${account.address}=ed25519:${key.seed}`);
  applyEnv(
    testEnv({
      XRPL_URLS: world.desk.ledger.wsUrl,
      XRPL_NETWORK_ID: String(NETWORK_ID),
      SIGNING_KEYS: entries.join(','),
    }),
  );
}

/** Names the regular key of an account, or none; signed by its master key, or by `signer`. */
async function setRegularKey(account: Wallet, key: Wallet | null, signer = account): Promise<void> {
  await world.desk.send(signer, {
    TransactionType: 'SetRegularKey',
    Account: account.address,
    ...(key === null ? {} : { RegularKey: key.address }),
  });
  world.desk.close();
}

async function disableMaster(account: Wallet): Promise<void> {
  await world.desk.send(account, { TransactionType: 'AccountSet', Account: account.address, SetFlag: 4 });
  world.desk.close();
}

const keyAlerts = async () =>
  (await world.database.db.select({ body: events.body }).from(events).where(eq(events.type, 'system.alert')))
    .map(({ body }) => JSON.parse(body).data)
    .filter(({ kind }) => kind === 'payout_key');

describe('an account whose master key is disabled', () => {
  test('pays tokens and refunds, asks for tickets and makes actions by its regular key', async () => {
    const key = Wallet.generate();
    for (const account of [world.distributor, world.deposit]) {
      await setRegularKey(account, key);
      await disableMaster(account);
    }
    entrust([world.distributor, key], [world.deposit, key]);
    const [holder] = (await world.holders(1)) as [Wallet];
    const tokens = await world.owe({ to: holder.address, amount: 1_000_000n });
    const refund = await world.owe({ kind: 'refund', to: holder.address, amount: 1_000_000n });
    await world.runUntilDone();
    expect((await world.payout(tokens)).status).toBe('validated');
    expect((await world.payout(refund)).status).toBe('validated');

    await submitAction(world.ctx, { projectId: world.projectId, action: 'pause', reason: 'a regular key signs' });
    world.desk.close();
    const [action] = await rowsOf(world.database.db, 'actions');
    expect(await world.ctx.ledger.lookUp(action?.txHash ?? '')).toMatchObject({ result: 'tesSUCCESS' });

    const [project] = await rowsOf(world.database.db, 'projects');
    if (project === undefined) throw new Error('The world has a project');
    expect(await readLaunchFacts(world.ctx, project)).toMatchObject({
      depositKeyFault: null,
      distributorKeyFault: null,
    });
  });

  test('and whose master key is the one configured pays nothing, and alarms once a day', async () => {
    await setRegularKey(world.distributor, Wallet.generate());
    await disableMaster(world.distributor);
    const [holder] = (await world.holders(1)) as [Wallet];
    const id = await world.owe({ to: holder.address, amount: 1_000_000n });
    for (let slice = 0; slice < 2; slice++) {
      await world.checkAgain();
      await world.run();
    }
    expect(await world.payout(id)).toMatchObject({ status: 'ready', reason: 'payer_key_disabled' });
    expect(await world.attempts(id)).toEqual([]);
    expect(await keyAlerts()).toMatchObject([
      { details: { account: world.distributor.address, reason: 'payer_key_disabled' } },
    ]);
  });
});

describe('a wrong entry of SIGNING_KEYS', () => {
  test('pays nothing from its account, also beside a good one, is shown, and keeps no other from being paid', async () => {
    const { distributor, deposit } = world;
    entrust([deposit, deposit], [distributor, distributor]);
    const good = env().SIGNING_KEYS.join(',');
    const bad = `${distributor.address}=secp256k1:${distributor.seed?.slice(0, -1)}`;
    const settings = { XRPL_URLS: world.desk.ledger.wsUrl, XRPL_NETWORK_ID: String(NETWORK_ID) };
    applyEnv(testEnv({ ...settings, SIGNING_KEYS: `${good},${bad}` }));
    const [holder] = (await world.holders(1)) as [Wallet];
    const id = await world.owe({ to: holder.address, amount: 1_000_000n });
    const refund = await world.owe({ kind: 'refund', to: holder.address, amount: 1_000_000n });
    await world.runUntilDone();
    expect(await world.payout(id)).toMatchObject({ status: 'ready', reason: 'signing_key_unfit' });
    expect((await world.payout(refund)).status).toBe('validated');
    expect(await keyAlerts()).toMatchObject([{ details: { reason: 'signing_key_unfit' } }]);
    const { accounts } = await checkAccounts(world.ctx);
    expect(accounts.find(({ address }) => address === distributor.address)?.findings).toContainEqual(
      expect.objectContaining({ code: 'key_unfit', message: expect.stringContaining('seed') }),
    );
    expect((await readMetrics(world.ctx.db)).invariants).toMatchObject({ unfit_signing_keys: 1 });
    const [project] = await rowsOf(world.database.db, 'projects');
    if (project === undefined) throw new Error('The world has a project');
    expect(await readLaunchFacts(world.ctx, project)).toMatchObject({
      depositKeyFault: null,
      distributorKeyFault: 'cannot be signed for: an entry of SIGNING_KEYS is invalid (seed_unreadable)',
    });
    expect(JSON.stringify([accounts, await keyAlerts()])).not.toContain(distributor.seed?.slice(0, -1));

    applyEnv(testEnv({ ...settings, SIGNING_KEYS: good }));
    await world.checkAgain();
    await world.runUntilDone();
    expect((await world.payout(id)).status).toBe('validated');
  });
});

test('an entry under the wrong algorithm beside a good one keeps a sale from being launched', async () => {
  const { distributor, deposit, desk } = world;
  entrust([deposit, deposit], [distributor, distributor]);
  const another = `${distributor.address}=secp256k1:${Wallet.generate(ECDSA.secp256k1).seed}`;
  const own = `${distributor.address}=secp256k1:${distributor.seed}`;
  const [project] = await rowsOf(world.database.db, 'projects');
  if (project === undefined) throw new Error('The world has a project');
  const settings = { XRPL_URLS: desk.ledger.wsUrl, XRPL_NETWORK_ID: String(NETWORK_ID) };
  const good = env().SIGNING_KEYS.join(',');
  const faultWith = async (entry: string) => {
    applyEnv(testEnv({ ...settings, SIGNING_KEYS: `${good},${entry}` }));
    return (await readLaunchFacts(world.ctx, project)).distributorKeyFault;
  };
  expect(await faultWith(own)).toMatch(/algorithm_differs/);
  // Another key altogether may be tomorrow's regular key.
  expect(await faultWith(another)).toBeNull();
});

describe('a regular key', () => {
  test('that was changed or removed on the ledger signs nothing; what waits goes on with the new one', async () => {
    const [old, fresh] = [Wallet.generate(), Wallet.generate()];
    await setRegularKey(world.distributor, old);
    entrust([world.distributor, old], [world.deposit, world.deposit]);
    const [holder] = (await world.holders(1)) as [Wallet];
    const first = await world.owe({ to: holder.address, amount: 1_000_000n });
    await world.runUntilDone();
    expect((await world.payout(first)).status).toBe('validated');

    const id = await world.owe({ to: holder.address, amount: 1_000_000n });
    const refund = await world.owe({ kind: 'refund', to: holder.address, amount: 1_000_000n });
    for (const key of [null, fresh]) {
      await setRegularKey(world.distributor, key);
      await world.checkAgain();
      await world.runUntilDone();
      expect(await world.payout(id)).toMatchObject({ status: 'ready', reason: 'payer_key_changed' });
    }
    expect(await world.attempts(id)).toEqual([]);
    expect(await keyAlerts()).toMatchObject([{ details: { reason: 'payer_key_changed' } }]);
    expect((await world.payout(refund)).status).toBe('validated');

    entrust([world.distributor, old], [world.distributor, fresh], [world.deposit, world.deposit]);
    await world.checkAgain();
    await world.runUntilDone();
    expect((await world.payout(id)).status).toBe('validated');
  });

  test('that is changed between signing and submitting pays nothing twice and nothing with the old key', async () => {
    const [old, fresh] = [Wallet.generate(), Wallet.generate()];
    await setRegularKey(world.distributor, old);
    await world.desk.send(world.distributor, {
      TransactionType: 'TicketCreate',
      Account: world.distributor.address,
      TicketCount: 5,
    });
    world.desk.close();
    entrust([world.distributor, old]);
    const [holder] = (await world.holders(1)) as [Wallet];
    const id = await world.owe({ to: holder.address, amount: 1_000_000n });
    const real = world.ctx.ledger;
    const ledger = {
      ...real,
      submit: async (blob: string) => {
        await setRegularKey(world.distributor, fresh);
        return real.submit(blob);
      },
    };
    await world.run(testCtx({ db: world.database.db, overrides: { ledger } }));
    expect(await world.attempts(id)).toMatchObject([{ status: 'open', engineResult: 'tefBAD_AUTH' }]);
    world.desk.close(LEDGERS_TO_LIVE + 3);
    await world.run();
    expect(await world.payout(id)).toMatchObject({ status: 'ready', reason: 'tefBAD_AUTH' });
    await world.checkAgain();
    await world.run();
    expect(await world.payout(id)).toMatchObject({ status: 'ready', reason: 'payer_key_changed' });
    entrust([world.distributor, fresh]);
    await world.checkAgain();
    await world.runUntilDone();
    expect(await world.tokens(holder.address)).toBe('1');
  });
});
