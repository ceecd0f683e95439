import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TrustSet, TrustSetFlags, type Wallet } from 'xrpl';
import { fundedWallets, pay, type Rig, send, settle, startRig, threeWallets } from './support.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.stop());

const usd = (issuer: Wallet, value: string) => ({ currency: 'USD', issuer: issuer.address, value });

/** An issuer whose currency two holders trust, the first of them holding 100. */
async function issuerAndHolders(): Promise<[issuer: Wallet, holder: Wallet, other: Wallet]> {
  const [issuer, holder, other] = await threeWallets(rig);
  await settle(rig, issuer, { TransactionType: 'AccountSet', Account: issuer.address, SetFlag: 8 });
  for (const each of [holder, other]) {
    const LimitAmount = usd(issuer, '1000');
    await settle(rig, each, { TransactionType: 'TrustSet', Account: each.address, LimitAmount });
  }
  await settle(rig, issuer, pay(issuer.address, holder.address, usd(issuer, '100')));
  return [issuer, holder, other];
}

test('a deeply frozen holder neither sends nor receives, but may pay its issuer', async () => {
  const [issuer, holder, other] = await issuerAndHolders();
  await settle(rig, issuer, pay(issuer.address, other.address, usd(issuer, '50')));
  const freeze = (Flags: number): TrustSet => ({
    TransactionType: 'TrustSet',
    Account: issuer.address,
    LimitAmount: usd(holder, '0'),
    Flags,
  });
  expect((await send(rig, issuer, freeze(TrustSetFlags.tfSetDeepFreeze))).result).toBe('tecNO_PERMISSION');
  rig.ledger.accept();
  await settle(rig, issuer, freeze(TrustSetFlags.tfSetFreeze | TrustSetFlags.tfSetDeepFreeze));
  expect((await send(rig, holder, pay(holder.address, other.address, usd(issuer, '1')))).result).toBe('tecPATH_DRY');
  expect((await send(rig, other, pay(other.address, holder.address, usd(issuer, '1')))).result).toBe('tecPATH_DRY');
  expect((await send(rig, holder, pay(holder.address, issuer.address, usd(issuer, '1')))).result).toBe('tesSUCCESS');
  rig.ledger.accept();
  await settle(rig, issuer, freeze(TrustSetFlags.tfClearFreeze | TrustSetFlags.tfClearDeepFreeze));
  expect((await send(rig, holder, pay(holder.address, other.address, usd(issuer, '1')))).result).toBe('tesSUCCESS');
});

test('a payment buys XRP with a currency, the cheapest offer first, and what is delivered is said', async () => {
  const [issuer, holder, maker] = await issuerAndHolders();
  const [to] = await fundedWallets(rig, 1);
  for (const [drops, price] of [
    ['20000000', '20'],
    ['10000000', '5'],
  ] as const) {
    await settle(rig, maker, {
      TransactionType: 'OfferCreate',
      Account: maker.address,
      TakerGets: drops,
      TakerPays: usd(issuer, price),
    });
  }
  const buy = { SendMax: usd(issuer, '10') };
  const exact = await settle(rig, holder, pay(holder.address, to!.address, '12000000', buy));
  expect(exact.meta).toMatchObject({ TransactionResult: 'tesSUCCESS', delivered_amount: '12000000' });
  const [line] = (await rig.client.request({ command: 'account_lines', account: holder.address })).result.lines;
  expect(line?.balance).toBe('93');

  expect((await send(rig, holder, pay(holder.address, to!.address, '90000000', buy))).result).toBe('tecPATH_PARTIAL');
  rig.ledger.accept();
  const part = await settle(rig, holder, pay(holder.address, to!.address, '90000000', { ...buy, Flags: 0x00020000 }));
  expect(part.meta).toMatchObject({ DeliveredAmount: '10000000', delivered_amount: '10000000' });
  const { offers } = (await rig.client.request({ command: 'account_offers', account: maker.address })).result;
  expect(offers).toMatchObject([{ taker_gets: '8000000', taker_pays: { value: '8' }, quality: '0.000001' }]);
});

test('the currencies of an account are listed in the order of their codes, whichever line came first', async () => {
  const [issuer, holder] = await threeWallets(rig);
  const codes = ['USD', 'AAA', '5472616E63686500000000000000000000000000', 'EUR', 'BTC'];
  for (const currency of codes) {
    const LimitAmount = { currency, issuer: issuer.address, value: '5' };
    await settle(rig, holder, { TransactionType: 'TrustSet', Account: holder.address, LimitAmount });
  }
  const { result } = await rig.client.request({ command: 'account_currencies', account: holder.address });
  expect(result.receive_currencies).toEqual(['AAA', 'BTC', 'EUR', 'USD', codes[2]]);
});
