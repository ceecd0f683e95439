import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sha256Hex } from '@tranche/rules/sha256.ts';
import canonicalize from 'canonicalize';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Wallet } from 'xrpl';
import { openWorld, type Paid, reasonOf, refund, tokens, type World, XRP } from './world.ts';

/** Two sales on deposit accounts of their own, whose tokens one account distributes; the second sells to a list only. */

const SECOND = `proj_${'V'.repeat(22)}`;
const TAG = 78;
const deposit = Wallet.generate();
const lists = mkdtempSync(path.join(tmpdir(), 'witness-lists-'));
let world: World;
let canonical: string;
let list: string;
let first: Paid;
let second: Paid;
let stray: Paid;

beforeAll(async () => {
  world = await openWorld({ settings: { lists: [lists] } });
  const [ann] = world.investors as [Wallet];
  await world.fund(deposit, 1_000n * XRP);
  await world.putUnderCustody(deposit);
  canonical =
    canonicalize({
      ...(JSON.parse(world.canonical) as object),
      project: SECOND,
      deposit_address: deposit.address,
      destination_tag: TAG,
      access: 'allowlist',
      custody: { ...world.custody, from_ledger: await world.index },
    }) ?? '';
  for (const witness of world.witnesses) witness.approve(canonical);
  list = `${JSON.stringify({ wallet_address: ann.address, cap_xrp: null })}\n`;
  putList();
  const act = async (memo: object) => ({
    ...(await world.action({ move: 'list', project: SECOND, ...memo })),
    sequence: await world.sequenceOf(deposit.address),
  });
  await world.sendSigned(deposit.address, (await act({ list_hash: sha256Hex(list) })) as never);
  await world.sendSigned(deposit.address, (await act({ move: 'launch', terms_hash: sha256Hex(canonical) })) as never);
  first = await world.invest(ann, 2n * XRP);
  stray = await world.invest(ann, XRP, 500);
  const hash = await world.send(ann, {
    TransactionType: 'Payment',
    Destination: deposit.address,
    Amount: XRP.toString(),
    DestinationTag: TAG,
  });
  second = await world.validated(hash);
  // The distributor has paid for both: whoever cannot read the second sale must not blame it.
  const [ticket] = await world.createTickets(world.distributor.address, [tokens(second)]);
  await world.sendSigned(
    world.distributor.address,
    await world.payment(tokens(second), ticket as number),
    world.tokensFor(ann, 1_000n),
  );
});
afterAll(async () => {
  await world.close();
  rmSync(lists, { recursive: true });
});

const listFile = () => path.join(lists, `${sha256Hex(list)}.jsonl`);
const putList = () => writeFileSync(listFile(), list);

/** What a witness says to a ticket for each of the debts. */
async function answers(): Promise<Record<string, string>> {
  const ask = async (account: string, purpose: Parameters<World['ticketsFor']>[1][number]) =>
    reasonOf((await world.ask(0, account, [await world.ticketsFor(account, [purpose])]))[0]);
  const distributor = world.distributor.address;
  return {
    'refund of the first': await ask(world.deposit.address, refund(stray)),
    'tokens of the first': await ask(distributor, tokens(first)),
    'tokens of the second': await ask(distributor, tokens(second)),
    'refund of the second': await ask(deposit.address, refund(second)),
  };
}

const refusals = async () =>
  Object.fromEntries((await world.statusOf(0)).accounts.map(({ account, refuses }) => [account, refuses?.reason]));

async function begin(prepare: (folder: string) => void): Promise<() => Promise<void>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'witness-'));
  world.folders.push(folder);
  const before = world.witnesses[0] as World['witnesses'][number];
  const witness = await world.startWitness(0, { lists: [lists] }, folder);
  world.witnesses[0] = witness;
  witness.approve(world.canonical);
  prepare(folder);
  return async () => {
    await witness.stop();
    world.witnesses[0] = before;
  };
}

