import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { encodeActionMemo } from '@tranche/rules/action-memo.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SubmittableTransaction, Wallet } from 'xrpl';
import {
  combineSignatures,
  planCustody,
  prepare,
  setUpCustody,
  showStatus,
  signTransaction,
  submitTransaction,
  takeDown,
} from '#lib/custody/command.ts';
import { registerSecrets } from '#tests/support/secrets.ts';
import { type LedgerDesk, openDesk } from '../xrpl/desk.ts';

let desk: LedgerDesk;
let folder: string;
let closing: NodeJS.Timeout;
const file = (name: string): string => path.join(folder, name);

/** Keys that have no account on the ledger. */
const [platform, ada, ben, eve, zoe] = Array.from({ length: 5 }, () => Wallet.generate()) as [
  Wallet,
  Wallet,
  Wallet,
  Wallet,
  Wallet,
];
const SET = {
  quorum: 4,
  platform: { account: platform.address, weight: 2 },
  witnesses: [ada, ben, eve].map(({ address }, index) => ({
    account: address,
    weight: 1,
    name: `w${index + 1}`,
    operator: `Operator ${index + 1}`,
  })),
  ledgers_to_live: 20,
};

function keyFile(wallet: Wallet, mode = 0o600): string {
  const name = file(`${wallet.address}-${mode}.seed`);
  writeFileSync(name, `${wallet.seed}\n`, { mode });
  return name;
}

function terminal(answer: (question: string) => boolean = () => true) {
  const out: string[] = [];
  const err: string[] = [];
  return {
    out,
    err,
    say: { out: (text: string) => void out.push(text), err: (text: string) => void err.push(text) },
    confirm: async (question: string) => answer(question),
    get text() {
      return [...out, ...err].join('\n');
    },
  };
}

const onLedger = () => ({ ledger: [desk.ledger.wsUrl], pollMs: 20 });
const guided = (wallets: readonly Wallet[], keys: readonly Wallet[]) => ({
  ...onLedger(),
  accounts: wallets.map(({ address }) => address),
  custody: file('custody.json'),
  keyFile: keys.map((key) => keyFile(key)),
  folder,
  wait: 1,
});
const plan = (...wallets: Wallet[]) => ({
  ...onLedger(),
  accounts: wallets.map(({ address }) => address),
  custody: file('custody.json'),
});

const SIGNERS = [platform, ada, ben, eve];

async function root(address: string) {
  const { result } = await desk.client.request({ command: 'account_info', account: address, signer_lists: true });
  return result;
}

/** Signs a file by keys, as people do on machines of their own; gives the files that they send back. */
async function signEach(transaction: string, keys: readonly Wallet[]): Promise<string[]> {
  return Promise.all(
    keys.map(async (key) => {
      const signed = terminal();
      expect(await signTransaction({ transaction, keyFile: keyFile(key) }, signed)).toBe(0);
      const name = file(`signed-${key.address}.json`);
      writeFileSync(name, signed.out.join('\n'));
      return name;
    }),
  );
}

async function combineAndSend(files: string[]): Promise<void> {
  const combined = terminal();
  expect(await combineSignatures({ ...onLedger(), files }, combined)).toBe(0);
  writeFileSync(file('combined.json'), combined.out.join('\n'));
  expect(await submitTransaction({ ...onLedger(), transaction: file('combined.json') }, terminal())).toBe(0);
}

beforeAll(async () => {
  desk = await openDesk();
  folder = mkdtempSync(path.join(tmpdir(), 'tranche-custody-'));
  registerSecrets(...[platform, ada, ben, eve, zoe].map(({ seed }) => seed));
  writeFileSync(file('custody.json'), JSON.stringify(SET));
  closing = setInterval(() => desk.close(), 25);
});
afterAll(async () => {
  clearInterval(closing);
  rmSync(folder, { recursive: true });
  await desk.end();
});

const setUp = async (...wallets: Wallet[]): Promise<void> => {
  expect(await setUpCustody(guided(wallets, [...wallets, ...SIGNERS]), terminal())).toBe(0);
};

