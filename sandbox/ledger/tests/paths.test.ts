import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Payment, Wallet } from 'xrpl';
import { fundedWallets, pay, type Rig, settle, startRig } from './support.ts';

let rig: Rig;
let issuer: Wallet;
let maker: Wallet;
let alice: Wallet;
let bob: Wallet;

const issued = (currency: string, value: string) => ({ currency, issuer: issuer.address, value });
const trust = (by: Wallet, currency: string) =>
  settle(rig, by, { TransactionType: 'TrustSet', Account: by.address, LimitAmount: issued(currency, '10000') });
const offering = (gets: Payment['Amount'], pays: Payment['Amount']) =>
  settle(rig, maker, {
    TransactionType: 'OfferCreate',
    Account: maker.address,
    TakerGets: gets as string,
    TakerPays: pays as string,
  });
type Alternative = {
  source_amount: Payment['Amount'];
  paths_computed: NonNullable<Payment['Paths']>;
  destination_amount?: Payment['Amount'];
};

async function find(amount: Payment['Amount'], more: object = {}): Promise<Alternative[]> {
  const { result } = await rig.client.request({
    command: 'ripple_path_find',
    source_account: alice.address,
    destination_account: bob.address,
    destination_amount: amount,
    ...more,
  } as never);
  return (result as { alternatives: Alternative[] }).alternatives;
}

beforeEach(async () => {
  rig = await startRig({ intervalMs: 0 });
  [issuer, maker, alice, bob] = (await fundedWallets(rig, 4)) as [Wallet, Wallet, Wallet, Wallet];
  await settle(rig, issuer, { TransactionType: 'AccountSet', Account: issuer.address, SetFlag: 8 });
  for (const [by, currency] of [
    [maker, 'USD'],
    [maker, 'EUR'],
    [alice, 'USD'],
    [bob, 'EUR'],
    [bob, 'USD'],
  ] as const) {
    await trust(by, currency);
  }
  for (const [to, currency] of [
    [maker, 'USD'],
    [maker, 'EUR'],
    [alice, 'USD'],
  ] as const) {
    await settle(rig, issuer, pay(issuer.address, to.address, issued(currency, '1000')));
  }
});
afterEach(() => rig.stop());

/** Pays exactly as an alternative says. */
async function payBy({ source_amount: most, paths_computed: paths }: Alternative, amount: Payment['Amount']) {
  const sent = await settle(
    rig,
    alice,
    pay(alice.address, bob.address, amount, { SendMax: most, ...(paths.length > 0 ? { Paths: paths } : {}) }),
  );
  expect(sent.meta.TransactionResult).toBe('tesSUCCESS');
}

