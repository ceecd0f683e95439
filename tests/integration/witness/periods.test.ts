import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sha256Hex } from '@tranche/rules/sha256.ts';
import { approve, revoke } from '@tranche/witness/commands.ts';
import canonicalize from 'canonicalize';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Wallet } from 'xrpl';
import { openWorld, type Paid, reasonOf, refund, tokens, type World, XRP } from './world.ts';

/** A thief and a careless operator try to begin a custody period before everything of the one before is paid. */

const SECOND = `proj_${'V'.repeat(22)}`;
const THIRD = `proj_${'U'.repeat(22)}`;
const silent = { out: () => {}, err: () => {}, confirm: async () => true };
let world: World;
let ann: Wallet;
let bought: Paid;
/** In the middle of the sale: it is launched, and nothing is bought yet. */
let middle: number;

beforeAll(async () => {
  world = await openWorld();
  [ann] = world.investors as [Wallet];
  middle = await world.index;
  bought = await world.invest(ann, 5n * XRP);
});
afterAll(() => world.close());

const later = (from_ledger: number, over: object = {}): string =>
  canonicalize({
    ...(JSON.parse(world.canonical) as object),
    project: SECOND,
    destination_tag: 78,
    custody: { ...world.custody, from_ledger },
    ...over,
  }) ?? '';

/** The first witness's operator is asked to approve; gives the exit code and what was said. */
async function asked(canonical: string): Promise<{ code: number; text: string }> {
  const folder = world.folderOf(0);
  const config = path.join(folder, 'witness.json');
  writeFileSync(config, JSON.stringify(world.witnesses[0]?.witness.config));
  writeFileSync(path.join(folder, 'witness.key'), world.keys[0]?.seed ?? '', { mode: 0o600 });
  const termsFile = path.join(folder, 'terms.json');
  writeFileSync(termsFile, canonical);
  const said: string[] = [];
  const say = (text: string): void => void said.push(text);
  const ask = { config, project: SECOND, termsHash: sha256Hex(canonical), termsFile, yes: true };
  const code = await approve(ask, { out: say, err: say, confirm: async () => true });
  return { code, text: said.join('\n') };
}
const answersTo = async (account: string, candidate: unknown): Promise<string[]> =>
  Promise.all([0, 1, 2].map(async (index) => reasonOf((await world.ask(index, account, [candidate]))[0])));

it('no terms of a later period are approved while anything of the approved one is open, or cannot be read, wherever they begin', async () => {
  const open = await asked(later(await world.index));
  expect(open.code).toBe(1);
  expect(open.text).toContain(`${world.projectId} is active`);
  expect(open.text).toContain(`the distribution, part 1, of the payment ${bought.hash} is not paid`);
  expect(await asked(later(middle))).toMatchObject({ code: 1, text: expect.stringContaining('is active') });
  expect(await asked(later((await world.index) + 1_000))).toMatchObject({
    code: 1,
    text: expect.stringContaining('is not validated yet'),
  });
  expect(await asked(later(world.custody.from_ledger - 1))).toMatchObject({
    code: 1,
    text: expect.stringContaining('is approved of a later custody period'),
  });
  const withSameTag = later(await world.index, { destination_tag: 77 });
  expect(await asked(withSameTag)).toMatchObject({ code: 1, text: expect.stringContaining('has the same tag') });
  const damaged = path.join(world.folderOf(0), 'approvals', `${world.projectId}.json`);
  const approval = readFileSync(damaged, 'utf8');
  for (const text of [approval.replace('"terms_hash"', '"hash"'), 'nothing']) {
    writeFileSync(damaged, text);
    expect(await asked(later(await world.index))).toMatchObject({ code: 1, text: expect.stringContaining('restore') });
  }
  writeFileSync(damaged, approval);
  // Nothing was written: after a restart it signs as before.
  const folder = world.folderOf(0);
  await world.witnesses[0]?.stop();
  world.witnesses[0] = await world.startWitness(0, {}, folder);
  const owed = await world.ticketsFor(world.distributor.classicAddress, [tokens(bought)]);
  expect(await answersTo(world.distributor.classicAddress, owed)).toEqual(['signed', 'signed', 'signed']);
});

it('one operator who approves them all the same has one witness sign a refund of what is invested, and no other does', async () => {
  const [deposit, distributor] = [world.deposit.classicAddress, world.distributor.classicAddress];
  world.witnesses[0]?.approve(later(middle));
  const whole = await world.ticketsFor(deposit, [refund(bought)]);
  expect(await answersTo(deposit, whole)).toEqual(['signed', 'not_owed', 'not_owed']);
  const owed = await world.ticketsFor(distributor, [tokens(bought)]);
  expect(await answersTo(distributor, owed)).toEqual(['not_owed', 'signed', 'signed']);
  const config = path.join(world.folderOf(0), 'witness.json');
  await revoke({ config, project: SECOND, yes: false }, silent);
  expect(await answersTo(distributor, await world.ticketsFor(distributor, [tokens(bought)]))).toEqual([
    'signed',
    'signed',
    'signed',
  ]);
});

it('once all is over, paid and released they are approved from there on, and still not from the middle of the sale', async () => {
  const [deposit, distributor] = [world.deposit.classicAddress, world.distributor.classicAddress];
  const [ticket] = await world.createTickets(distributor, [tokens(bought)]);
  await world.sendSigned(distributor, await world.payment(tokens(bought), ticket ?? 0), world.tokensFor(ann, 5_000n));
  await world.sendSigned(deposit, await world.action({ move: 'end' }));
  expect(await asked(later(await world.index))).toMatchObject({
    code: 1,
    text: expect.stringContaining('5.000000 XRP that were not released'),
  });
  const [out] = await world.createTickets(deposit, [{ kind: 'release', projectId: world.projectId }]);
  await world.sendSigned(
    deposit,
    await world.release(0n, 5n * XRP, out ?? 0),
    world.refundOf(world.treasury, 5n * XRP),
  );
  expect(await asked(later(middle))).toMatchObject({ code: 1, text: expect.stringContaining('is active') });
  // Another sale of the same period: a draft as long as nobody launches it, which then would be forgotten.
  const between = await world.index;
  const third = canonicalize({ ...(JSON.parse(world.canonical) as object), project: THIRD, destination_tag: 79 }) ?? '';
  for (const { approve: approveNow } of world.witnesses) approveNow(third);
  expect(await asked(later(between))).toMatchObject({ code: 0 });
  await revoke({ config: path.join(world.folderOf(0), 'witness.json'), project: SECOND, yes: false }, silent);
  const launch = { move: 'launch', project: THIRD, terms_hash: sha256Hex(third) } as const;
  await world.sendSigned(deposit, await world.action(launch));
  expect(await asked(later(between))).toMatchObject({
    code: 1,
    text: expect.stringContaining(`${THIRD} was still to be launched`),
  });
  await world.sendSigned(deposit, await world.action({ move: 'end', project: THIRD }));
  const { code, text } = await asked(later(await world.index));
  expect(code, text).toBe(0);
});