test('two accounts of one key come under custody, the master key last and after every key has signed', async () => {
  const [deposit, distributor] = (await desk.accounts(2)) as [Wallet, Wallet];
  await desk.send(deposit, { TransactionType: 'SetRegularKey', Account: deposit.address, RegularKey: zoe.address });
  const before = terminal();
  expect(await planCustody(plan(deposit, distributor), before)).toBe(1);
  expect(before.text).toContain('The platform and 2 witnesses together can do anything');
  expect(before.text).toContain('1 witness may be away');
  await setUp(deposit, distributor);
  for (const { address } of [deposit, distributor]) {
    const { result } = await desk.client.request({ command: 'account_tx', account: address, forward: true });
    const own = result.transactions
      .map(({ tx_json: transaction }) => transaction)
      .filter((transaction) => transaction?.Account === address && transaction.TransactionType !== 'Payment');
    const told = own.map((transaction) => [
      transaction?.TransactionType,
      transaction !== undefined && 'SetFlag' in transaction ? transaction.SetFlag : undefined,
      transaction?.Signers?.length ?? 0,
    ]);
    const removal = address === deposit.address ? [['SetRegularKey', undefined, 0]] : [];
    expect(told).toEqual([
      ...removal,
      ['SignerListSet', undefined, 0],
      ['AccountSet', undefined, 4],
      ...removal,
      ['AccountSet', 4, 0],
    ]);
    const { account_data: account } = await root(address);
    expect(account.RegularKey).toBeUndefined();
    expect(account.Flags & 0x0010_0000).not.toBe(0);
  }
  expect(await planCustody(plan(deposit, distributor), terminal())).toBe(0);
  expect(await showStatus(plan(deposit, distributor), terminal())).toBe(0);
  await expect(desk.send(deposit, { TransactionType: 'AccountSet', Account: deposit.address })).rejects.toThrow(
    'tefMASTER_DISABLED',
  );
  const again = terminal(() => false);
  expect(await setUpCustody(guided([deposit, distributor], []), again)).toBe(0);
});

test('setup stops at any question and goes on from where the ledger is', async () => {
  const [account] = (await desk.accounts(1)) as [Wallet];
  expect(
    await setUpCustody(
      guided([account], [account]),
      terminal(() => false),
    ),
  ).toBe(1);
  expect((await root(account.address)).signer_lists).toEqual([]);
  const first = terminal();
  expect(await setUpCustody(guided([account], [account]), first)).toBe(1);
  expect(first.text).toContain('Stopped until the signers have signed');
  const rehearsal = file(`rehearsal-${account.address}.json`);
  const kept = readFileSync(rehearsal, 'utf8');
  expect(await setUpCustody(guided([account], [account]), terminal())).toBe(1);
  expect(readFileSync(rehearsal, 'utf8')).toBe(kept);

  // Three of four keys are a quorum, and yet prove nothing about the fourth.
  await combineAndSend(await signEach(rehearsal, [platform, ada, ben]));
  const open = terminal();
  expect(await setUpCustody(guided([account], [account]), open)).toBe(1);
  expect((await root(account.address)).account_data.Flags & 0x0010_0000).toBe(0);
  await combineAndSend(await signEach(rehearsal, SIGNERS));
  expect(await setUpCustody(guided([account], [account]), terminal())).toBe(0);
});

test('without a seed file setup waits until the account’s own wallet has sent the transaction', async () => {
  const [account] = (await desk.accounts(1)) as [Wallet];
  const asked = terminal();
  const waiting = setUpCustody({ ...guided([account], SIGNERS), wait: 20 }, asked);
  let sent = 0;
  const wallet = setInterval(() => {
    const next = asked.out[sent];
    if (next === undefined) return;
    sent += 1;
    const transaction = JSON.parse(next) as SubmittableTransaction;
    // The rehearsal is complete, and its signers are here.
    if (!('Sequence' in transaction)) void desk.send(account, transaction);
  }, 10);
  expect(await waiting).toBe(0);
  clearInterval(wallet);
  expect(asked.text).toContain('Sign and send this by the wallet of');
});

test('an account with something by which money leaves without the quorum is refused, and told how to end it', async () => {
  const [account, other] = (await desk.accounts(2)) as [Wallet, Wallet];
  const Account = account.address;
  await desk.write(
    [account, { TransactionType: 'CheckCreate', Account, Destination: other.address, SendMax: '1000000' }],
    [
      account,
      {
        TransactionType: 'DelegateSet',
        Account,
        Authorize: other.address,
        Permissions: [{ Permission: { PermissionValue: 'Payment' } }],
      },
    ],
    [other, { TransactionType: 'CheckCreate', Account: other.address, Destination: Account, SendMax: '1000000' }],
  );
  const shown = terminal();
  expect(await setUpCustody(guided([account], [account, ...SIGNERS]), shown)).toBe(1);
  expect(shown.text).toContain('end it by CheckCancel');
  expect(shown.text).toContain('end it by DelegateSet without Permissions');
  expect(shown.text.match(/end it by/g)).toHaveLength(2);
  expect((await root(Account)).signer_lists).toEqual([]);
});

