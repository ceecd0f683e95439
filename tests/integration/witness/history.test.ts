import { isQuorum } from '@tranche/rules/custody.ts';
import { sha256Hex } from '@tranche/rules/sha256.ts';
import { actionTransaction, payoutPayment } from '@tranche/rules/transactions.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorld, reasonOf, refund, tokens, type World, XRP } from './world.ts';

describe('the ledger servers of a witness', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  const ask = async (candidate: unknown, witness = 0) =>
    (await world.ask(witness, world.deposit.classicAddress, [candidate])).map(reasonOf)[0];

  it('of one host alone, or of an old release, are not enough', async () => {
    await expect(world.startWitness(0, { ledger: [world.ledger.wsUrl] })).rejects.toThrow('two servers');
    const strict = await world.startWitness(2, { min_server_version: '99.0.0' });
    strict.approve(world.canonical);
    const before = world.witnesses[2]!;
    world.witnesses[2] = strict;
    expect(await ask(await world.action({ move: 'pause' }), 2)).toBe('server_outdated');
    world.witnesses[2] = before;
    await strict.stop();
  });

  it('are all the memory that it needs: a witness restored from nothing signs the same, and nothing else', async () => {
    const stray = await world.invest(world.investors[1]!, XRP, 505);
    const address = world.deposit.classicAddress;
    const [ticket] = await world.createTickets(address, [refund(stray)], [0, 2]);
    const payment = await world.payment(refund(stray), ticket!);
    const [first] = await world.ask(0, address, [payment]);
    const fresh = await world.startWitness(0);
    fresh.approve(world.canonical);
    const before = world.witnesses[0]!;
    world.witnesses[0] = fresh;
    expect((await world.ask(0, address, [payment]))[0]).toEqual(first);
    await world.sendSigned(address, payment, world.refundOf(world.investors[1]!, XRP), [0, 2]);
    expect(await ask(payment)).toBe('paid');
    world.witnesses[0] = before;
    await fresh.stop();
    expect(await ask(payment)).toBe('paid');
  });
});

describe('a cancelled sale', () => {
  it('is refunded of what was not distributed, and only once no token payment can be validated any more', async () => {
    const world = await openWorld();
    try {
      const [deposit, distributor] = [world.deposit.classicAddress, world.distributor.classicAddress];
      const [ann, bob] = world.investors;
      const bought = await world.invest(ann!, 2n * XRP);
      const other = await world.invest(bob!, 3n * XRP);
      const [ticket, unused] = await world.createTickets(distributor, [tokens(bought), tokens(other)]);
      await world.sendSigned(distributor, await world.payment(tokens(bought), ticket!), world.tokensFor(ann!, 2_000n));
      const late = await world.payment(tokens(other), unused!);
      expect((await world.ask(0, distributor, [late])).map(reasonOf)).toEqual(['signed']);
      await world.sendSigned(deposit, await world.action({ move: 'cancel' }));
      const askRefund = async (paid: typeof bought, part = 2) =>
        (await world.ask(0, deposit, [await world.ticketsFor(deposit, [refund(paid, part)])])).map(reasonOf)[0];
      expect((await world.ask(0, distributor, [late])).map(reasonOf)).toEqual(['not_owed']);
      expect(await askRefund(other)).toBe('not_due');
      for (let count = 0; count < world.custody.ledgers_to_live; count++) world.ledger.accept();
      expect(await askRefund(other)).toBe('signed');
      expect(await askRefund(other, 3)).toBe('not_owed');
      expect(await askRefund(other, 1)).toBe('not_owed');
      expect(await askRefund(bought)).toBe('not_owed');
      const [back] = await world.createTickets(deposit, [refund(other, 2)]);
      await world.sendSigned(deposit, await world.payment(refund(other, 2), back!), world.refundOf(bob!, 3n * XRP));
      const release = { kind: 'release', projectId: world.projectId } as const;
      expect((await world.ask(0, deposit, [await world.ticketsFor(deposit, [release])])).map(reasonOf)).toEqual([
        'release_too_large',
      ]);
    } finally {
      await world.close();
    }
  });
});

describe('an account that has sent what no debt explains', () => {
  const quorum = (world: World, transaction: object) => [
    world.signByPlatform(transaction),
    world.signBy(world.keys[0]!, transaction),
    world.signBy(world.keys[1]!, transaction),
  ];

  it('is stopped by each honest witness, when a quorum paid by hand what nobody is owed', async () => {
    const world = await openWorld();
    try {
      const address = world.deposit.classicAddress;
      const stray = await world.invest(world.investors[0]!, XRP, 600);
      const [ticket] = await world.createTickets(address, [refund(stray)]);
      const envelope = { ticket: ticket!, feeDrops: 40n, lastLedgerSequence: (await world.index) + 10 };
      const theft = payoutPayment(world.refundOf(world.treasury, 2n * XRP), envelope);
      expect(isQuorum(world.custody, [world.platform.address, world.keys[0]!.address])).toBe(false);
      expect((await world.submit(theft, quorum(world, theft))).result).toBe('tesSUCCESS');
      expect((await world.ask(2, address, [await world.action({ move: 'pause' })])).map(reasonOf)).toEqual([
        'history_unexplained',
      ]);
    } finally {
      await world.close();
    }
  });

  it('or is not under the signer list of its terms', async () => {
    const world = await openWorld({ bare: true });
    try {
      const address = world.deposit.classicAddress;
      const launch = async () => world.action({ move: 'launch', terms_hash: world.termsHash });
      expect((await world.ask(0, address, [await launch()])).map(reasonOf)).toEqual(['custody_differs']);
    } finally {
      await world.close();
    }
  });

  it('or sells what its operator has not approved', async () => {
    const world = await openWorld();
    try {
      const address = world.deposit.classicAddress;
      const memo = { v: 1, project: `proj_${'Z'.repeat(22)}`, move: 'launch', terms_hash: sha256Hex('other') } as const;
      const sequence = await world.sequenceOf(address);
      const limits = { sequence, feeDrops: 40n, lastLedgerSequence: (await world.index) + 10 };
      const launch = actionTransaction(address, memo, limits);
      await world.submit(launch, quorum(world, launch));
      for (const index of [0, 2]) {
        expect((await world.ask(index, address, [await world.action({ move: 'pause' })])).map(reasonOf)).toEqual([
          'sale_not_approved',
        ]);
      }
    } finally {
      await world.close();
    }
  });
});

describe('the limits of a witness', () => {
  it('hold also for what is signed and not validated yet', async () => {
    const world = await openWorld({ settings: { limits: { fees_a_day_xrp: { debts: '50', other: '0.0002' } } } });
    try {
      const stray = await world.invest(world.investors[0]!, XRP, 700);
      const address = world.deposit.classicAddress;
      const tickets = await world.ticketsFor(address, [refund(stray)]);
      const pause = await world.action({ move: 'pause' });
      const ahead = (by: number) => ({ ...pause, sequence: ((pause as { sequence: number }).sequence ?? 0) + by });
      const answers = await world.ask(0, address, [tickets, ahead(1), ahead(2), ahead(3), ahead(253), ahead(254)]);
      const signed = ['signed', 'signed', 'signed', 'signed'];
      expect(answers.map(reasonOf)).toEqual([...signed, 'fee_limit_reached', 'not_possible_now']);
      expect((await world.ask(0, address, [{ ...ahead(3), fee_drops: '41' }, ahead(1)])).map(reasonOf)).toEqual([
        'fee_limit_reached',
        'signed',
      ]);
    } finally {
      await world.close();
    }
  });
});
