import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashes, type Wallet } from 'xrpl';
import { fundedWallets, pay, type Rig, settle, signRaw, startRig, submitRaw, testOnFreshLedger } from './support.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.stop());

type Price = { BaseAsset?: string; QuoteAsset: string; AssetPrice?: number | string; Scale?: number };

const series = (...prices: Price[]) => prices.map((price) => ({ PriceData: { BaseAsset: 'XRP', ...price } }));
const usd = (AssetPrice: number, Scale = 1) => series({ QuoteAsset: 'USD', AssetPrice, Scale });
const manyPairs = (count: number, from = 0) =>
  series(
    ...Array.from({ length: count }, (_, i) => ({
      QuoteAsset: `A${String(i + from).padStart(2, '0')}`,
      AssetPrice: 1,
    })),
  );
const NATURE = { Provider: '70726F7669646572', AssetClass: '63757272656E6379' };

/** The close time of the last ledger, in seconds since 1970 as oracles count them. */
async function closeTime(): Promise<number> {
  const { result } = await rig.client.request({ command: 'ledger', ledger_index: 'validated' });
  return result.ledger.close_time + 946_684_800;
}

type OracleFields = Record<string, unknown>;

/** Submits an OracleSet of now; xrpl.js would not sign one without a Scale. Answers its result and hash. */
async function set(wallet: Wallet, fields: OracleFields): Promise<Submitted> {
  const LastUpdateTime = await closeTime();
  const { result: info } = await rig.client.request({ command: 'account_info', account: wallet.address });
  const { Sequence } = info.account_data;
  const all = { TransactionType: 'OracleSet', OracleDocumentID: 1, LastUpdateTime, Fee: '10', Sequence, ...fields };
  const tx_blob = signRaw(wallet, all);
  const { result } = await rig.client.request({ command: 'submit', tx_blob });
  return { result: result.engine_result, hash: hashes.hashSignedTx(tx_blob) };
}
type Submitted = { readonly result: string; readonly hash: string };

/** The result of an OracleSet in the ledger that is closed with it. */
async function settled(wallet: Wallet, fields: OracleFields): Promise<string> {
  const { hash } = await set(wallet, fields);
  rig.ledger.accept();
  const { result } = await rig.client.request({ command: 'tx', transaction: hash });
  return typeof result.meta === 'object' ? result.meta.TransactionResult : '';
}

async function newOracle(fields: OracleFields = {}, xrp = 1000): Promise<Wallet> {
  const [wallet] = (await fundedWallets(rig, 1, xrp)) as [Wallet];
  expect(await settled(wallet, { ...NATURE, PriceDataSeries: usd(740), ...fields })).toBe('tesSUCCESS');
  return wallet;
}

async function oracleOf(account: string): Promise<Record<string, unknown>> {
  const named = { account, oracle_document_id: 1 };
  const { result } = await rig.client.request({
    command: 'ledger_entry',
    oracle: named,
    ledger_index: 'validated',
  } as never);
  return (result as { node: Record<string, unknown> }).node;
}

async function ownerCount(account: string): Promise<number> {
  return (await rig.client.request({ command: 'account_info', account })).result.account_data.OwnerCount;
}

const refused = async (wallet: Wallet, fields: OracleFields): Promise<string> => (await set(wallet, fields)).result;

test('an oracle stores its prices in the order of their pairs, and an update keeps pairs that it does not name', async () => {
  const prices = series(
    { QuoteAsset: 'USD', AssetPrice: 740, Scale: 3 },
    { QuoteAsset: 'EUR', AssetPrice: 'FFFFFFFFFFFFFFFF' },
    { BaseAsset: 'BTC', QuoteAsset: 'USD', AssetPrice: 1, Scale: 20 },
  );
  const wallet = await newOracle({ URI: 'AB', PriceDataSeries: prices });
  expect(await oracleOf(wallet.address)).toMatchObject({
    ...NATURE,
    LedgerEntryType: 'Oracle',
    Owner: wallet.address,
    OracleDocumentID: 1,
    OwnerNode: '0',
    URI: 'AB',
    PriceDataSeries: [
      { PriceData: { BaseAsset: 'XRP', QuoteAsset: 'EUR', AssetPrice: 'ffffffffffffffff' } },
      { PriceData: { BaseAsset: 'XRP', QuoteAsset: 'USD', AssetPrice: '2e4', Scale: 3 } },
      { PriceData: { BaseAsset: 'BTC', QuoteAsset: 'USD', AssetPrice: '1', Scale: 20 } },
    ],
  });
  const update = series(
    { QuoteAsset: 'USD', AssetPrice: 741 },
    { QuoteAsset: 'EUR' },
    { QuoteAsset: 'CAD', AssetPrice: 5 },
  );
  expect(await settled(wallet, { PriceDataSeries: update })).toBe('tesSUCCESS');
  const { URI, PriceDataSeries } = await oracleOf(wallet.address);
  expect(URI).toBe('AB');
  expect(PriceDataSeries).toEqual([
    { PriceData: { BaseAsset: 'XRP', QuoteAsset: 'CAD', AssetPrice: '5' } },
    { PriceData: { BaseAsset: 'XRP', QuoteAsset: 'USD', AssetPrice: '2e5' } },
    { PriceData: { BaseAsset: 'BTC', QuoteAsset: 'USD' } },
  ]);
  const { result } = await rig.client.request({
    command: 'account_objects',
    account: wallet.address,
    type: 'oracle',
  } as never);
  expect((result as { account_objects: unknown[] }).account_objects).toHaveLength(1);
});