describe('paths that are found', () => {
  test('lead over the issuer without any path where source and destination trust it', async () => {
    const [usd] = await find(issued('USD', '5'), { source_currencies: [{ currency: 'USD' }] });
    expect(usd).toMatchObject({ source_amount: { currency: 'USD', issuer: alice.address, value: '5' } });
    if (usd) await payBy(usd, issued('USD', '5'));
  });

  test('lead through an order book, at its price', async () => {
    await offering(issued('EUR', '100'), issued('USD', '120'));
    const found = await find(issued('EUR', '10'), { source_currencies: [{ currency: 'USD' }] });
    expect(found).toMatchObject([{ source_amount: { currency: 'USD', value: '12' } }]);
    if (found[0]) await payBy(found[0], issued('EUR', '10'));
  });

  test('lead over XRP where no book leads straight from one currency to the other', async () => {
    await offering('100000000', issued('USD', '100'));
    await offering(issued('EUR', '100'), '200000000');
    const found = await find(issued('EUR', '10'), { source_currencies: [{ currency: 'USD' }] });
    expect(found).toMatchObject([{ source_amount: { currency: 'USD', value: '20' } }]);
    if (found[0]) await payBy(found[0], issued('EUR', '10'));
  });

  test('lead over an account that trusts one side and is trusted by the other', async () => {
    await settle(rig, maker, { TransactionType: 'AccountSet', Account: maker.address, SetFlag: 8 });
    const ofMaker = (value: string) => ({ currency: 'USD', issuer: maker.address, value });
    await settle(rig, bob, { TransactionType: 'TrustSet', Account: bob.address, LimitAmount: ofMaker('50') });
    await settle(rig, alice, { TransactionType: 'TrustSet', Account: alice.address, LimitAmount: ofMaker('50') });
    await settle(rig, maker, pay(maker.address, alice.address, ofMaker('20')));
    const found = await find({ ...ofMaker('7') }, { source_currencies: [{ currency: 'USD' }] });
    expect(found.length).toBeGreaterThan(0);
    if (found[0]) await payBy(found[0], ofMaker('7'));
  });

  test('say how much can be delivered at most when the amount is minus one', async () => {
    await offering(issued('EUR', '30'), '30000000');
    const found = await find(issued('EUR', '-1'), { send_max: '50000000' });
    expect(found).toMatchObject([{ source_amount: '30000000', destination_amount: issued('EUR', '30') }]);
  });

  test('are looked for in every currency the source has', async () => {
    await offering(issued('EUR', '30'), '30000000');
    await offering(issued('EUR', '30'), issued('USD', '60'));
    const found = await find(issued('EUR', '10'));
    expect(
      found.map(({ source_amount: amount }) =>
        typeof amount === 'string' ? 'XRP' : 'currency' in amount && amount.currency,
      ),
    ).toEqual(['XRP', 'USD']);
  });

  test('are none where none lead there', async () => {
    expect(await find(issued('EUR', '10'))).toEqual([]);
  });

  test('lead nowhere from XRP to XRP, which is paid without any', async () => {
    expect(await find('1000000', { source_currencies: [{ currency: 'XRP' }] })).toEqual([]);
    expect(await find('-1', { source_currencies: [{ currency: 'XRP' }] })).toEqual([]);
  });

  test('are pushed in full right after the request was answered, before any ledger closes', async () => {
    const pushed: object[] = [];
    rig.client.on('path_find', (message) => pushed.push(message));
    await offering(issued('EUR', '30'), '30000000');
    const create = {
      command: 'path_find',
      subcommand: 'create',
      source_account: alice.address,
      destination_account: bob.address,
      destination_amount: issued('EUR', '10'),
    };
    await rig.client.request(create as never);
    await expect
      .poll(() => pushed)
      .toMatchObject([{ full_reply: true, alternatives: [{ source_amount: '10000000' }] }]);
    const status = await rig.client.request({ command: 'path_find', subcommand: 'status' } as never);
    expect((status as { result: object }).result).toMatchObject({ full_reply: true });
    expect(pushed).toHaveLength(1);
  });

  test('are pushed with each ledger until the request is closed', async () => {
    const pushed: unknown[] = [];
    rig.client.on('path_find', (message) => pushed.push(message.alternatives));
    const create = {
      command: 'path_find',
      subcommand: 'create',
      source_account: alice.address,
      destination_account: bob.address,
    };
    const first = await rig.client.request({ ...create, destination_amount: issued('EUR', '10') } as never);
    expect((first as { result: object }).result).toMatchObject({ alternatives: [], full_reply: false });
    await offering(issued('EUR', '30'), '30000000');
    await expect.poll(() => pushed.at(-1)).toMatchObject([{ source_amount: '10000000' }]);
    const closed = (await rig.client.request({ command: 'path_find', subcommand: 'close' } as never)) as {
      result: object;
    };
    expect(closed.result).toMatchObject({ closed: true });
    const heard = pushed.length;
    rig.ledger.accept();
    await rig.client.request({ command: 'ping' });
    expect(pushed).toHaveLength(heard);
    await expect(rig.client.request({ command: 'path_find', subcommand: 'status' } as never)).rejects.toMatchObject({
      data: { error: 'noPathRequest' },
    });
  });
});

describe('a request for paths that cannot be', () => {
  test.each([
    ['srcActMissing', { source_account: undefined }],
    ['dstAmtMalformed', { destination_amount: '0' }],
    ['dstAmtMalformed', { send_max: '5' }],
    ['sendMaxMalformed', { destination_amount: '-1', send_max: 'x' }],
    ['srcCurMalformed', { source_currencies: [] }],
    ['srcActNotFound', { source_account: 'rrrrrrrrrrrrrrrrrrrrrhoLvTp' }],
  ])('is refused with %s', async (error, more) => {
    await expect(find('1000000', more)).rejects.toMatchObject({ data: { error } });
  });
});
