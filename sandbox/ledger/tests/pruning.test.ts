import { decode } from 'ripple-binary-codec';
import { afterEach, expect, test } from 'vitest';
import { type AccountTxTransaction, Wallet } from 'xrpl';
import { fundedWallets, pay, type Rig, settle, startRig } from './support.ts';

let rig: Rig;
afterEach(() => rig.stop());

const DEPTH = 4;

test('ledgers beyond the stated depth are gone, as on a server with partial history', async () => {
  rig = await startRig({ historyLedgers: DEPTH });
  const [from] = await fundedWallets(rig, 1);
  const old = await settle(rig, from!, pay(from!.address, rig.genesis.address, '1'));
  const recent = await settle(rig, from!, pay(from!.address, rig.genesis.address, '2'));
  for (let i = 0; i < DEPTH - 1; i++) rig.ledger.accept();
  const first = recent.ledgerIndex;
  const { info } = (await rig.client.request({ command: 'server_info' })).result;
  expect(info.complete_ledgers).toBe(`${first}-${first + DEPTH - 1}`);
  for (const index of [1, old.ledgerIndex]) {
    await expect(rig.client.request({ command: 'ledger', ledger_index: index })).rejects.toMatchObject({
      data: { error: 'lgrNotFound' },
    });
  }
  await expect(
    rig.client.request({ command: 'tx', transaction: old.hash, min_ledger: old.ledgerIndex, max_ledger: first }),
  ).rejects.toMatchObject({ data: { error: 'txnNotFound', searched_all: false } });
  const history = { command: 'account_tx', account: from!.address, ledger_index_min: old.ledgerIndex } as const;
  await expect(rig.client.request({ ...history, api_version: 2 })).rejects.toMatchObject({
    data: { error: 'lgrIdxMalformed' },
  });
  const { result } = await rig.client.request({ ...history, api_version: 1 });
  expect(result.ledger_index_min).toBe(first);
  expect(result.transactions).toHaveLength(1);
  const balance = await rig.client.getXrpBalance(from!.address);
  expect(balance).toBeLessThan(1000);
});

test('written payments look like real ones in every way but their signature', async () => {
  rig = await startRig();
  const destination = Wallet.generate().address;
  const written = rig.ledger.writePayments({
    count: 250,
    destination,
    destinationTag: 77,
    amountDrops: 1_000_000n,
    senders: 10,
    perLedger: 100,
  });
  expect(written.lastLedgerIndex - written.firstLedgerIndex).toBe(2);
  const pages = await rig.client.requestAll({ command: 'account_tx', account: destination, api_version: 2 });
  const entries = pages.flatMap(({ result }) => result.transactions as AccountTxTransaction[]);
  expect(entries).toHaveLength(250);
  expect(new Set(entries.map(({ hash }) => hash)).size).toBe(250);
  const [entry] = entries;
  expect(entry).toMatchObject({
    validated: true,
    meta: { TransactionResult: 'tesSUCCESS', delivered_amount: '1000000' },
    tx_json: { TransactionType: 'Payment', Destination: destination, DestinationTag: 77, DeliverMax: '1000000' },
  });
  const { result } = await rig.client.request({ command: 'tx', transaction: entry!.hash!, binary: true });
  const blob = (result as unknown as { tx_blob: string }).tx_blob;
  expect(decode(blob)).toMatchObject({ Amount: '1000000', Destination: destination, DestinationTag: 77 });
  expect(await rig.client.getXrpBalance(destination)).toBe(250);
  const answer = await rig.client.request({
    command: 'sandbox_write_payments',
    count: 5,
    destination,
    amount: '1',
  } as never);
  expect(answer).toMatchObject({ result: { count: 5 } });
});
