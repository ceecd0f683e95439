import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encode } from 'ripple-binary-codec';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Batch,
  BatchFlags,
  combineBatchSigners,
  hashes,
  type Payment,
  signMultiBatch,
  type TransactionMetadata,
  type Wallet,
} from 'xrpl';
import { fundedWallets, pay, type Rig, send, settle, signRaw, startRig, submitBlob, submitRaw } from './support.ts';

const TF_INNER = 0x40000000;

let rig: Rig;
let payer: Wallet;
let partner: Wallet;
let shop: Wallet;
beforeAll(async () => {
  rig = await startRig({ profile: 'mainnet' });
  [payer, partner, shop] = (await fundedWallets(rig, 3)) as [Wallet, Wallet, Wallet];
});
afterAll(() => rig.stop());

async function nextSequence(wallet: Wallet): Promise<number> {
  const { result } = await rig.client.request({ command: 'account_info', account: wallet.address });
  return result.account_data.Sequence;
}

async function balance(wallet: Wallet): Promise<bigint> {
  const request = { command: 'account_info', account: wallet.address, ledger_index: 'validated' } as const;
  const { result } = await rig.client.request(request);
  return BigInt(result.account_data.Balance);
}

/** A payment as a batch holds it. */
function inner(from: Wallet, sequence: number, drops: string, more: Partial<Payment> = {}): Payment {
  return {
    ...pay(from.address, shop.address, drops),
    Fee: '0',
    Flags: TF_INNER,
    Sequence: sequence,
    SigningPubKey: '',
    ...more,
  } as Payment;
}

/** A batch of the payer's with that mode; `more` replaces fields of it. */
async function batchOf(mode: number, payments: readonly Payment[], more: Partial<Batch> = {}): Promise<Batch> {
  return {
    TransactionType: 'Batch',
    Account: payer.address,
    Flags: mode,
    Fee: String(10 * (2 + payments.length)),
    Sequence: await nextSequence(payer),
    RawTransactions: payments.map((each) => ({ RawTransaction: each })),
    ...more,
  } as Batch;
}

type Entry = { hash: string; meta: TransactionMetadata };
/** Submits, closes and returns the transactions of the ledger in their order. */
async function closed(batch: Batch): Promise<{ result: string; entries: Entry[] }> {
  const result = await submitBlob(rig, signRaw(payer, batch as unknown as Record<string, unknown>));
  const ledger = rig.ledger.accept();
  const answer = await rig.client.request({
    command: 'ledger',
    ledger_index: ledger,
    transactions: true,
    expand: true,
  });
  const entries = (answer.result.ledger.transactions ?? []) as unknown as Entry[];
  return { result, entries: entries.sort((a, b) => a.meta.TransactionIndex - b.meta.TransactionIndex) };
}

const results = (entries: readonly Entry[]): string[] => entries.map(({ meta }) => meta.TransactionResult);
const tooMuch = '999999999999';

