import { afterEach, expect, test } from 'vitest';
import { Wallet } from 'xrpl';
import { fundedWallets, type Rig, startRig } from './support.ts';

let rig: Rig;
afterEach(() => rig.stop());

const write = (transactions: readonly object[]) =>
  rig.client.request({ command: 'sandbox_write_transactions', transactions, per_ledger: 2 } as never);

test('written transactions are applied like any other, and say where they stand', async () => {
  rig = await startRig();
  const [from] = await fundedWallets(rig, 1);
  const payment = {
    TransactionType: 'Payment',
    Account: from?.address,
    SigningPubKey: from?.publicKey,
    Destination: Wallet.generate().address,
    Amount: '20000000',
  };
  const { result } = (await write([payment, payment, payment])) as unknown as {
    result: { transactions: { hash: string; ledger_index: number }[] };
  };
  const [first, second, third] = result.transactions;
  expect(second?.ledger_index).toBe(first?.ledger_index);
  expect(third?.ledger_index).toBe((first?.ledger_index ?? 0) + 1);
  const shown = await rig.client.request({ command: 'tx', transaction: third?.hash ?? '' });
  expect(shown.result).toMatchObject({ validated: true, ledger_index: third?.ledger_index });
  expect(await rig.client.getXrpBalance(payment.Destination)).toBe(60);
  await expect(write([{ ...payment, Amount: '99999999999999' }])).rejects.toThrow();
  await expect(write([{ Account: from?.address }])).rejects.toMatchObject({ data: { error: 'invalidParams' } });
});
