import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Payment, Wallet } from 'xrpl';
import { fundedWallets, pay, type Rig, startRig } from './support.ts';

/** Room for two at the base fee; the third still enters, as the server counts. */
const ROOM = 2;
let rig: Rig;
let busy: Wallet;
let other: Wallet;
let sequence: number;
beforeEach(async () => {
  rig = await startRig({ expectedLedgerSize: ROOM, ledgerGrowthPercent: 0 });
  const wallets = await fundedWallets(rig, 2);
  [busy, other] = [wallets[0]!, wallets[1]!];
  sequence = await sequenceOf(busy);
  for (let i = 0; i <= ROOM; i++) await submit(busy, {});
});
afterEach(() => rig.stop());

async function sequenceOf({ address }: Wallet): Promise<number> {
  const { result } = await rig.client.request({
    command: 'account_info',
    account: address,
    ledger_index: 'current',
  });
  return result.account_data.Sequence;
}

/** Submits the wallet's next payment at the base fee unless told otherwise. */
async function submit(wallet: Wallet, more: Partial<Payment>) {
  const Sequence = more.Sequence ?? (wallet === busy ? sequence++ : await sequenceOf(wallet));
  const tx = pay(wallet.address, rig.genesis.address, '1', { Fee: '10', ...more, Sequence });
  const signed = wallet.sign(await rig.client.autofill(tx));
  const { result } = await rig.client.request({ command: 'submit', tx_blob: signed.tx_blob });
  return { ...result, hash: signed.hash };
}

async function feeNow() {
  return (await rig.client.request({ command: 'fee' })).result;
}

describe('when the open ledger is full', () => {
  test('the base fee is queued, and fee, load factor and account_info say so', async () => {
    const queued = await submit(busy, {});
    expect(queued).toMatchObject({ engine_result: 'terQUEUED', applied: false, queued: true, broadcast: true });
    expect(queued.account_sequence_available).toBe(sequence);
    const fee = await feeNow();
    expect(fee.current_queue_size).toBe('1');
    expect(Number(fee.drops.open_ledger_fee)).toBeGreaterThan(5000);
    const { info } = (await rig.client.request({ command: 'server_info' })).result;
    expect(info.load_factor).toBe(Number(fee.levels.open_ledger_level) / 256);
    const { result } = await rig.client.request({
      command: 'account_info',
      account: busy.address,
      ledger_index: 'current',
      queue: true,
    });
    expect(result.queue_data).toMatchObject({ txn_count: 1, max_spend_drops_total: '11', sequence_count: 1 });
  });

  test('a fee as high as asked goes straight in', async () => {
    const { drops } = await feeNow();
    expect(await submit(other, { Fee: drops.open_ledger_fee })).toMatchObject({ engine_result: 'tesSUCCESS' });
  });

  test('a queued transaction is replaced only for more than a quarter on top', async () => {
    await submit(busy, {});
    const same = sequence - 1;
    expect((await submit(busy, { Sequence: same, Fee: '12' })).engine_result).toBe('telCAN_NOT_QUEUE_FEE');
    expect((await submit(busy, { Sequence: same, Fee: '13' })).engine_result).toBe('terQUEUED');
    expect((await feeNow()).current_queue_size).toBe('1');
  });

  test('an account may queue ten, without a gap', async () => {
    expect((await submit(busy, { Sequence: sequence + 1 })).engine_result).toBe('terPRE_SEQ');
    for (let i = 0; i < 10; i++) expect((await submit(busy, {})).engine_result).toBe('terQUEUED');
    expect((await submit(busy, { Sequence: sequence + 1 })).engine_result).toBe('telCAN_NOT_QUEUE_FULL');
    expect((await submit(busy, {})).engine_result).toBe('telCAN_NOT_QUEUE_FULL');
  });

  test('one that is about to expire is not queued', async () => {
    const { ledger_current_index: open } = (await rig.client.request({ command: 'ledger_current' })).result;
    expect((await submit(busy, { LastLedgerSequence: open + 1 })).engine_result).toBe('telCAN_NOT_QUEUE');
  });

  test('one that pays for all before it takes them into the ledger with it', async () => {
    await submit(busy, {});
    await submit(busy, {});
    const { drops } = await feeNow();
    const rich = await submit(busy, { Fee: String(Number(drops.open_ledger_fee) * 6) });
    expect(rich.engine_result).toBe('tesSUCCESS');
    expect((await feeNow()).current_queue_size).toBe('0');
  });

  test('what is queued enters the ledgers that follow, in order', async () => {
    const hashes = [(await submit(busy, {})).hash, (await submit(busy, {})).hash];
    rig.ledger.accept();
    expect((await feeNow()).current_queue_size).toBe('0');
    rig.ledger.accept();
    for (const transaction of hashes) {
      expect((await rig.client.request({ command: 'tx', transaction })).result.validated).toBe(true);
    }
  });
});
