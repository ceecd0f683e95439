import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import type { Wallet } from 'xrpl';
import { openLedger } from '#lib/xrpl/ledger.ts';
import type { Ledger } from '#lib/xrpl/types.ts';
import { type Forged, openLiar } from '#tests/faults/custody/liar.ts';
import { verifyAltered } from '#tests/integration/verifier/altered.ts';
import { NETWORK_ID } from '#tests/integration/xrpl/desk.ts';
import { rowsOf } from '#tests/support/rows.ts';
import { advanceAccount } from './advance-account.ts';
import { untilQuiet } from './cancelled-sales.ts';
import { openStage, type Sale, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.end());

it.each<Forged['says']>(['silent', 'busy', 'elsewhere', 'untold'])(
  'a server that is %s about a credential stops the account that asks for it, and no other: it still counts for their feeds',
  async (says) => {
    const attester = await stage.account();
    const credential = { type: 'KYC', issuers: [attester.address] };
    const waits = await stage.launched({ tiers: [{ price_per_token: '0.10', total_tokens: '1000', credential }] });
    const open = await stage.launched();
    const liar = await openLiar(stage.desk.ledger.wsUrl);
    const urls = [stage.desk.ledger.wsUrl, liar.wsUrl];
    const ledger = openLedger({ urls, networkId: NETWORK_ID });
    onTestFinished(async () => {
      stage.set({ XRPL_URLS: stage.desk.ledger.wsUrl });
      await ledger.close();
      liar.close();
    });
    stage.set({ XRPL_URLS: urls.join(',') });
    const advance = async ({ deposit }: Sale) =>
      advanceAccount(
        { ...stage.ctx, ledger },
        {
          account: deposit.address,
          server: await ledger.serverState(),
          deadlineMs: Number.POSITIVE_INFINITY,
          stillMine: async () => true,
        },
      );
    const payer: Wallet = await stage.account();
    liar.forgeCredentials({ subject: payer.address, says });
    const waiting = await stage.pay(payer, waits, 10);
    const bought = await stage.pay(payer, open, 10);
    stage.desk.close(3);
    await expect(advance(waits)).rejects.toMatchObject({ code: 'ledger_unavailable' });
    expect(await advance(open)).toMatchObject({ recognised: 1, confirmed: 1 });
    const outcomes = await rowsOf(stage.database.db, 'payments', { sender: payer.address });
    expect(outcomes.map(({ txHash, outcome }) => [txHash, outcome])).toEqual([[bought, 'invested']]);
    liar.forgeCredentials(null);
    // One that was silent is asked again after a while.
    await vi.waitFor(async () => expect(await advance(waits)).toMatchObject({ recognised: 1, refused: 1 }), {
      timeout: 40_000,
      interval: 1_000,
    });
    expect(await rowsOf(stage.database.db, 'payments', { txHash: waiting })).toMatchObject([
      { reason: 'not_admitted' },
    ]);
  },
  60_000,
);

it('where two other servers tell a credential, one that is silent is waited for once, and not by each look-up', async () => {
  const [subject, attester] = [await stage.account(), await stage.account()];
  const liar = await openLiar(stage.desk.ledger.wsUrl);
  const others = await Promise.all([1, 2].map(() => openLiar(stage.desk.ledger.wsUrl)));
  const urls = [liar, ...others].map(({ wsUrl }) => wsUrl);
  const ledger = openLedger({ urls, networkId: NETWORK_ID });
  onTestFinished(async () => {
    await ledger.close();
    for (const each of [liar, ...others]) each.close();
  });
  liar.forgeCredentials({ subject: subject.address, says: 'silent' });
  const ledgerIndex = stage.desk.close() - 1;
  const question = { ledgerIndex, subject: subject.address, issuer: attester.address, credentialType: '4B5943' };
  const ask = async () => {
    const begunAtMs = performance.now();
    const told = await ledger.credentialsEverywhere([question]);
    return { told: told.flat().filter((each) => each === null).length, ms: performance.now() - begunAtMs };
  };
  expect(await ask()).toMatchObject({ told: 2 });
  const again = await ask();
  expect(again.told).toBe(2);
  expect(again.ms).toBeLessThan(2_500);
});

it('a verification asks on for credentials that its server tells a few at a time', async () => {
  const attester = await stage.account();
  const credential = { type: 'KYC', issuers: [attester.address, (await stage.account()).address] };
  const sale = await stage.launched({ tiers: [{ price_per_token: '0.10', total_tokens: '1000', credential }] });
  for (const wallet of await stage.desk.accounts(6)) await stage.pay(wallet, sale, 1);
  await stage.settle(sale.deposit);
  await untilQuiet(stage, sale);
  await stage.settle(sale.deposit);
  const credentials: Ledger['credentials'] = async (questions) => {
    const read = await stage.ctx.ledger.credentials(questions);
    return read.map((each, index) => (index < 5 ? each : undefined));
  };
  const report = await verifyAltered(stage, sale, () => ({}), { ledger: { ...stage.ctx.ledger, credentials } });
  expect(report).toMatchObject({ verdict: 'agrees', unchecked: [] });
});
