import type { Purpose } from '@tranche/rules/custody.ts';
import { type Candidate, writePurpose } from '@tranche/witness/protocol.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorld, type Paid, reasonOf, refund, tokens, type World, XRP } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

describe('what is owed', () => {
  it('is paid with two witnesses, from launch to tokens, refund and release', async () => {
    const [ann, bob] = world.investors;
    const [deposit, distributor] = [world.deposit.classicAddress, world.distributor.classicAddress];
    const bought = await world.invest(ann!, 5n * XRP);
    const [ticket] = await world.createTickets(distributor, [tokens(bought)]);
    await world.sendSigned(distributor, await world.payment(tokens(bought), ticket!), world.tokensFor(ann!, 5_000n));

    const stray = await world.invest(bob!, 3n * XRP, 12_345);
    const [back] = await world.createTickets(deposit, [refund(stray)]);
    const before = await world.balanceOf(bob!.classicAddress);
    const paid = await world.payment(refund(stray), back!);
    const hash = await world.sendSigned(deposit, paid, world.refundOf(bob!, 3n * XRP), [1, 2]);
    expect(await world.balanceOf(bob!.classicAddress)).toBe(before + 3n * XRP);
    const [again] = await world.ask(0, deposit, [paid]);
    expect(again).toMatchObject({ refused: { reason: 'paid', transaction_hash: hash } });

    const [out] = await world.createTickets(deposit, [{ kind: 'release', projectId: world.projectId }]);
    const release = await world.release(0n, 5n * XRP, out!);
    const released = await world.sendSigned(deposit, release, { ...world.refundOf(world.treasury, 5n * XRP) });
    expect(await world.balanceOf(world.treasury.classicAddress)).toBe(1_005n * XRP);
    const [repeated] = await world.ask(0, deposit, [release]);
    expect(repeated).toMatchObject({ refused: { reason: 'paid', transaction_hash: released } });
  });
});

describe('what is not owed is refused', () => {
  const ask = async (candidate: unknown, account = world.deposit.classicAddress) =>
    (await world.ask(0, account, [candidate])).map(reasonOf)[0];
  let bought: Paid;
  let stray: Paid;
  let ticket: number;

  beforeAll(async () => {
    bought = await world.invest(world.investors[0]!, 2n * XRP);
    stray = await world.invest(world.investors[1]!, 4n * XRP, 999);
    [ticket] = (await world.createTickets(world.deposit.classicAddress, [refund(stray)])) as [number];
  });

  it('another payment, another part, another account, or a release to come', async () => {
    const { deposit, distributor, projectId } = world;
    expect(await ask(await world.payment(refund({ ledgerIndex: 5, transactionIndex: 0 }), ticket))).toBe('not_owed');
    expect(await ask(await world.payment(refund(stray, 2), ticket))).toBe('not_owed');
    expect(await ask(await world.payment(refund(bought), ticket))).toBe('not_owed');
    expect(await ask(await world.payment(refund(bought, 2), ticket))).toBe('not_owed');
    expect(await ask(await world.payment(refund(stray), ticket), distributor.classicAddress)).toBe('not_owed');
    expect(await ask(await world.payment(tokens(bought), ticket))).toBe('not_owed');
    expect(await ask(await world.payment(refund(stray), ticket), world.investors[0]!.classicAddress)).toBe(
      'account_not_served',
    );
    const release: Purpose = { kind: 'release', projectId };
    expect(await ask(await world.ticketsFor(deposit.classicAddress, [release]))).toBe('release_too_large');
    expect(await ask(await world.payment(release, ticket))).toBe('malformed');
    expect(await ask(await world.release(5n * XRP, 2n * XRP, ticket))).toBe('release_too_large');
  });

  it('a ticket that is unknown, used, or for something else; and a later ticket for the same', async () => {
    const address = world.deposit.classicAddress;
    expect(await ask(await world.payment(refund(stray), ticket + 1_000))).toBe('ticket_unknown');
    const other = await world.invest(world.investors[0]!, XRP, 998);
    const [otherTicket] = await world.createTickets(address, [refund(other)]);
    expect(await ask(await world.payment(refund(stray), otherTicket!))).toBe('ticket_for_other_purpose');
    const again = await world.ticketsFor(address, [refund(stray)]);
    expect(await ask(again)).toBe('earlier_ticket_open');
    expect(await ask(await world.ticketsFor(address, [refund(other), refund(other)]))).toBe('malformed');

    await world.sendSigned(address, { kind: 'ticket_cancel', ticket: otherTicket!, ...(await world.last()) });
    expect(await ask(await world.payment(refund(other), otherTicket!))).toBe('ticket_used');
    expect(await ask({ kind: 'ticket_cancel', ticket: otherTicket, ...(await world.last()) })).toBe('ticket_used');
    const [second] = await world.createTickets(address, [refund(other)]);
    await world.sendSigned(
      address,
      await world.payment(refund(other), second!),
      world.refundOf(world.investors[0]!, XRP),
    );
  });

  it('a fee beyond the limit, and what expires too late or has expired', async () => {
    const payment = await world.payment(refund(stray), ticket);
    expect(await ask({ ...payment, fee_drops: '250001' })).toBe('fee_too_high');
    expect(await ask({ ...payment, last_ledger_sequence: (await world.index) + 30 })).toBe('expires_too_late');
    expect(await ask({ ...payment, last_ledger_sequence: (await world.index) - 1 })).toBe('expired');
    expect(await ask(payment)).toBe('signed');
  });

  it('a candidate of another form, alone: the others of the request are decided', async () => {
    const good = await world.payment(refund(stray), ticket);
    const answers = await world.ask(0, world.deposit.classicAddress, [
      { ...good, destination: world.treasury.classicAddress },
      { kind: 'signer_list_set', ...(await world.last()) },
      null,
      good,
    ]);
    expect(answers.map(reasonOf)).toEqual(['malformed', 'malformed', 'malformed', 'signed']);
  });

  it('an action of an unapproved sale, of other terms, of no effect, or with a ticket', async () => {
    const elsewhere = `proj_${'X'.repeat(22)}`;
    const { deposit } = world;
    expect(await ask(await world.action({ move: 'launch', project: elsewhere, terms_hash: 'a'.repeat(64) }))).toBe(
      'sale_not_approved',
    );
    expect(await ask(await world.action({ move: 'launch', terms_hash: 'a'.repeat(64) }))).toBe('sale_not_approved');
    expect(await ask(await world.action({ move: 'launch', terms_hash: world.termsHash }))).toBe('not_possible_now');
    expect(await ask(await world.action({ move: 'resume' }))).toBe('not_possible_now');
    expect(await ask(await world.action({ move: 'pause' }, ticket))).toBe('malformed');
    expect(await ask(await world.action({ move: 'list', list_hash: 'b'.repeat(64) }))).toBe('inputs_missing');
    expect(await ask(await world.action({ move: 'pause' }), world.distributor.classicAddress)).toBe(
      'sale_not_approved',
    );
    expect(deposit.classicAddress).not.toBe(world.distributor.classicAddress);
  });

  it('whatever the platform and one thief among the witnesses sign: no two of their candidates for one purpose are both signable', async () => {
    // The thief has two tickets for one refund on the ledger: a quorum of people would be needed for the second.
    const address = world.deposit.classicAddress;
    const owed = await world.invest(world.investors[1]!, XRP, 997);
    const built = world.build(address, {
      ...(await world.ticketsFor(address, [refund(owed)])),
      purposes: [refund(owed), refund(owed)].map(writePurpose),
    } as Candidate);
    const by = [world.keys[0]!, world.keys[1]!].map((key) => world.signBy(key, built));
    const first = (await world.sequenceOf(address)) + 1;
    await world.submit(built, [world.signByPlatform(built), ...by]);
    for (const index of [0, 1, 2]) {
      const answers = await world.ask(index, address, [
        await world.payment(refund(owed), first),
        await world.payment(refund(owed), first + 1),
      ]);
      expect(answers.map(reasonOf)).toEqual(['signed', 'earlier_ticket_open']);
    }
    await world.sendSigned(address, await world.payment(refund(owed), first), world.refundOf(world.investors[1]!, XRP));
    expect(await ask(await world.payment(refund(owed), first + 1))).toBe('paid');
  });
});

