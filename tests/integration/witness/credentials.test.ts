import { REFUND_SOURCE_TAG } from '@tranche/rules/types.ts';
import type { Candidate } from '@tranche/witness/protocol.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Wallet } from 'xrpl';
import { type Liar, openLiar } from '#tests/faults/custody/liar.ts';
import { openWorld, type Paid, reasonOf, refund, tokens, type World, XRP } from './world.ts';

const KYC = '4B5943';
const attester = Wallet.generate();

let world: World;
let liar: Liar;
beforeAll(async () => {
  const credential = { credential_type: KYC, issuers: [attester.classicAddress] };
  const tier = {
    tier: 1,
    price_per_token: '0.10',
    total_tokens: '10000.00',
    access: 'open',
    starts_at: null,
    credential,
  };
  world = await openWorld({ terms: { v: 2, tiers: [tier] }, investors: 5 });
  await world.fund(attester, 1_000n * XRP);
  liar = await openLiar(world.second.wsUrl);
  await world.witnesses[0]?.stop();
  const settings = { ledger: [world.ledger.wsUrl, liar.wsUrl] };
  world.witnesses[0] = await world.startWitness(0, settings);
  world.witnesses[0].approve(world.canonical);
});
afterAll(async () => {
  await world?.close();
  liar?.close();
});

async function attest(subject: Wallet): Promise<void> {
  await world.send(attester, {
    TransactionType: 'CredentialCreate',
    Subject: subject.classicAddress,
    CredentialType: KYC,
  });
  await world.send(subject, {
    TransactionType: 'CredentialAccept',
    Issuer: attester.classicAddress,
    CredentialType: KYC,
  });
}

/** What each witness answers to tickets for the tokens of a payment, and for its refund. */
async function answersFor(paid: Paid, index: number): Promise<Record<'tokens' | 'refund', string>> {
  const [deposit, distributor] = [world.deposit.classicAddress, world.distributor.classicAddress];
  const ask = async (account: string, candidate: Candidate) =>
    reasonOf((await world.ask(index, account, [candidate]))[0]);
  return {
    tokens: await ask(distributor, await world.ticketsFor(distributor, [tokens(paid)])),
    refund: await ask(deposit, await world.ticketsFor(deposit, [refund(paid)])),
  };
}

const OWES_TOKENS = { tokens: 'signed', refund: 'not_owed' };
const OWES_REFUND = { tokens: 'not_owed', refund: 'signed' };

describe('a sale under custody whose tier requires a credential', () => {
  it('has tokens signed for who held it in the ledger before the payment, and a refund for all others', async () => {
    const [holder, outsider] = world.investors as [Wallet, Wallet];
    const early = await world.invest(holder, 2n * XRP);
    await attest(holder);
    const bought = await world.invest(holder, 5n * XRP);
    const refused = await world.invest(outsider, 3n * XRP);
    for (const index of [0, 1, 2]) {
      expect(await answersFor(bought, index)).toEqual(OWES_TOKENS);
      expect(await answersFor(refused, index)).toEqual(OWES_REFUND);
      expect(await answersFor(early, index), 'it came later').toEqual(OWES_REFUND);
    }
    const distributor = world.distributor.classicAddress;
    const [ticket] = await world.createTickets(distributor, [tokens(bought)]);
    await world.sendSigned(distributor, await world.payment(tokens(bought), ticket!), world.tokensFor(holder, 5_000n));
  });

  it('believes nothing that the request says of a credential', async () => {
    const outsider = world.investors[1]!;
    const paid = await world.invest(outsider, 3n * XRP);
    const distributor = world.distributor.classicAddress;
    const credentials = [{ subject: outsider.classicAddress, issuer: attester.classicAddress, accepted: true }];
    const create = await world.ticketsFor(distributor, [tokens(paid)]);
    const answers = await world.ask(1, distributor, [{ ...create, credentials }, create]);
    expect(answers.map(reasonOf)).toEqual(['malformed', 'not_owed']);
  });

  it.each([
    ['held', 'servers_disagree'],
    ['untold', 'inputs_missing'],
    ['busy', 'catching_up'],
    ['elsewhere', 'catching_up'],
    ['silent', 'catching_up'],
  ] as const)(
    'is not signed for while one of the servers says %s, and by no other witness otherwise',
    async (says, reason) => {
      const outsider = world.investors[2]!;
      liar.forgeCredentials({ subject: outsider.classicAddress, says });
      const paid = await world.invest(outsider, 4n * XRP);
      expect(await answersFor(paid, 0)).toEqual({ tokens: reason, refund: reason });
      expect(await answersFor(paid, 1)).toEqual(OWES_REFUND);
      liar.forgeCredentials(null);
      await vi.waitFor(async () => expect(await answersFor(paid, 0)).toEqual(OWES_REFUND), { timeout: 30_000 });
    },
    60_000,
  );

  it('credits a held payment only to a wallet that holds it before the action', async () => {
    const wallet = world.investors[3]!;
    const deposit = world.deposit.classicAddress;
    const held = await world.invest(wallet, 6n * XRP, REFUND_SOURCE_TAG);
    const [ticket] = await world.createTickets(deposit, [refund(held)]);
    const assign = () => world.action({ move: 'assign', payment: held.hash }, ticket);
    const refused = await world.ask(0, deposit, [await assign()]);
    expect(refused).toMatchObject([{ refused: { reason: 'not_possible_now' } }]);
    await attest(wallet);
    await world.sendSigned(deposit, await assign());
    expect(await answersFor(held, 2)).toMatchObject({ tokens: 'signed' });
  });

  it('is derived alike by a witness that begins anew', async () => {
    const wallet = world.investors[4]!;
    await attest(wallet);
    const bought = [];
    for (let count = 0; count < 3; count++) bought.push(await world.invest(wallet, XRP));
    const before = world.witnesses[2] as World['witnesses'][number];
    const anew = await world.startWitness(2);
    world.witnesses[2] = anew;
    anew.approve(world.canonical);
    for (const paid of bought) {
      await vi.waitFor(async () => expect(await answersFor(paid, 2)).toEqual(OWES_TOKENS), { timeout: 10_000 });
    }
    await anew.stop();
    world.witnesses[2] = before;
  });
});