describe('a batch applies its transactions as its mode says', () => {
  test('all of them, each with metadata that names the batch', async () => {
    const first = (await nextSequence(payer)) + 1;
    const [before, shopBefore] = [await balance(payer), await balance(shop)];
    const batch = await batchOf(BatchFlags.tfAllOrNothing, [inner(payer, first, '3'), inner(payer, first + 1, '4')]);
    const { result, entries } = await closed(batch);
    expect(result).toBe('tesSUCCESS');
    expect(results(entries)).toEqual(['tesSUCCESS', 'tesSUCCESS', 'tesSUCCESS']);
    expect(entries.map(({ meta }) => (meta as { ParentBatchID?: string }).ParentBatchID)).toEqual([
      undefined,
      entries[0]?.hash,
      entries[0]?.hash,
    ]);
    expect(entries.slice(1).map(({ hash }) => hash)).toEqual(
      batch.RawTransactions.map(({ RawTransaction: each }) => hashes.hashSignedTx(each as never)),
    );
    expect([before - (await balance(payer)), (await balance(shop)) - shopBefore]).toEqual([47n, 7n]);
    expect(await nextSequence(payer)).toBe(first + 2);
    const { result: found } = await rig.client.request({ command: 'tx', transaction: entries[2]?.hash ?? '' });
    expect(found).toMatchObject({ validated: true, meta: { delivered_amount: '4', ParentBatchID: entries[0]?.hash } });
  });

  test('none of them when one fails and all had to succeed; the fee is gone', async () => {
    const first = (await nextSequence(payer)) + 1;
    const [before, shopBefore] = [await balance(payer), await balance(shop)];
    const payments = [inner(payer, first, '3'), inner(payer, first + 1, tooMuch)];
    const { entries } = await closed(await batchOf(BatchFlags.tfAllOrNothing, payments));
    expect(results(entries)).toEqual(['tesSUCCESS']);
    expect([before - (await balance(payer)), (await balance(shop)) - shopBefore]).toEqual([40n, 0n]);
    expect(await nextSequence(payer)).toBe(first);
  });

  test('until the first that fails, which counts', async () => {
    const first = (await nextSequence(payer)) + 1;
    const payments = [inner(payer, first, '3'), inner(payer, first + 1, tooMuch), inner(payer, first + 2, '4')];
    const { entries } = await closed(await batchOf(BatchFlags.tfUntilFailure, payments));
    expect(results(entries)).toEqual(['tesSUCCESS', 'tesSUCCESS', 'tecUNFUNDED_PAYMENT']);
    expect(await nextSequence(payer)).toBe(first + 2);
  });

  test('only the first that succeeds, and what failed before it', async () => {
    const first = (await nextSequence(payer)) + 1;
    const payments = [inner(payer, first, tooMuch), inner(payer, first + 1, '5'), inner(payer, first + 2, '6')];
    const { entries } = await closed(await batchOf(BatchFlags.tfOnlyOne, payments));
    expect(results(entries)).toEqual(['tesSUCCESS', 'tecUNFUNDED_PAYMENT', 'tesSUCCESS']);
  });

  test('each for itself; one whose sequence does not come is left out', async () => {
    const first = (await nextSequence(payer)) + 1;
    const payments = [inner(payer, first, tooMuch), inner(payer, first + 5, '5'), inner(payer, first + 1, '6')];
    const { entries } = await closed(await batchOf(BatchFlags.tfIndependent, payments));
    expect(results(entries)).toEqual(['tesSUCCESS', 'tecUNFUNDED_PAYMENT', 'tesSUCCESS']);
  });

  test('by tickets, too', async () => {
    const first = (await nextSequence(payer)) + 1;
    await settle(rig, payer, { TransactionType: 'TicketCreate', Account: payer.address, TicketCount: 2 });
    const ticket = { Sequence: 0, TicketSequence: first };
    const payments = [inner(payer, 0, '1', ticket), inner(payer, 0, '2', { ...ticket, TicketSequence: first + 1 })];
    const { entries } = await closed(await batchOf(BatchFlags.tfAllOrNothing, payments));
    expect(results(entries)).toEqual(['tesSUCCESS', 'tesSUCCESS', 'tesSUCCESS']);
  });
});

test('the open ledger shows the batch alone, and its transactions cannot be submitted by themselves', async () => {
  const first = (await nextSequence(payer)) + 1;
  const payments = [inner(payer, first, '3'), inner(payer, first + 1, '4')];
  const blob = signRaw(payer, (await batchOf(BatchFlags.tfAllOrNothing, payments)) as never);
  expect(await submitBlob(rig, blob)).toBe('tesSUCCESS');
  expect(await nextSequence(payer)).toBe(first);
  rig.ledger.accept();
  expect(await nextSequence(payer)).toBe(first + 2);
  expect(await submitRaw(rig, payer, { ...pay(payer.address, shop.address, '1'), Flags: TF_INNER })).toBe(
    'fails local checks: Batch inner transactions are never considered validly signed.',
  );
});