describe('the server', () => {
  const post = (body: string, token = world.witnesses[0]!.token) =>
    fetch(`${world.witnesses[0]!.url}/v1/signatures`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body,
    });

  it('answers nobody without its token but about its health', async () => {
    const { url, token } = world.witnesses[0]!;
    expect((await post('{}', 'wrong')).status).toBe(401);
    expect((await post('{}', world.witnesses[1]!.token)).status).toBe(401);
    expect((await fetch(`${url}/v1/status`)).status).toBe(401);
    expect(await (await fetch(`${url}/health`)).json()).toMatchObject({ status: 'ok' });
    const status = await fetch(`${url}/v1/status`, { headers: { authorization: `Bearer ${token}` } });
    expect(await status.json()).toMatchObject({ key: world.keys[0]!.address, halted: null, name: 'Witness 1' });
  });

  it('refuses what is too large, too many, or no JSON, and does not quote it', async () => {
    expect((await post(`{"x":"${'a'.repeat(300_000)}"}`)).status).toBe(413);
    const account = world.deposit.classicAddress;
    expect((await post(JSON.stringify({ account, candidates: new Array(201).fill({}) }))).status).toBe(400);
    const answer = await post('sEdSecretSeed');
    expect(answer.status).toBe(400);
    expect(await answer.text()).not.toContain('sEdSecret');
  });

  it('signs nothing while its operator has stopped it, and goes on only when that operator says so', async () => {
    const witness = world.witnesses[2]!;
    const stray = await world.invest(world.investors[0]!, XRP, 996);
    const candidate = await world.ticketsFor(world.deposit.classicAddress, [refund(stray)]);
    const ask = async () => (await world.ask(2, world.deposit.classicAddress, [candidate])).map(reasonOf);
    witness.halt('looks wrong');
    expect(await ask()).toEqual(['halted']);
    expect(witness.witness.status().halted).toMatchObject({ reason: 'looks wrong' });
    witness.resume();
    expect(await ask()).toEqual(['signed']);
  });
});
