import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AccountTxTransaction } from 'xrpl';
import { pay, type Rig, send, settle, startRig, testOnFreshLedger, threeWallets } from './support.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.stop());

type Position = [ledgerIndex: number, transactionIndex: number];

function placeOf(entry: AccountTxTransaction): Position {
  if (typeof entry.meta !== 'object') throw new Error('metadata was asked as JSON');
  return [entry.ledger_index ?? 0, entry.meta.TransactionIndex];
}

async function pages(request: { account: string; limit: number; forward?: boolean }): Promise<Position[][]> {
  const all: Position[][] = [];
  let marker: unknown;
  do {
    const { result } = await rig.client.request({ command: 'account_tx', ...request, ...(marker ? { marker } : {}) });
    all.push(result.transactions.map(placeOf));
    marker = result.marker;
  } while (marker !== undefined);
  return all;
}

describe('account_tx', () => {
  test('pages are contiguous, sorted and complete, forwards and backwards', async () => {
    const [from, to] = await threeWallets(rig);
    for (let ledger = 0; ledger < 5; ledger++) {
      for (let i = 0; i < 5; i++) await send(rig, from, pay(from.address, to.address, String(i + 1)));
      rig.ledger.accept();
    }
    const forward = await pages({ account: from.address, forward: true, limit: 4 });
    expect(forward.map((page) => page.length)).toEqual([4, 4, 4, 4, 4, 4, 2]);
    const positions = forward.flat();
    const sorted = [...positions].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    expect(positions).toEqual(sorted);
    expect(new Set(positions.map(String)).size).toBe(26);
    const backward = await pages({ account: from.address, limit: 7 });
    expect(backward.flat().reverse()).toEqual(sorted);
  });

  test('a range beyond what is held is refused in version 2 and narrowed in version 1', async () => {
    const [from] = await threeWallets(rig);
    const last = (await rig.client.request({ command: 'ledger_closed' })).result.ledger_index;
    const request = {
      command: 'account_tx',
      account: from.address,
      ledger_index_min: last,
      ledger_index_max: last + 9,
    } as const;
    await expect(rig.client.request({ ...request, api_version: 2 })).rejects.toMatchObject({
      data: { error: 'lgrIdxMalformed', error_code: 58 },
    });
    const { result } = await rig.client.request({ ...request, api_version: 1 });
    expect(result.ledger_index_max).toBe(last);
  });
});

describe('tx', () => {
  test('shows Amount and DeliverMax in version 1, only DeliverMax in version 2', async () => {
    const [from, to] = await threeWallets(rig);
    const { hash } = await settle(rig, from, pay(from.address, to.address, '7'));
    const v1 = await rig.client.request({ command: 'tx', transaction: hash, api_version: 1 });
    expect(v1.result).toMatchObject({ Amount: '7', DeliverMax: '7', hash, validated: true });
    const v2 = await rig.client.request({ command: 'tx', transaction: hash, api_version: 2 });
    expect(v2.result).toMatchObject({ hash, validated: true, tx_json: { DeliverMax: '7' } });
    expect(v2.result.tx_json).not.toHaveProperty('Amount');
  });

  testOnFreshLedger('an unknown hash says whether the whole range was searched', async () => {
    const last = (await rig.client.request({ command: 'ledger_closed' })).result.ledger_index;
    const lookUp = (max_ledger: number) =>
      rig.client.request({ command: 'tx', transaction: 'A'.repeat(64), min_ledger: 2, max_ledger });
    await expect(lookUp(last)).rejects.toMatchObject({ data: { error: 'txnNotFound', searched_all: true } });
    await expect(lookUp(last + 1)).rejects.toMatchObject({ data: { error: 'txnNotFound', searched_all: false } });
  });
});

describe('ledgers', () => {
  test('are chained by hash, with close times that always grow', async () => {
    const first = rig.ledger.accept();
    const last = rig.ledger.accept();
    const get = async (ledger_index: number) =>
      (await rig.client.request({ command: 'ledger', ledger_index })).result.ledger;
    const [parent, child] = [await get(first), await get(last)];
    expect(child.parent_hash).toBe(parent.ledger_hash);
    expect(child.close_time).toBeGreaterThan(parent.close_time);
    expect(child.parent_close_time).toBe(parent.close_time);
  });

  test('a past state can be read again', async () => {
    const [from, to] = await threeWallets(rig);
    const before = (await rig.client.request({ command: 'ledger_closed' })).result.ledger_index;
    await settle(rig, from, pay(from.address, to.address, '5000000'));
    const balanceAt = async (ledger_index: number) =>
      (await rig.client.request({ command: 'account_info', account: to.address, ledger_index })).result.account_data
        .Balance;
    expect(await balanceAt(before)).toBe('1000000000');
    expect(await balanceAt(before + 1)).toBe('1005000000');
  });

  test('every payment into a ledger conserves XRP, less the burned fees', async () => {
    const [from, to] = await threeWallets(rig);
    const total = async () =>
      BigInt((await rig.client.request({ command: 'ledger', ledger_index: 'validated' })).result.ledger.total_coins);
    const before = await total();
    const { filled } = await settle(rig, from, pay(from.address, to.address, '12'));
    expect(before - (await total())).toBe(BigInt(filled.Fee ?? 0));
  });
});

test('account_lines pages by opaque markers until none is left, each line once', async () => {
  const [issuer, holder] = await threeWallets(rig);
  for (let i = 0; i < 40; i++) {
    const currency = `A${String(i).padStart(2, '0')}`;
    const { result } = await send(rig, holder, {
      TransactionType: 'TrustSet',
      Account: holder.address,
      LimitAmount: { currency, issuer: issuer.address, value: '1' },
    });
    expect(result).toBe('tesSUCCESS');
  }
  rig.ledger.accept();
  const seen: string[] = [];
  let marker: unknown;
  do {
    const { result } = await rig.client.request({
      command: 'account_lines',
      account: issuer.address,
      limit: 15,
      ledger_index: 'validated',
      ...(marker ? { marker } : {}),
    });
    seen.push(...result.lines.map((line) => line.currency));
    marker = result.marker;
  } while (marker !== undefined);
  expect(seen).toHaveLength(40);
  expect(new Set(seen).size).toBe(40);
});