test('a trust line lets no payment of others ripple through before the account is under custody', async () => {
  const [account, issuer, other] = (await desk.accounts(3)) as [Wallet, Wallet, Wallet];
  const Account = account.address;
  const limit = (of: Wallet, value = '1000') => ({ currency: 'TOK', issuer: of.address, value });
  await desk.write(
    [account, { TransactionType: 'TrustSet', Account, LimitAmount: limit(issuer) }],
    [account, { TransactionType: 'TrustSet', Account, LimitAmount: limit(other, '77') }],
    // What somebody else opens towards the account is closed to rippling by itself.
    [
      other,
      { TransactionType: 'TrustSet', Account: other.address, LimitAmount: { ...limit(account), currency: 'ABC' } },
    ],
  );
  await setUp(account);
  const { result } = await desk.client.request({ command: 'account_lines', account: Account });
  expect(result.lines.map(({ no_ripple: closed, limit: own }) => [closed, own]).toSorted()).toEqual([
    [true, '0'],
    [true, '1000'],
    [true, '77'],
  ]);
});

test.each([
  ['lets the platform sign alone', { platform: { ...SET.platform, weight: 4 } }],
  ['lets the witnesses sign without the platform', { quorum: 3 }],
  ['lets nothing be paid while w1 is away', { quorum: 5 }],
])('a signer set that %s is refused', async (reason, change) => {
  const [account] = (await desk.accounts(1)) as [Wallet];
  writeFileSync(file('bad.json'), JSON.stringify({ ...SET, ...change }));
  const options = { ...guided([account], [account]), custody: file('bad.json') };
  await expect(setUpCustody(options, terminal())).rejects.toThrow(reason);
  await expect(planCustody(options, terminal())).rejects.toThrow(reason);
});

test('a key that others may read signs nothing', async () => {
  const [account] = (await desk.accounts(1)) as [Wallet];
  const options = { ...guided([account], []), keyFile: [keyFile(account, 0o644)] };
  await expect(setUpCustody(options, terminal())).rejects.toThrow('Others may read');
});

test('a withdrawal is signed by hand: no fewer than a quorum, and no other transaction', async () => {
  const [account, receiver] = (await desk.accounts(2)) as [Wallet, Wallet];
  await setUp(account);
  const draft = file('withdrawal.draft.json');
  const payment = {
    TransactionType: 'Payment',
    Account: account.address,
    Destination: receiver.address,
    Amount: '5000000',
  };
  writeFileSync(draft, JSON.stringify(payment));
  const options = { ...onLedger(), transaction: draft, signatures: 3, validFor: 2_000 };
  const prepared = terminal();
  await prepare(options, prepared);
  const withdrawal = file('withdrawal.json');
  writeFileSync(withdrawal, prepared.out.join('\n'));

  const shown = terminal(() => false);
  expect(await signTransaction({ transaction: withdrawal, keyFile: keyFile(ada) }, shown)).toBe(1);
  expect(shown.text).toContain(`Pays 5.000000 XRP to ${receiver.address}.`);
  expect(shown.out).toEqual([]);

  const combining = async (files: string[]) => combineSignatures({ ...onLedger(), files }, terminal());
  await expect(combining(await signEach(withdrawal, [platform, ada]))).rejects.toThrow('weigh 3 of 4');
  await expect(combining(await signEach(withdrawal, [ada, ben, eve]))).rejects.toThrow('weigh 3 of 4');
  await expect(combining(await signEach(withdrawal, [platform, ada, zoe]))).rejects.toThrow('not on the account');
  await expect(combining(await signEach(withdrawal, SIGNERS))).rejects.toThrow('--signatures 4');
  const three = await signEach(withdrawal, [platform, ada, eve]);
  const other = file('other.json');
  writeFileSync(other, readFileSync(three[2] ?? '', 'utf8').replace('5000000', '6000000'));
  await expect(combining([...three.slice(0, 2), other])).rejects.toThrow('not of one transaction');
  await expect(combining([other])).rejects.toThrow('is not valid for this transaction');

  const before = BigInt((await root(receiver.address)).account_data.Balance);
  await combineAndSend(three);
  expect(BigInt((await root(receiver.address)).account_data.Balance) - before).toBe(5_000_000n);
  await expect(combining(three)).rejects.toThrow('prepare it again');
});

/** The signer set with another key of the last witness, as its operators write it. */
function written(account: string): string {
  const witnesses = SET.witnesses.map((each, index) => (index === 2 ? { ...each, account, name: 'w9' } : each));
  writeFileSync(file('custody.next.json'), JSON.stringify({ ...SET, witnesses }));
  return file('custody.next.json');
}

