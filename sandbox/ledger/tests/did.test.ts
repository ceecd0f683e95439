import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SubmittableTransaction } from 'xrpl';
import { fundedWallets, type Rig, send, settle, startRig } from './support.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.stop());

const B64 = 'AB'.repeat(256);

test('an identifier is set, changed part by part, never left empty, and deleted', async () => {
  const [wallet] = await fundedWallets(rig, 1);
  if (!wallet) throw new Error('a wallet was asked for');
  const { address: Account } = wallet;
  const set = (parts: object): SubmittableTransaction => ({ TransactionType: 'DIDSet', Account, ...parts }) as never;
  const shown = async () =>
    (await rig.client.request({ command: 'ledger_entry', did: Account, ledger_index: 'validated' } as never)) as {
      result: { node: object };
    };
  const count = async () =>
    (await rig.client.request({ command: 'account_info', account: Account })).result.account_data.OwnerCount;

  await settle(rig, wallet, set({ URI: 'AB', Data: B64 }));
  expect((await shown()).result.node).toMatchObject({ LedgerEntryType: 'DID', Account, URI: 'AB', Data: B64 });
  expect(await count()).toBe(1);
  await settle(rig, wallet, set({ URI: '', DIDDocument: 'CD' }));
  expect((await shown()).result.node).not.toHaveProperty('URI');
  const emptied = await settle(rig, wallet, set({ Data: '', DIDDocument: '' }));
  expect(emptied.meta.TransactionResult).toBe('tecEMPTY_DID');
  expect((await shown()).result.node).toMatchObject({ DIDDocument: 'CD', Data: B64 });

  const refused = async (parts: object) => (await send(rig, wallet, set(parts))).result;
  expect(await refused({ URI: `${B64}AB` })).toBe('temMALFORMED');

  await settle(rig, wallet, { TransactionType: 'DIDDelete', Account });
  expect(await count()).toBe(0);
  const again = await settle(rig, wallet, { TransactionType: 'DIDDelete', Account });
  expect(again.meta.TransactionResult).toBe('tecNO_ENTRY');
});
