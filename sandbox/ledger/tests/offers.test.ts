import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type BookOffersRequest,
  type OfferCreate,
  type SubmittableTransaction,
  type SubscribeRequest,
  TrustSetFlags,
  type Wallet,
} from 'xrpl';
import { fundedWallets, pay, type Rig, send, settle, startRig } from './support.ts';

let rig: Rig;
let issuer: Wallet;
let maker: Wallet;
let taker: Wallet;

const usd = (value: string) => ({ currency: 'USD', issuer: issuer.address, value });
const offering = (
  by: Wallet,
  gets: OfferCreate['TakerGets'],
  pays: OfferCreate['TakerPays'],
  more: Partial<OfferCreate> = {},
) =>
  settle(rig, by, { TransactionType: 'OfferCreate', Account: by.address, TakerGets: gets, TakerPays: pays, ...more });
const dollarsForXrp = (): Pick<BookOffersRequest, 'taker_gets' | 'taker_pays'> => ({
  taker_gets: { currency: 'USD', issuer: issuer.address },
  taker_pays: { currency: 'XRP' },
});
const bookOf = async (more: Partial<BookOffersRequest> = {}) =>
  (await rig.client.request({ command: 'book_offers', ledger_index: 'validated', ...dollarsForXrp(), ...more })).result
    .offers;

beforeEach(async () => {
  rig = await startRig({ historyLedgers: 8 });
  [issuer, maker, taker] = (await fundedWallets(rig, 3)) as [Wallet, Wallet, Wallet];
  await settle(rig, issuer, { TransactionType: 'AccountSet', Account: issuer.address, SetFlag: 8 });
  await settle(rig, maker, { TransactionType: 'TrustSet', Account: maker.address, LimitAmount: usd('1000000') });
  await settle(rig, issuer, pay(issuer.address, maker.address, usd('1000')));
});
afterEach(() => rig.stop());

describe('an order book', () => {
  test('pages: offers of one price are met in the order in which they came, however many there are', async () => {
    await settle(rig, issuer, pay(issuer.address, maker.address, usd('1000')));
    for (let i = 0; i < 35; i++) await offering(maker, usd('1'), '1000000');
    const offers = await bookOf({ limit: 100 });
    expect(offers).toHaveLength(35);
    expect(new Set(offers.map(({ BookNode: page }) => page))).toEqual(new Set(['0', '1']));
    expect(offers.map(({ Sequence: sequence }) => sequence)).toEqual(
      [...offers.map((o) => o.Sequence)].sort((a, b) => a - b),
    );
    await offering(taker, '34000000', usd('34'));
    expect((await bookOf()).map(({ Sequence: sequence }) => sequence)).toEqual([offers.at(-1)?.Sequence]);
    await offering(taker, '1000000', usd('1'));
    expect(await bookOf()).toEqual([]);
  });

  test('shows what owners of several offers can give, the best offer first', async () => {
    await offering(maker, usd('700'), '700000000');
    await offering(maker, usd('700'), '1400000000');
    const [best, second] = await bookOf();
    expect(best).toMatchObject({ quality: '1000000', owner_funds: '1000' });
    expect(best?.taker_gets_funded).toBeUndefined();
    expect(second).toMatchObject({ taker_gets_funded: usd('300'), taker_pays_funded: '600000000' });
    expect(second?.owner_funds).toBeUndefined();
  });

  test('belongs to its ledger: another server in the process, and ledgers before, have their own', async () => {
    const { ledgerIndex } = await offering(maker, usd('10'), '10000000');
    const other = await startRig();
    const { result } = await other.client.request({ command: 'book_offers', ...dollarsForXrp() });
    await other.stop();
    expect(result.offers).toEqual([]);
    expect(await bookOf({ ledger_index: ledgerIndex - 1 })).toEqual([]);
    await offering(taker, '10000000', usd('10'));
    expect(await bookOf()).toEqual([]);
    expect(await bookOf({ ledger_index: ledgerIndex })).toHaveLength(1);
    for (let i = 0; i < 12; i++) rig.ledger.accept();
    await offering(maker, usd('10'), '10000000');
    expect(await bookOf()).toHaveLength(1);
  });

  test('returns with a snapshot', async () => {
    await offering(maker, usd('10'), '10000000');
    const snapshot = rig.ledger.snapshot();
    await offering(taker, '10000000', usd('10'));
    expect(await bookOf()).toEqual([]);
    rig.ledger.restore(snapshot);
    expect(await bookOf()).toHaveLength(1);
    await offering(taker, '4000000', usd('4'));
    expect(await bookOf()).toMatchObject([{ TakerGets: usd('6') }]);
  });

  test('is pushed to its subscribers: first as it stands, then each transaction that touches the other side', async () => {
    await offering(maker, usd('10'), '10000000');
    const books = [{ ...dollarsForXrp(), snapshot: true, both: true }] as unknown as SubscribeRequest['books'];
    const { result } = await rig.client.request({ command: 'subscribe', ...(books ? { books } : {}) });
    expect(result).toMatchObject({ bids: [{ TakerGets: usd('10') }], asks: [] });
    const pushed: unknown[] = [];
    rig.client.on('transaction', (message) => pushed.push(message.meta?.TransactionResult));
    await offering(maker, usd('5'), '10000000');
    await expect.poll(() => pushed).toEqual(['tesSUCCESS']);
    await rig.client.request({ command: 'unsubscribe', ...(books ? { books } : {}) } as never);
    await offering(maker, usd('5'), '11000000');
    await rig.client.request({ command: 'ping' });
    expect(pushed).toHaveLength(1);
  });
});