describe('accounts sign for the batch that holds transactions of theirs', () => {
  async function shared(): Promise<Batch> {
    const payments = [
      inner(payer, (await nextSequence(payer)) + 1, '3'),
      inner(partner, await nextSequence(partner), '4'),
    ];
    return batchOf(BatchFlags.tfAllOrNothing, payments, { Fee: '50' });
  }

  test('with xrpl.js, and are paid for by the sender', async () => {
    const unsigned = await shared();
    const signed = { ...unsigned };
    signMultiBatch(partner, signed);
    const [before, partnerBefore] = [await balance(payer), await balance(partner)];
    const { result, entries } = await closed({ ...unsigned, BatchSigners: signed.BatchSigners ?? [] });
    expect(result).toBe('tesSUCCESS');
    expect(results(entries)).toEqual(['tesSUCCESS', 'tesSUCCESS', 'tesSUCCESS']);
    expect([before - (await balance(payer)), partnerBefore - (await balance(partner))]).toEqual([53n, 4n]);
  });

  test('a signature of another batch, or none, is refused', async () => {
    const unsigned = await shared();
    expect((await closed(unsigned)).result).toBe('temBAD_SIGNER');
    const other = { ...unsigned, Sequence: (unsigned.Sequence ?? 0) + 1 };
    signMultiBatch(partner, other);
    const mixed = { ...unsigned, BatchSigners: other.BatchSigners ?? [] };
    expect((await closed(mixed)).result).toBe('fails local checks: Invalid signature.');
  });

  test('each signature costs a base fee more', async () => {
    const unsigned = await shared();
    const signed = { ...unsigned };
    signMultiBatch(partner, signed);
    const cheap = { ...unsigned, Fee: '49', BatchSigners: signed.BatchSigners ?? [] };
    expect((await closed(cheap)).result).toBe('telINSUF_FEE_P');
  });

  test('by a list of signers', async () => {
    const [keeper] = (await fundedWallets(rig, 1)) as [Wallet];
    await settle(rig, partner, {
      TransactionType: 'SignerListSet',
      Account: partner.address,
      SignerQuorum: 1,
      SignerEntries: [{ SignerEntry: { Account: keeper.address, SignerWeight: 1 } }],
    });
    const unsigned = await shared();
    const signed = { ...unsigned };
    signMultiBatch(keeper, signed, { batchAccount: partner.address, multisign: true });
    const { result, entries } = await closed({ ...unsigned, BatchSigners: signed.BatchSigners ?? [] });
    expect(result).toBe('tesSUCCESS');
    expect(entries).toHaveLength(3);
    expect(combineBatchSigners([encode(signed as never)])).toMatch(/^12/);
  });
});

describe('a batch that is none is refused', () => {
  const broken = async (payments: readonly Payment[], more: Partial<Batch> = {}): Promise<string> =>
    (await closed(await batchOf(BatchFlags.tfAllOrNothing, payments, more))).result;

  test('without two transactions, or one mode', async () => {
    const first = (await nextSequence(payer)) + 1;
    const two = [inner(payer, first, '3'), inner(payer, first + 1, '4')];
    expect(await broken(two.slice(1))).toBe('temARRAY_EMPTY');
    expect(await broken(two, { Flags: 0 })).toBe('temINVALID_FLAG');
    expect(await broken(two, { Flags: BatchFlags.tfOnlyOne | BatchFlags.tfIndependent })).toBe('temINVALID_FLAG');
    const nine = Array.from({ length: 9 }, (_, i) => inner(payer, first + i, '1'));
    expect(await broken(nine)).toBe('Batch has too many inner transactions.');
  });

  test('with a transaction that cannot stand in it', async () => {
    const first = (await nextSequence(payer)) + 1;
    const good = inner(payer, first, '3');
    const with2 = (more: Record<string, unknown>) => broken([good, { ...inner(payer, first + 1, '4'), ...more }]);
    expect(await broken([good, good])).toBe('temREDUNDANT');
    expect(await with2({ Sequence: first })).toBe('temREDUNDANT');
    expect(await with2({ Flags: 0 })).toBe('temINVALID_FLAG');
    expect(await with2({ SigningPubKey: payer.publicKey })).toBe('temBAD_REGKEY');
    expect(await with2({ TxnSignature: 'AB' })).toBe('temBAD_SIGNATURE');
    expect(await with2({ Fee: '1' })).toBe('temBAD_FEE');
    expect(await with2({ Amount: '0' })).toBe('temINVALID_INNER_BATCH');
    expect(await with2({ Sequence: 0 })).toBe('temSEQ_AND_TICKET');
    expect(await with2({ TicketSequence: 1 })).toBe('temSEQ_AND_TICKET');
    expect(await with2({ Destination: undefined })).toBe("Field 'Destination' is required but missing.");
  });
});