test('an oracle counts as two objects from six pairs on, and as none once it is deleted', async () => {
  const wallet = await newOracle({ PriceDataSeries: manyPairs(5) });
  expect(await ownerCount(wallet.address)).toBe(1);
  await settled(wallet, { PriceDataSeries: manyPairs(1, 5) });
  expect(await ownerCount(wallet.address)).toBe(2);
  const [{ PriceData: gone } = { PriceData: undefined }] = manyPairs(1);
  const removal = [{ PriceData: { ...gone, AssetPrice: undefined } }];
  await settled(wallet, { PriceDataSeries: removal });
  expect(await ownerCount(wallet.address)).toBe(1);
  const full = manyPairs(9, 1).map(({ PriceData }) => ({ PriceData }));
  await settled(wallet, { PriceDataSeries: full });
  expect(await settled(wallet, { PriceDataSeries: manyPairs(2, 50) })).toBe('tecARRAY_TOO_LARGE');
  const remove = { TransactionType: 'OracleDelete', Account: wallet.address, OracleDocumentID: 1 } as const;
  await settle(rig, wallet, remove);
  expect(await ownerCount(wallet.address)).toBe(0);
  expect((await settle(rig, wallet, remove)).meta.TransactionResult).toBe('tecNO_ENTRY');
});

test('an oracle that makes no sense is refused by the first rule it breaks', async () => {
  const wallet = await newOracle();
  const update = { PriceDataSeries: usd(741) };
  const create = { ...NATURE, ...update, OracleDocumentID: 2 };
  expect(await refused(wallet, { ...create, PriceDataSeries: [] })).toBe('temARRAY_EMPTY');
  expect(await refused(wallet, { ...create, PriceDataSeries: manyPairs(11) })).toBe('temARRAY_TOO_LARGE');
  for (const wrong of [
    { Provider: '' },
    { Provider: 'AB'.repeat(257) },
    { URI: '' },
    { AssetClass: 'AB'.repeat(17) },
  ]) {
    expect(await refused(wallet, { ...create, ...wrong })).toBe('temMALFORMED');
  }
  const now = await closeTime();
  for (const LastUpdateTime of [0, now - 301, now + 301]) {
    expect(await refused(wallet, { ...create, LastUpdateTime, Provider: undefined })).toBe('tecINVALID_UPDATE_TIME');
  }
  for (const wrong of [{ Provider: undefined }, { AssetClass: undefined }]) {
    expect(await refused(wallet, { ...create, ...wrong })).toBe('temMALFORMED');
  }
  for (const prices of [
    series({ QuoteAsset: 'XRP', AssetPrice: 1 }),
    [...usd(1), ...usd(2)],
    series({ QuoteAsset: 'USD', AssetPrice: 1, Scale: 21 }),
    series({ QuoteAsset: 'USD' }),
  ]) {
    expect(await refused(wallet, { ...create, PriceDataSeries: prices })).toBe('temMALFORMED');
  }
  const { LastUpdateTime: last } = await oracleOf(wallet.address);
  expect(await refused(wallet, { ...update, LastUpdateTime: last, AssetClass: 'AB' })).toBe('tecINVALID_UPDATE_TIME');
  rig.ledger.accept();
  expect(await refused(wallet, { ...update, AssetClass: 'AB' })).toBe('temMALFORMED');
  expect(await refused(wallet, { PriceDataSeries: series({ QuoteAsset: 'EUR' }) })).toBe('tecTOKEN_PAIR_NOT_FOUND');
  rig.ledger.accept();
  expect(await refused(wallet, { PriceDataSeries: series({ QuoteAsset: 'USD' }) })).toBe('tecARRAY_EMPTY');
  const explicit = { ...create, TransactionType: 'OracleSet', LastUpdateTime: now, PriceDataSeries: usd(1, 0) };
  expect(await submitRaw(rig, wallet, explicit)).toContain("Field 'Scale' may not be explicitly set to default.");
});

test('an oracle needs the reserve of its objects', async () => {
  const [wallet] = (await fundedWallets(rig, 1, 1)) as [Wallet];
  await settle(rig, rig.genesis, pay(rig.genesis.address, wallet.address, '200020'));
  const create = { ...NATURE, PriceDataSeries: manyPairs(6) };
  expect(await refused(wallet, create)).toBe('tecINSUFFICIENT_RESERVE');
  rig.ledger.accept();
  expect(await refused(wallet, { ...create, PriceDataSeries: manyPairs(5) })).toBe('tesSUCCESS');
});

