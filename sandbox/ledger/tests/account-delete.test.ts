import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AccountDelete, SubmittableTransaction, Wallet } from 'xrpl';
import { type Rig, send, settle, startRig, threeWallets } from './support.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.stop());

/** An account may be deleted 256 ledgers after its last sequence. */
function growOld(): void {
  for (let i = 0; i < 256; i++) rig.ledger.accept();
}

const leave = (account: Wallet, to: Wallet): AccountDelete => ({
  TransactionType: 'AccountDelete',
  Account: account.address,
  Destination: to.address,
});
/** Asks the ledger itself: xrpl.js does not even sign for an account that has obligations. */
async function tryToLeave(account: Wallet, to: Wallet): Promise<string> {
  const { result } = await rig.client.request({ command: 'account_info', account: account.address });
  const { Sequence } = result.account_data;
  const { tx_blob } = account.sign({ ...leave(account, to), Fee: '200000', Sequence });
  return (await rig.client.request({ command: 'submit', tx_blob })).result.engine_result;
}

const check = (from: Wallet, to: Wallet): SubmittableTransaction => ({
  TransactionType: 'CheckCreate',
  Account: from.address,
  Destination: to.address,
  SendMax: '1000',
});
const channel = (from: Wallet, to: Wallet): SubmittableTransaction => ({
  TransactionType: 'PaymentChannelCreate',
  Account: from.address,
  Destination: to.address,
  Amount: '1000',
  SettleDelay: 1,
  PublicKey: from.publicKey,
});

test('a check or channel ties its owner and its receiver, until it is gone', async () => {
  for (const make of [check, channel]) {
    const [owner, receiver, heir] = await threeWallets(rig);
    const { meta } = await settle(rig, owner, make(owner, receiver));
    growOld();
    for (const tied of [owner, receiver]) {
      expect(await tryToLeave(tied, heir)).toBe('tecHAS_OBLIGATIONS');
      rig.ledger.accept();
    }
    const made = meta.AffectedNodes.flatMap((node) =>
      'CreatedNode' in node && node.CreatedNode.LedgerEntryType !== 'DirectoryNode' ? [node.CreatedNode] : [],
    );
    const id = made[0]?.LedgerIndex ?? '';
    await settle(
      rig,
      receiver,
      make === check
        ? { TransactionType: 'CheckCancel', Account: receiver.address, CheckID: id }
        : { TransactionType: 'PaymentChannelClaim', Account: receiver.address, Channel: id, Flags: 0x00020000 },
    );
    growOld();
    for (const free of [owner, receiver]) {
      const left = await settle(rig, free, leave(free, heir));
      expect(left.meta.TransactionResult).toBe('tesSUCCESS');
      const gone = rig.client.request({ command: 'account_info', account: free.address });
      await expect(gone).rejects.toThrow('Account not found.');
      // The directory that checks and channels leave behind goes with its account.
      const directory = rig.client.request({ command: 'ledger_entry', directory: { owner: free.address } });
      await expect(directory).rejects.toThrow('Entry not found.');
    }
  }
});

test('what a deleted account leaves lets its receiver change its regular key once more for nothing', async () => {
  const [leaver, receiver] = await threeWallets(rig);
  const free: SubmittableTransaction = { TransactionType: 'SetRegularKey', Account: receiver.address, Fee: '0' };
  await settle(rig, receiver, { ...free, RegularKey: rig.genesis.address });
  expect((await send(rig, receiver, free)).result).toBe('telINSUF_FEE_P');
  growOld();
  const { meta } = await settle(rig, leaver, leave(leaver, receiver));
  expect(meta.delivered_amount).toBe(String(1_000_000_000 - 200_000));
  expect((await send(rig, receiver, free)).result).toBe('tesSUCCESS');
});