describe('an offer', () => {
  const results: Record<string, [Partial<OfferCreate>, string]> = {
    'that has to be filled at once and is not': [{ Flags: 0x00040000 }, 'tecKILLED'],
    'that may not wait and meets nothing': [{ Flags: 0x00020000 }, 'tecKILLED'],
    'of both kinds': [{ Flags: 0x00060000 }, 'temINVALID_FLAG'],
    'that is over already': [{ Expiration: 1 }, 'tecEXPIRED'],
    'without an end': [{ Expiration: 0 }, 'temBAD_EXPIRATION'],
    'in no domain': [{ DomainID: 'AB'.repeat(32) }, 'tecNO_PERMISSION'],
  };
  for (const [name, [more, result]] of Object.entries(results)) {
    test(`${name}: ${result}`, async () => {
      const filled = await rig.client.autofill({
        TransactionType: 'OfferCreate',
        Account: maker.address,
        TakerGets: usd('1'),
        TakerPays: '1000000',
        ...more,
      });
      const { result: answer } = await rig.client.request({ command: 'submit', tx_blob: maker.sign(filled).tx_blob });
      expect(answer.engine_result).toBe(result);
    });
  }

  test('that is killed still removes the expired offers it found', async () => {
    const soon = Math.floor(Date.now() / 1000) - 946_684_800 + 60;
    await offering(maker, usd('10'), '10000000', { Expiration: soon });
    rig.ledger.advanceTime(120);
    rig.ledger.accept();
    expect(await bookOf()).toHaveLength(1);
    const killed = await offering(taker, '10000000', usd('10'), { Flags: 0x00040000 });
    expect(killed.result).toBe('tecKILLED');
    expect(await bookOf()).toEqual([]);
  });
});

test('an offer does not make its owner pass on money of a line that the owner froze', async () => {
  const [other] = (await fundedWallets(rig, 1)) as [Wallet];
  const otherUsd = (value: string) => ({ currency: 'USD', issuer: other.address, value });
  await settle(rig, other, { TransactionType: 'AccountSet', Account: other.address, SetFlag: 8 });
  for (const holder of [maker, taker]) {
    const trust = { TransactionType: 'TrustSet', Account: holder.address, LimitAmount: otherUsd('1000') } as const;
    await settle(rig, holder, trust);
  }
  await settle(rig, other, pay(other.address, taker.address, otherUsd('100')));
  await offering(maker, usd('10'), otherUsd('10'));
  const freeze = (Flags: number): SubmittableTransaction => ({
    TransactionType: 'TrustSet',
    Account: maker.address,
    LimitAmount: otherUsd('1000'),
    Flags,
  });
  await settle(rig, maker, freeze(TrustSetFlags.tfSetFreeze));
  const taken = async () =>
    (
      await send(rig, taker, {
        TransactionType: 'OfferCreate',
        Account: taker.address,
        TakerGets: otherUsd('10'),
        TakerPays: usd('10'),
      })
    ).result;
  expect(await taken()).toBe('tecINVARIANT_FAILED');
  await settle(rig, maker, freeze(TrustSetFlags.tfClearFreeze));
  expect(await taken()).toBe('tesSUCCESS');
});