const approve = (folder: string, name: string, text: string): void => {
  mkdirSync(path.join(folder, 'approvals'), { recursive: true });
  writeFileSync(path.join(folder, 'approvals', `${name}.json`), text);
};
const approvalOf = (project: string, terms: string) =>
  JSON.stringify({ project, terms_hash: sha256Hex(terms), approved_at: new Date().toISOString(), canonical: terms });

it('an allowlist that is missing stops the sale’s account alone, until it is found', async () => {
  rmSync(listFile());
  const end = await begin((folder) => approve(folder, SECOND, approvalOf(SECOND, canonical)));
  try {
    expect(await answers()).toEqual({
      'refund of the first': 'signed',
      'tokens of the first': 'signed',
      'tokens of the second': 'inputs_missing',
      'refund of the second': 'inputs_missing',
    });
    expect(await refusals()).toEqual({
      [world.deposit.address]: undefined,
      [world.distributor.address]: undefined,
      [deposit.address]: 'inputs_missing',
    });
    putList();
    await vi.waitFor(async () => expect(await refusals()).toMatchObject({ [deposit.address]: undefined }), {
      timeout: 10_000,
      interval: 200,
    });
    expect(await answers()).toEqual({
      'refund of the first': 'signed',
      'tokens of the first': 'signed',
      'tokens of the second': 'paid',
      'refund of the second': 'not_owed',
    });
  } finally {
    await end();
  }
});

it('an approval that cannot be read, of unknown terms, or that sells on another’s tag, stops the accounts that it names and no others', async () => {
  const elsewhere = Wallet.generate().address;
  const parts = JSON.parse(canonical) as { custody: object };
  const apart = (over: object) => canonicalize({ ...parts, distributor: elsewhere, ...over }) ?? '';
  const damaged = approvalOf(SECOND, apart({})).slice(0, -40);
  const other = `proj_${'U'.repeat(22)}`;
  const cases: [reason: string, files: [string, string][]][] = [
    ['rules_unknown', [[SECOND, damaged]]],
    ['rules_unknown', [[SECOND, approvalOf(SECOND, apart({ v: 3 }))]]],
    ['rules_unknown', [[SECOND, approvalOf(SECOND, apart({ custody: undefined }))]]],
    [
      'sale_not_approved',
      [
        [SECOND, approvalOf(SECOND, apart({}))],
        [other, approvalOf(other, apart({ project: other }))],
      ],
    ],
  ];
  const end = await begin(() => undefined);
  try {
    const { folder } = (world.witnesses[0] as World['witnesses'][number]).witness;
    for (const [reason, files] of cases) {
      for (const [name, text] of files) approve(folder, name, text);
      const said = await answers();
      expect(said).toMatchObject({ 'refund of the first': 'signed', 'refund of the second': reason });
      expect(await refusals()).toMatchObject({
        [world.deposit.address]: undefined,
        [deposit.address]: reason,
        [elsewhere]: reason,
      });
      const { unreadable_approvals: named } = await world.statusOf(0);
      expect(named).toHaveLength(files.length);
    }
    approve(folder, SECOND, 'no JSON at all');
    rmSync(path.join(folder, 'approvals', `${other}.json`));
    expect(await answers()).toMatchObject({
      'refund of the first': 'signed',
      'refund of the second': 'account_not_served',
    });
    expect((await world.statusOf(0)).unreadable_approvals).toMatchObject([
      { file: `${SECOND}.json`, reason: 'rules_unknown' },
    ]);
  } finally {
    await end();
  }
});

it('an approved sale whose account is not on the ledger yet stops no other', async () => {
  const absent = Wallet.generate().address;
  const early = canonicalize({ ...(JSON.parse(canonical) as object), deposit_address: absent, distributor: absent });
  const end = await begin((folder) => approve(folder, SECOND, approvalOf(SECOND, early ?? '')));
  try {
    expect(await answers()).toMatchObject({
      'refund of the first': 'signed',
      'refund of the second': 'account_not_served',
    });
    expect(await refusals()).toMatchObject({ [absent]: 'custody_differs', [world.deposit.address]: undefined });
  } finally {
    await end();
  }
});