test('xrpl.js fills a batch in, inner transactions included', async () => {
  const batch: Batch = {
    TransactionType: 'Batch',
    Account: payer.address,
    Flags: BatchFlags.tfAllOrNothing,
    RawTransactions: ['7', '8'].map((drops) => ({
      RawTransaction: { ...pay(payer.address, shop.address, drops), Flags: TF_INNER } as never,
    })),
  };
  const { tx_blob: blob } = payer.sign(await rig.client.autofill(batch));
  const before = await balance(shop);
  expect(await submitBlob(rig, blob)).toBe('tesSUCCESS');
  rig.ledger.accept();
  expect((await balance(shop)) - before).toBe(15n);
});

test('a list of transactions that holds something else is refused', async () => {
  const first = (await nextSequence(payer)) + 1;
  const batch = await batchOf(BatchFlags.tfAllOrNothing, [inner(payer, first, '3')]);
  const odd = [...batch.RawTransactions, { Memo: { MemoData: 'AB' } }] as unknown as Batch['RawTransactions'];
  expect((await closed({ ...batch, RawTransactions: odd })).result).toBe("Field 'Memo' found in disallowed location.");
});

test('a dump with batches is loaded with the same hashes', async () => {
  const first = (await nextSequence(payer)) + 1;
  const payments = [inner(payer, first, '1'), inner(payer, first + 1, '2')];
  const { entries } = await closed(await batchOf(BatchFlags.tfAllOrNothing, payments));
  const folder = await mkdtemp(join(tmpdir(), 'batch-'));
  const file = join(folder, 'ledger');
  rig.ledger.dump(file);
  const loaded = await startRig({ load: file, profile: 'mainnet' });
  const { result } = await loaded.client.request({ command: 'tx', transaction: entries[2]?.hash ?? '' });
  expect(result).toMatchObject({ validated: true, meta: { ParentBatchID: entries[0]?.hash } });
  await loaded.stop();
  await rm(folder, { recursive: true });
});

test('without the amendment there are no batches', async () => {
  const old = await startRig();
  const [sender] = (await fundedWallets(old, 1)) as [Wallet];
  const batch = {
    TransactionType: 'Batch',
    Flags: BatchFlags.tfAllOrNothing,
    Fee: '40',
    RawTransactions: [inner(sender, 9, '1'), inner(sender, 10, '2')].map((each) => ({ RawTransaction: each })),
  };
  expect(await submitRaw(old, sender, batch)).toBe('temDISABLED');
  await old.stop();
});

test('a payment that a batch holds is sent as usual, and a second one after it goes on', async () => {
  const first = (await nextSequence(payer)) + 1;
  await closed(await batchOf(BatchFlags.tfIndependent, [inner(payer, first, '1'), inner(payer, first + 1, '2')]));
  expect((await send(rig, payer, pay(payer.address, shop.address, '5'))).result).toBe('tesSUCCESS');
});