test('an account leaves with its oracles', async () => {
  const wallet = await newOracle({ PriceDataSeries: manyPairs(6) });
  for (let i = 0; i < 256; i++) rig.ledger.accept();
  const { meta } = await settle(rig, wallet, {
    TransactionType: 'AccountDelete',
    Account: wallet.address,
    Destination: rig.genesis.address,
    Fee: '200000',
  });
  const gone = meta.AffectedNodes.flatMap((node) => ('DeletedNode' in node ? [node.DeletedNode] : []));
  expect(gone.map(({ LedgerEntryType: type }) => type).sort()).toEqual(['AccountRoot', 'DirectoryNode', 'Oracle']);
  expect(gone.find(({ LedgerEntryType: type }) => type === 'AccountRoot')?.FinalFields).toMatchObject({
    OwnerCount: 0,
  });
});

async function aggregate(accounts: readonly Wallet[], more: object = {}) {
  const oracles = accounts.map(({ address }) => ({ account: address, oracle_document_id: 1 }));
  const request = { command: 'get_aggregate_price', oracles, base_asset: 'XRP', quote_asset: 'USD', ...more };
  const { result } = (await rig.client.request(request as never)) as { result: Record<string, unknown> };
  return result;
}

testOnFreshLedger('the aggregate price is mean, median and deviation, to the digit that the server gives', async () => {
  const wallets: Wallet[] = [];
  for (let i = 0; i < 10; i++) wallets.push(await newOracle({ PriceDataSeries: usd(740 + i) }));
  // The figures of the server's own test of ten prices from 74.0 to 74.9.
  expect(await aggregate(wallets, { trim: 20 })).toMatchObject({
    entire_set: { mean: '74.45', size: 10, standard_deviation: '0.3027650354097491666' },
    median: '74.45',
    trimmed_set: { mean: '74.45', size: 6, standard_deviation: '0.1870828693386970693' },
  });
  const one = await aggregate(wallets.slice(0, 1));
  expect(one).toMatchObject({ entire_set: { mean: '74', size: 1, standard_deviation: '0' }, median: '74' });
  expect(one).not.toHaveProperty('trimmed_set');
  const recent = await aggregate(wallets, { time_threshold: 1 });
  expect(recent).toMatchObject({ entire_set: { mean: '74.9', size: 1 } });
});

test('a pair that the last two updates left out keeps its price, and after three it has none', async () => {
  const wallet = await newOracle();
  for (let i = 0; i < 2; i++) {
    const other = series({ QuoteAsset: 'EUR', AssetPrice: 5 + i });
    await settled(wallet, { PriceDataSeries: other });
    expect(await aggregate([wallet])).toMatchObject({ median: '74' });
  }
  await settled(wallet, { PriceDataSeries: series({ QuoteAsset: 'EUR', AssetPrice: 1 }) });
  await expect(aggregate([wallet])).rejects.toThrow('The requested object was not found.');
});

test('a repair of the ledger is refused where nothing is broken', async () => {
  const [wallet] = (await fundedWallets(rig, 1)) as [Wallet];
  const fix = (fields: object) =>
    submitRaw(rig, wallet, { TransactionType: 'LedgerStateFix', Fee: '200000', LedgerFixType: 1, ...fields });
  const BookDirectory = 'AB'.repeat(32);
  expect(await fix({ Fee: '199999', Owner: wallet.address })).toBe('telINSUF_FEE_P');
  expect(await fix({})).toBe('temINVALID');
  expect(await fix({ Owner: wallet.address, BookDirectory })).toBe('temINVALID');
  expect(await fix({ LedgerFixType: 2, Owner: wallet.address })).toBe('temINVALID');
  expect(await fix({ LedgerFixType: 3, Owner: wallet.address })).toBe('tefINVALID_LEDGER_FIX_TYPE');
  expect(await fix({ Owner: wallet.address })).toBe('tecFAILED_PROCESSING');
  expect(await fix({ Owner: 'rrrrrrrrrrrrrrrrrrrrrhoLvTp' })).toBe('tecOBJECT_NOT_FOUND');
  expect(await fix({ LedgerFixType: 2, BookDirectory })).toBe('tecOBJECT_NOT_FOUND');
  const offer = { TransactionType: 'OfferCreate', Account: wallet.address, TakerPays: '1000000' } as const;
  const TakerGets = { currency: 'USD', issuer: wallet.address, value: '1' };
  const { meta } = await settle(rig, wallet, { ...offer, TakerGets });
  const made = meta.AffectedNodes.flatMap((node) => ('CreatedNode' in node ? [node.CreatedNode] : []));
  const book = made.find(({ NewFields: fields }) => fields.ExchangeRate !== undefined)?.LedgerIndex;
  expect(await fix({ LedgerFixType: 2, BookDirectory: book })).toBe('tecNO_PERMISSION');
});