test('a key is replaced only by one that somebody has, and without the one that is lost', async () => {
  const [deposit] = (await desk.accounts(1)) as [Wallet];
  await setUp(deposit);
  const next = (keys: readonly Wallet[], account = zoe.address) => ({
    ...guided([deposit], keys),
    custody: written(account),
  });
  await expect(setUpCustody(next([], deposit.address), terminal())).rejects.toThrow('is a paying account');
  await expect(setUpCustody(next([], ada.address), terminal())).rejects.toThrow('names a key twice');
  const told = terminal();
  expect(await setUpCustody(next([platform, ada, ben]), told), 'without the new key').toBe(1);
  expect(told.text).toContain(`${zoe.address}, in any case`);
  const replacement = file(`signer_list-${deposit.address}.json`);
  const unproven = await signEach(replacement, [platform, ada, ben]);
  await expect(combineSignatures({ ...onLedger(), files: unproven }, terminal())).rejects.toThrow(
    'who has not signed it',
  );
  await combineAndSend([...unproven, ...(await signEach(replacement, [zoe]))]);

  const after = next([platform, ada, ben, zoe]);
  const status = terminal();
  expect(await showStatus(after, status)).toBe(1);
  expect(status.text).toContain('every key of the list signed');
  expect(await setUpCustody(after, terminal())).toBe(0);
  expect(await showStatus(after, terminal())).toBe(0);
  // The key of the first witness is lost: the others at hand are enough.
  const back = { ...guided([deposit], [platform, ben, zoe, eve]), custody: file('custody.json') };
  const rehearsing = terminal();
  expect(await setUpCustody(back, rehearsing)).toBe(1);
  expect((await root(deposit.address)).signer_lists?.[0]?.SignerEntries).toContainEqual({
    SignerEntry: { Account: eve.address, SignerWeight: 1 },
  });
});

test('while the ledger shows a launched sale, signers change only when its platform says that it is finished', async () => {
  const [deposit] = (await desk.accounts(1)) as [Wallet];
  const memo = encodeActionMemo({
    v: 1,
    project: `proj_${'A'.repeat(22)}`,
    move: 'launch',
    terms_hash: 'a'.repeat(64),
  });
  await desk.send(deposit, { TransactionType: 'AccountSet', Account: deposit.address, Memos: [memo] });
  await setUp(deposit);
  const replacing = terminal();
  const next = { ...guided([deposit], [...SIGNERS, zoe]), custody: written(zoe.address) };
  expect(await setUpCustody(next, replacing)).toBe(1);
  expect(replacing.text).toContain('proj_AAAAAAAAAAAAAAAAAAAAAA');
  expect(replacing.text).toContain('--base-url');
  const down = terminal();
  expect(await takeDown(guided([deposit], [deposit, ...SIGNERS]), down)).toBe(1);
  expect((await root(deposit.address)).signer_lists).toHaveLength(1);
});

test('custody is taken down by the signers and the master key, in this order', async () => {
  const [account] = (await desk.accounts(1)) as [Wallet];
  await setUp(account);
  const alone = terminal();
  expect(await takeDown(guided([account], [account]), alone)).toBe(1);
  expect(alone.text).toContain('Enables the master key');
  expect(await takeDown(guided([account], [account, ...SIGNERS]), terminal())).toBe(0);
  const { account_data: data, signer_lists: lists } = await root(account.address);
  expect([data.Flags & 0x0010_0000, lists]).toEqual([0, []]);
});

test('the command line leads through the same, by yes on standard input, and takes no seed', async () => {
  const [account] = (await desk.accounts(1)) as [Wallet];
  const run = (args: string[], input: string) =>
    new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
      const child = execFile(
        process.execPath,
        [path.resolve('lib/cli/tranche.cjs'), 'custody', ...args],
        {
          cwd: folder,
          env: { PATH: process.env.PATH, NODE_ENV: 'test', NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
        },
        (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }),
      );
      child.stdin?.end(input);
    });
  const common = ['--accounts', account.address, '--ledger', desk.ledger.wsUrl];
  const keys = [account, ...SIGNERS].flatMap((key) => ['--key-file', keyFile(key)]);
  const done = await run(['setup', ...common, ...keys], 'yes\nyes\nyes\n');
  expect(done).toMatchObject({ code: 0, stderr: expect.stringContaining('under custody') });
  expect(await run(['status', ...common], '')).toMatchObject({ code: 0, stdout: expect.stringContaining('quorum 4') });
  const refused = await run(['setup', ...common, '--key-file', ada.seed ?? ''], '');
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('contains a seed') });
}, 60_000);
