import { setTimeout } from 'node:timers/promises';
import { formatDrops } from '@tranche/rules/amounts.ts';
import { type Purpose, purposeId } from '@tranche/rules/custody.ts';
import { sha256Hex } from '@tranche/rules/sha256.ts';
import { payoutPayment } from '@tranche/rules/transactions.ts';
import { REFUND_SOURCE_TAG } from '@tranche/rules/types.ts';
import { type Candidate, MAX_CANDIDATES, MAX_REQUEST_BYTES, writePurpose } from '@tranche/witness/protocol.ts';
import { Wallet } from 'xrpl';
import { reasonOf, refund, tokens } from '#tests/integration/witness/world.ts';
import { type Arrival, OTHER_TAG, projectOf, type Sale, type Scene, UNIT_DROPS } from './scene.ts';
import { CURRENCY, HONEST, LIMITS } from './stage.ts';
import type { Thief } from './thief.ts';

export interface Attack {
  /** What it tries, as the threat model says it (docs/custody.md). */
  tries: string;
  /** Whether the sale lets it be tried now. */
  fits?: (scene: Scene) => boolean;
  /** Whether it is never left out in such a sale. */
  suits?: (sale: Sale) => boolean;
  /** It costs more than others, and is played less often. */
  isDear?: true;
  play: (thief: Thief) => Promise<void>;
}

const isRunning = ({ status }: Scene): boolean => status === 'active' || status === 'paused';
const isActive = ({ status }: Scene): boolean => status === 'active';
const YEAR_MS = 365 * 86_400_000;
const HOUR_SECONDS = 3_600;
const ASF_DISABLE_MASTER = 4;
const LEDGERS_TO_LIVE = 20;
const AGAIN_MS = 200;
const MOST_TICKETS = 250;
const TICKETS_AT_ONCE = 100;

/** One obligation with a ticket of its own from each honest witness, of which one lags; then both are asked for both. */
async function twoTickets(thief: Thief): Promise<void> {
  const { scene, draw } = thief;
  const stray = await thief.stray();
  const other = await thief.stray();
  const target = thief.some(await thief.unpaid())?.purpose ?? refund(stray);
  const [one, late] = thief.two();
  await scene.advance(3);
  await thief.tickets(one, [target]);
  await scene.lag(late, draw.pick([1, 2]));
  await thief.tickets(late, [target]);
  await thief.tickets(one, [refund(other)]);
  await scene.lag(late, draw.pick([0, 0, 1]));
  await thief.askFor(target, [one, late]);
  await scene.lag(late, 0);
  await thief.askFor(target, [late, one]);
  await thief.spend();
  await thief.askFor(target, [late]);
  await thief.spend();
}

/** One payment with the ticket of another. */
async function otherTicket(thief: Thief): Promise<void> {
  const { scene } = thief;
  const [one, other] = thief.two();
  const strays = [await thief.stray(), await thief.stray()] as const;
  const [first, second] = strays.map((stray) => refund(stray)) as [Purpose, Purpose];
  await thief.tickets(one, [first, second]);
  const book = await scene.read(thief.deposit);
  const open = [...book.open];
  await thief.ask(one, thief.deposit, await thief.payments(first, open));
  await thief.ask(other, thief.deposit, await thief.payments(second, open));
  await thief.ask(other, thief.distributor, await thief.payments(first, open));
  await thief.spend();
}

/** A debt that is paid is asked for again, with a ticket of its own; and every other part and kind of it. */
async function paidAgain(thief: Thief): Promise<void> {
  const { scene } = thief;
  const stray = await thief.paidStray();
  const bought = isActive(scene) ? await thief.invest() : null;
  for (const due of await thief.unpaid()) if (due.arrival === bought) await thief.payOne(due);
  const paid = thief.shuffled(await thief.paid()).slice(0, 2);
  const own = [...paid, ...(await thief.paid()).filter(({ arrival }) => arrival === stray || arrival === bought)];
  for (const { purpose } of own) await thief.takeAll(purpose, thief.two());
  await thief.spend();
}

async function otherParts(thief: Thief): Promise<void> {
  const { scene } = thief;
  const held = await heldPayment(thief);
  await thief.payOne({ purpose: refund(held), owed: scene.backTo(held, held.drops), dueAtMs: held.closedAtMs });
  const bought = isActive(scene) ? await thief.invest() : undefined;
  const arrivals = [held, bought ?? (await thief.stray()), thief.some(scene.arrivals) ?? held];
  for (const arrival of arrivals) {
    const purposes = [2, 3, 4].flatMap((part) => [refund(arrival, part), tokens(arrival, part)]);
    for (const purpose of [refund(arrival), tokens(arrival), ...thief.shuffled(purposes).slice(0, 4)]) {
      const [one, other] = thief.two();
      if (await thief.tickets(one, [purpose])) await thief.askFor(purpose, [one, other]);
    }
  }
  await thief.spend();
}

const heldPayment = (thief: Thief) => {
  const { scene, draw } = thief;
  const drops = BigInt(draw.between(100, 900)) * UNIT_DROPS;
  return draw.chance(0.7)
    ? scene.arrive(scene.investors[0] ?? Wallet.generate(), drops, { tag: REFUND_SOURCE_TAG })
    : scene.arrive(scene.issuer, drops, { tag: null });
};

/** A held payment is sent back by one witness's word and credited to the sale by the other's. */
async function heldTwice(thief: Thief): Promise<void> {
  const { scene, draw } = thief;
  const held = await scene.arrive(scene.investors[0] ?? Wallet.generate(), 500n * UNIT_DROPS, {
    tag: REFUND_SOURCE_TAG,
  });
  const stray = await thief.stray();
  const [one, other] = thief.two();
  await scene.advance(2);
  await thief.tickets(one, [refund(held), refund(stray)]);
  await scene.lag(other, draw.pick([0, 1]));
  await thief.tickets(other, [refund(held)]);
  await scene.lag(other, 0);
  const { open } = await scene.read(thief.deposit);
  const memo = { v: 1 as const, project: scene.projectId, move: 'assign' as const, payment: held.hash };
  const last = await thief.last();
  const assigns = thief.shuffled([...open]).map((ticket): Candidate => ({ kind: 'action', memo, ticket, ...last }));
  await thief.askFor(refund(held), [one]);
  await thief.ask(other, thief.deposit, assigns);
  const own = new Set((await scene.read(thief.deposit)).ticketsOf(refund(held)));
  const refunds = thief.loot.filter(isPayment);
  const assigned = thief.loot.filter((each) => !isPayment(each));
  // One that uses another ticket would leave the refund possible.
  const foreign = assigned.filter(({ candidate }) => !own.has(ticketOf(candidate)));
  const credits = foreign.length > 0 ? foreign : assigned;
  for (const loot of draw.chance(0.7) ? [...credits, ...refunds] : [...refunds, ...credits]) await thief.send(loot);
  thief.loot = [];
  // Whatever became of it: the refund and the tokens are asked for once more.
  await thief.takeAll(refund(held));
  await thief.takeAll(tokens(held));
  await thief.spend();
}

const ticketOf = (candidate: Candidate): number => ('ticket' in candidate ? (candidate.ticket ?? 0) : 0);
const isPayment = ({ candidate }: { candidate: Candidate }): boolean => candidate.kind === 'payment';

/** Releases that are too large, too early, or made twice from what two witnesses see. */
async function releases(thief: Thief): Promise<void> {
  const { scene, draw } = thief;
  const bought = isActive(scene) ? await thief.invest() : undefined;
  const first = (await thief.unpaid()).filter(
    ({ arrival, purpose }) => arrival === bought && purpose.kind === 'distribution',
  );
  for (const due of first.slice(0, 1)) await thief.payOne(due);
  const [one, other] = thief.two();
  for (let round = 0; round < 3; round++) {
    await scene.advance(1);
    await thief.tickets(one, [thief.release]);
    await scene.lag(other, draw.pick([0, 1, 2]));
    await thief.tickets(other, [thief.release]);
    await scene.lag(other, 0);
    await askReleases(thief, [one, other]);
    await thief.spend();
  }
}

async function askReleases(thief: Thief, by: readonly number[]): Promise<void> {
  const { scene } = thief;
  const books = await scene.readBoth();
  const released = scene.releasedDrops(books);
  const earned = scene.earnedDrops(books);
  const raised = scene.soldUnits() * UNIT_DROPS;
  const invested = scene.arrivals.filter(({ units }) => units > 0n);
  const begun = invested
    .filter((each) => scene.deliveredUnits(each, books.distributor) > 0n)
    .reduce((sum, { units }) => sum + units * UNIT_DROPS, 0n);
  const amounts = [earned - released, earned, raised, raised - released, begun - released, UNIT_DROPS];
  const tickets = [...books.deposit.open].filter((ticket) => books.deposit.tickets.get(ticket) === scene.releaseId);
  const plain = await thief.payments(thief.release, tickets);
  const wanted = [...new Set(amounts.filter((each) => each > 0n))].flatMap((amount) =>
    [...new Set([0n, released])].map((before) => ({
      released_xrp: formatDrops(before),
      amount_xrp: formatDrops(amount),
    })),
  );
  const candidates = plain.flatMap((each) => wanted.map((release): Candidate => ({ ...each, release })));
  for (const index of by) await thief.ask(index, thief.deposit, thief.shuffled(candidates).slice(0, 40));
}

/** What was asked before, as it was or changed in one place, from whomever. */
async function replays(thief: Thief): Promise<void> {
  const { draw, deposit, distributor } = thief;
  const last = await thief.last();
  const altered = thief
    .shuffled(thief.asked)
    .slice(0, 10)
    .map(({ account, candidate }): { account: string; candidate: Candidate } => {
      const fresh = { ...candidate, ...last };
      const change = draw.between(0, 5);
      if (change === 0) return { account, candidate };
      if (change === 1) return { account: account === deposit ? distributor : deposit, candidate: fresh };
      if (change === 2) return { account, candidate: { ...fresh, fee_drops: draw.pick(['1', '250001', '249999']) } };
      if (change === 3)
        return { account, candidate: { ...fresh, last_ledger_sequence: last.last_ledger_sequence + 40 } };
      if (fresh.kind !== 'payment' || fresh.purpose.kind === 'release') return { account, candidate: fresh };
      if (change === 4) {
        return { account, candidate: { ...fresh, purpose: { ...fresh.purpose, part: draw.between(1, 4) } } };
      }
      const kind = fresh.purpose.kind === 'refund' ? 'distribution' : 'refund';
      return { account, candidate: { ...fresh, purpose: { ...fresh.purpose, kind } } };
    });
  for (const { account, candidate } of altered) await thief.ask(draw.pick(HONEST), account, [candidate]);
  await thief.spend(0.7);
}

/** Requests that are none, too large, of another account, or of somebody without a token. */
async function junk(thief: Thief): Promise<void> {
  const { scene, deposit } = thief;
  const index = thief.draw.pick(HONEST);
  const good = { account: deposit, candidates: [await thief.action('pause')] };
  const bodies: [string, string | undefined][] = [
    [JSON.stringify({ ...good, candidates: new Array(MAX_CANDIDATES + 1).fill({}) }), undefined],
    [JSON.stringify({ ...good, more: 'x'.repeat(MAX_REQUEST_BYTES) }), undefined],
    ['sEdSomething', undefined],
    [JSON.stringify(good), 'another token'],
  ];
  for (const [body, token] of bodies) {
    const response = await scene.post(index, body, token === undefined ? {} : { token });
    const text = await response.text();
    thief.count(`HTTP ${response.status}`);
    if (response.status === 200) thief.violation(`answered what is no request: ${text.slice(0, 200)}`);
  }
  const [other] = scene.investors;
  const answers = await thief.ask(index, other?.classicAddress ?? '', good.candidates as Candidate[]);
  if (answers.some((answer) => 'signed' in answer)) thief.violation('signed for an account that it does not serve');
}

/** Transactions that take the accounts over, asked for as candidates and sent with what signatures he can get. */
async function takeover(thief: Thief): Promise<void> {
  const { scene, draw, deposit, distributor } = thief;
  const mine = scene.investors[0]?.classicAddress ?? '';
  const Account = draw.pick([deposit, distributor]);
  const limits = {
    Fee: '40',
    Sequence: await scene.sequenceOf(Account),
    LastLedgerSequence: (await scene.index) + 10,
  };
  const wanted = [
    { TransactionType: 'SetRegularKey', RegularKey: mine },
    {
      TransactionType: 'SignerListSet',
      SignerQuorum: 1,
      SignerEntries: [{ SignerEntry: { Account: mine, SignerWeight: 1 } }],
    },
    { TransactionType: 'AccountDelete', Destination: mine },
    { TransactionType: 'OfferCreate', TakerPays: '1', TakerGets: '1000000' },
    { TransactionType: 'CheckCreate', Destination: mine, SendMax: '1000000' },
    { TransactionType: 'AccountSet', ClearFlag: ASF_DISABLE_MASTER },
    { TransactionType: 'Payment', Destination: mine, Amount: '1000000' },
  ].map((each) => ({ ...each, Account, ...limits }));
  for (const transaction of thief.shuffled(wanted).slice(0, 4)) {
    const [answer] = await scene.ask(draw.pick(HONEST), Account, [
      { kind: draw.pick(['payment', 'raw', 'action']), transaction, ...limits },
    ]);
    thief.count(reasonOf(answer));
    if (reasonOf(answer) === 'signed') thief.violation(`signed a ${transaction.TransactionType}`);
    const signatures = scene.byThief(transaction);
    const others = thief.loot.slice(-1).map(({ signed }) => signed);
    for (const given of [signatures, [...signatures, ...others]]) {
      const { result } = await scene.trySubmit(transaction, given);
      thief.report.count('submitted', result);
      if (result === 'tesSUCCESS') thief.violation(`${transaction.TransactionType} passed`);
    }
  }
}

/** Tickets for what is owed are made and used up, so that nobody has any. */
async function squat(thief: Thief): Promise<void> {
  const { scene } = thief;
  await thief.stray();
  const [one, other] = thief.two();
  const purposes = (await thief.unpaid())
    .filter(({ purpose }) => purpose.kind === 'refund')
    .map(({ purpose }) => purpose);
  for (const purpose of purposes.slice(0, 3)) await thief.tickets(one, [purpose]);
  const { open } = await scene.read(thief.deposit);
  const last = await thief.last();
  const cancels = [...open].map((ticket): Candidate => ({ kind: 'ticket_cancel', ticket, ...last }));
  for (const index of [one, other]) await thief.ask(index, thief.deposit, cancels.slice(0, 6));
  for (const purpose of purposes.slice(0, 2)) await thief.askFor(purpose, [other]);
  await thief.spend();
}

/** Tickets for what nobody is owed, and two for one purpose at once. */
async function ticketsForNothing(thief: Thief): Promise<void> {
  const [one] = thief.two();
  const stray = await thief.stray();
  const more = Array.from({ length: 100 }, (_, part) => refund(stray, part + 1));
  if (await thief.tickets(one, more)) thief.violation('made tickets for what nobody is owed');
  const twice = [refund(stray), refund(stray)];
  if (await thief.tickets(one, twice)) thief.violation('made two tickets for one purpose at once');
  await thief.spend();
}

/** More debts than an account may hold tickets for: the rest must wait, and be paid when tickets are free again. */
async function ticketsRunOut(thief: Thief): Promise<void> {
  const { scene } = thief;
  const [one, other] = thief.two();
  await scene.arriveMany(MOST_TICKETS + 10, 5n * UNIT_DROPS);
  const purposes = (await thief.unpaid())
    .filter(({ purpose }) => purpose.kind === 'refund')
    .map(({ purpose }) => purpose);
  for (let first = 0; first < purposes.length; first += TICKETS_AT_ONCE) {
    const book = await scene.read(thief.deposit);
    const free = purposes
      .slice(first, first + TICKETS_AT_ONCE)
      .filter((purpose) => book.openFor(purposeId(purpose)).length === 0);
    if (free.length > 0) await thief.tickets(thief.draw.pick([one, other]), free);
  }
  const { open } = await scene.read(thief.deposit);
  if (open.size > MOST_TICKETS) thief.violation(`left ${open.size} tickets open`);
}

/** The operator of a witness has stopped it. */
async function halted(thief: Thief): Promise<void> {
  const { scene } = thief;
  const [one, other] = thief.two();
  scene.stage.halt(one, true);
  await thief.expectNothingFrom([one], 'its operator has stopped it');
  await thief.takeAll(refund(await thief.stray()), [other]);
  scene.stage.halt(one, false);
  await thief.spend();
}

/** The highest fees, and higher ones, for as long as anybody signs. */
async function drain(thief: Thief): Promise<void> {
  const { scene, deposit } = thief;
  const [one, other] = thief.two();
  const most = { fee_drops: LIMITS.feeDrops.toString() };
  const strays = [await thief.stray(), await thief.stray(), await thief.stray()];
  await thief.tickets(
    one,
    strays.map((stray) => refund(stray)),
  );
  const tooHigh = (await thief.payments(refund(strays[0] ?? (await thief.stray())))).map((each) => ({
    ...each,
    fee_drops: (LIMITS.feeDrops + 1n).toString(),
  }));
  await thief.ask(one, deposit, tooHigh);
  // All at once: none of them is validated when the next is asked for.
  for (let round = 0; round < 4; round++) {
    const { open } = await scene.read(deposit);
    const last = { ...(await thief.last()), ...most };
    const sequence = await scene.sequenceOf(deposit);
    const cancels = [...open].map((ticket): Candidate => ({ kind: 'ticket_cancel', ticket, ...last }));
    const ahead = [0, 1, 2, 3].map(
      (by): Candidate => ({
        kind: 'action',
        memo: { v: 1, project: scene.projectId, move: scene.status === 'paused' ? 'resume' : 'pause' },
        sequence: sequence + by,
        ...last,
      }),
    );
    const before = thief.loot.length;
    for (const index of [one, other]) await thief.ask(index, deposit, [...ahead, ...cancels].slice(0, 12));
    if (thief.loot.length === before) break;
    // Those that stand in line first: the others wait for them.
    for (const loot of [...thief.loot].sort((a, b) => placeInLine(a) - placeInLine(b))) await thief.send(loot);
    thief.loot = [];
  }
  if (scene.status === 'paused') await scene.advanceSeconds(25 * HOUR_SECONDS);
  if (scene.status === 'paused') await thief.act(one, 'resume');
  await thief.spend();
}

const placeInLine = ({ candidate }: { candidate: Candidate }): number =>
  'sequence' in candidate && candidate.sequence !== undefined ? candidate.sequence : Number.MAX_SAFE_INTEGER;

/** A pause that one of them has not seen, and money that comes meanwhile. */
async function pause(thief: Thief): Promise<void> {
  const { scene, draw } = thief;
  const [one, late] = thief.two();
  await scene.advance(3);
  await scene.lag(late, draw.pick([1, 2, 3]));
  await thief.act(one, 'pause');
  const meanwhile = await thief.invest();
  await thief.takeAll(tokens(meanwhile), [late, one]);
  await thief.takeAll(refund(meanwhile), [one, late]);
  await scene.lag(late, 0);
  await thief.takeAll(tokens(meanwhile), [late, one]);
  await thief.spend();
  await thief.act(late, 'resume');
  await thief.spend();
}

/** Vesting: parts that are not due, by a ledger's time or by a wrong clock. */
async function early(thief: Thief): Promise<void> {
  const { scene, draw } = thief;
  const bought = isActive(scene) ? await thief.invest() : undefined;
  const [one, other] = thief.two();
  scene.stage.setClock(one, YEAR_MS * 40);
  const arrivals = scene.arrivals.filter((each) => each === bought || (each.units > 0n && draw.chance(0.3)));
  for (const arrival of arrivals.slice(-2)) {
    for (const { purpose } of scene.partsOf(arrival)) await thief.takeAll(purpose, [one, other]);
  }
  await thief.spend();
  scene.stage.setClock(one, -YEAR_MS);
  await thief.takeAll(refund(await thief.stray()), [one]);
  await thief.spend();
  scene.stage.setClock(one, 0);
}

/** An investment of a running sale is asked back. */
async function backEarly(thief: Thief): Promise<void> {
  const bought = await thief.invest();
  const [one, other] = thief.two();
  for (const part of [1, 2, 3]) await thief.takeAll(refund(bought, part), [one, other]);
  await thief.takeAll(tokens(bought), [other, one]);
  await thief.spend();
}

/** A list that only one of them has, and a buyer who is on it only there. */
async function withheldList(thief: Thief): Promise<void> {
  const { scene } = thief;
  const [knows, lacks] = thief.two();
  const [, , , outsider] = scene.investors;
  if (outsider === undefined) return;
  const isOn = scene.listInForce.has(outsider.classicAddress);
  const wallets = isOn ? scene.investors.slice(0, 3) : scene.investors;
  const hash = scene.makeList(thief.shuffled(wallets), [knows]);
  await thief.act(lacks, 'list', { list_hash: hash });
  if (scene.listInForce === scene.lists.get(hash)) thief.violation('put a list in force that it lacks');
  await thief.act(knows, 'list', { list_hash: hash });
  const bought = await thief.invest(BigInt(300) * UNIT_DROPS, outsider);
  const [first, then] = isOn ? [tokens(bought), refund(bought)] : [refund(bought), tokens(bought)];
  await thief.takeAll(first, [lacks]);
  await thief.takeAll(then, [knows]);
  await thief.askFor(first, [lacks, knows]);
  await thief.spend();
  scene.giveList(lacks, hash);
  // It looks for a list again after a while.
  while (
    (await thief.ask(lacks, thief.deposit, await thief.payments(first, [1]))).map(reasonOf).includes('inputs_missing')
  ) {
    await setTimeout(AGAIN_MS);
  }
}

/** A list that nobody has. */
async function noList(thief: Thief): Promise<void> {
  for (const index of HONEST) {
    const [answer] = await thief.ask(index, thief.deposit, [
      await thief.action('list', { list_hash: sha256Hex(`nothing ${thief.draw.fraction()}`) }),
    ]);
    if (reasonOf(answer) === 'signed') thief.violation('signed a list that it lacks');
  }
  thief.loot = [];
}

/** Two sales of one tag are approved at a witness: it may launch neither. */
async function oneTag(thief: Thief): Promise<void> {
  const { scene, draw } = thief;
  const index = draw.pick(HONEST);
  const project = projectOf(`${scene.projectId} other`);
  const other = scene.termsWith({ project, treasury: scene.investors[0]?.classicAddress });
  await scene.approve(index, [scene.canonical, other]);
  const answers = await thief.ask(index, thief.deposit, [
    await thief.action('launch', { project, terms_hash: sha256Hex(other) }),
    await thief.action('launch', { terms_hash: scene.termsHash }),
  ]);
  if (answers.some((answer) => 'signed' in answer))
    thief.violation('signed the launch of one of two sales with one tag');
  await scene.approve(index, [scene.canonical]);
}

/** Launches that nobody has approved. */
async function launches(thief: Thief): Promise<void> {
  const { scene } = thief;
  const wrong = [
    { terms_hash: 'a'.repeat(64) },
    { terms_hash: sha256Hex(scene.termsWith({ treasury: scene.investors[0]?.classicAddress })) },
    { project: projectOf('foreign'), terms_hash: scene.termsHash },
    ...(isRunning(scene) ? [{ terms_hash: scene.termsHash }] : []),
  ];
  for (const index of HONEST) {
    const candidates = await Promise.all(wrong.map((more) => thief.action('launch', more)));
    const answers = await thief.ask(index, thief.deposit, candidates);
    if (answers.some((answer) => 'signed' in answer)) thief.violation('signed a launch that nobody has approved');
  }
  if (scene.status === 'draft') await oneTag(thief);
  thief.loot = [];
}

/** Terms of a new custody period, after this ledger or in the middle of the sale, while it sells and owes. */
async function newPeriod(thief: Thief): Promise<void> {
  const { scene, draw } = thief;
  const index = draw.pick(HONEST);
  const project = projectOf(`${scene.projectId} later`);
  const begins = draw.pick([await scene.index, scene.custody.from_ledger + draw.pick([1, 2, 3])]);
  const custody = { ...scene.custody, from_ledger: begins };
  const terms = scene.termsWith({ project, destination_tag: OTHER_TAG + 1, custody });
  const open = await scene.stage.whyNotApproved(index, project, terms);
  if (open.length === 0) thief.violation(`lets a custody period begin after ledger ${begins}, while the sale runs`);
}

/** Files of one witness are changed: another treasury in the terms, or a second sale with the same tag. */
async function swapped(thief: Thief): Promise<void> {
  const { scene, draw } = thief;
  const index = draw.pick(HONEST);
  const mine = scene.investors[0]?.classicAddress;
  const other = projectOf(`${scene.projectId} other`);
  const changes = draw.pick([{ treasury: mine }, { project: other, treasury: mine }]);
  const terms = scene.termsWith(changes);
  await scene.approve(index, 'project' in changes ? [scene.canonical, terms] : [terms]);
  await thief.tickets(index, [thief.release]);
  const launch = { project: 'project' in changes ? other : scene.projectId, terms_hash: sha256Hex(terms) };
  const [answer] = await thief.ask(index, thief.deposit, [await thief.action('launch', launch)]);
  if (reasonOf(answer) === 'signed') thief.violation('signed the launch of a second sale with the same tag');
  thief.loot = [];
  await thief.expectNothingFrom([index], 'its terms are not those that were launched');
  await scene.approve(index, [scene.canonical]);
}

/** One server of a witness leaves out what an account has sent: an old debt looks unpaid. */
async function lyingServer(thief: Thief): Promise<void> {
  const { scene, draw } = thief;
  const [honest, misled] = [1, 2];
  const stray = await thief.stray();
  await thief.askFor(refund(stray), [misled]);
  scene.stage.liar.hideAllOf(thief.deposit);
  await thief.tickets(honest, [refund(stray)]);
  await thief.askFor(refund(stray), [honest]);
  await thief.spend();
  await thief.tickets(misled, [refund(stray)]);
  scene.stage.liar.hideAllOf(null);
  await scene.advance(draw.between(0, 2));
  await thief.takeAll(refund(stray), [misled]);
  await thief.spend();
}

/**
 * A wallet without the credential is to be admitted: by the platform's word in the request, by one server's lie to a witness, or by a
 * credential that comes after its payment. Then one that holds it is to be refunded by a server's lie.
 */
async function forgedCredential(thief: Thief): Promise<void> {
  const { scene, draw } = thief;
  const [holder, , , outsider] = scene.investors;
  if (outsider === undefined || holder === undefined) return;
  const { liar } = scene.stage;
  const [honest, misled] = [1, 2];
  // Who is not on the list is refused whatever it holds.
  const depends = ({ classicAddress }: Wallet): boolean => !scene.sale.listed || scene.listInForce.has(classicAddress);
  const refused = await thief.invest(300n * UNIT_DROPS, outsider);
  const isBought = refused.units > 0n;
  if (isBought) thief.violation('the play itself admits a wallet without the credential');
  await sayAdmitted(thief, refused);
  await thief.takeAll(tokens(refused), thief.two());

  liar.forgeCredentials({ subject: outsider.classicAddress, says: 'held' });
  const again = await thief.invest(200n * UNIT_DROPS, outsider);
  await thief.takeAll(tokens(again), [misled, honest]);
  if (depends(outsider)) await thief.expectNothingFrom([misled], 'its servers differ in a credential');
  await thief.takeAll(refund(again), [honest]);
  liar.forgeCredentials(null);
  await untilItReads(thief, misled);
  await thief.takeAll(tokens(again), [misled, honest]);

  if (isActive(scene)) {
    liar.forgeCredentials({ subject: holder.classicAddress, says: 'none' });
    const bought = await thief.invest(BigInt(draw.between(50, 200)) * UNIT_DROPS, holder);
    if (bought.units > 0n) {
      await thief.takeAll(refund(bought), [misled]);
      await thief.expectNothingFrom([misled], 'its servers differ in a credential');
      await thief.takeAll(tokens(bought), [honest]);
    }
    liar.forgeCredentials(null);
    await untilItReads(thief, misled);
  }

  // It counts from the next ledger on, and for nothing that was paid before.
  const early = await thief.invest(100n * UNIT_DROPS, outsider);
  await scene.attest(outsider);
  await thief.takeAll(tokens(early), thief.two());
  await thief.spend();
  await scene.takeAway(outsider);
}

/** The platform's own reading of a credential, where a witness might look for it. */
async function sayAdmitted(thief: Thief, refused: Arrival): Promise<void> {
  const { scene, deposit, distributor } = thief;
  const reading = {
    ledger_index: refused.ledgerIndex - 1,
    subject: refused.from.classicAddress,
    issuer: scene.issuer.classicAddress,
    credential_type: scene.credentialType,
    accepted: true,
  };
  const sequence = await scene.sequenceOf(distributor);
  const create = { kind: 'ticket_create' as const, purposes: [writePurpose(tokens(refused))], sequence };
  const candidate = { ...create, ...(await thief.last()) };
  const bodies = [
    { account: distributor, candidates: [{ ...candidate, credentials: [reading] }] },
    { account: distributor, candidates: [candidate], credentials: [reading] },
    { account: deposit, candidates: [candidate], credential_readings: [reading] },
  ];
  for (const index of HONEST) {
    for (const body of bodies) {
      const response = await scene.post(index, JSON.stringify(body));
      const text = await response.text();
      thief.count(`HTTP ${response.status}`);
      if (text.includes('"signed"')) thief.violation('signed by what the platform says of a credential');
    }
  }
}

/** A witness looks for what it was not told alike again after a while. */
async function untilItReads(thief: Thief, index: number): Promise<void> {
  const cancel: Candidate = { kind: 'ticket_cancel', ticket: 1, ...(await thief.last()) };
  for (;;) {
    const [answer] = await thief.ask(index, thief.deposit, [cancel]);
    if (!['servers_disagree', 'inputs_missing', 'catching_up'].includes(reasonOf(answer))) return;
    await setTimeout(AGAIN_MS);
  }
}

/** A server answers for fewer ledgers than it was asked for, or has gaps. */
async function gap(thief: Thief): Promise<void> {
  const { scene, draw } = thief;
  const [honest, misled] = [2, 1];
  const stray = await thief.stray();
  await thief.askFor(refund(stray), [misled]);
  const from = (await scene.index) + 1;
  const isNarrow = draw.chance(0.6);
  if (isNarrow) await scene.stage.fault(misled, { narrow_account_tx: { drop_newest: 3 } });
  await thief.tickets(honest, [refund(stray)]);
  await thief.askFor(refund(stray), [honest]);
  await thief.spend();
  const through = await scene.index;
  if (!isNarrow && through >= from) await scene.stage.fault(misled, { missing_ledgers: [[from, through]] });
  await thief.tickets(misled, [refund(stray)]);
  await scene.advance(4);
  await thief.takeAll(refund(stray), [misled]);
  await thief.spend();
  await scene.stage.fault(misled, { clear: true });
  await thief.takeAll(refund(stray), [misled]);
  await thief.spend();
}

/** A witness that is far behind: what it signs must not be valid after what it has not seen. */
async function lagging(thief: Thief): Promise<void> {
  const { scene, draw } = thief;
  const [one, late] = thief.two();
  const stray = await thief.stray();
  await thief.tickets(one, [refund(stray)]);
  await scene.advance(2);
  await scene.lag(late, draw.pick([20, 25, 40]));
  await scene.advance(22);
  await thief.takeAll(refund(stray), [late]);
  await thief.tickets(late, [refund(await thief.stray())]);
  await thief.askFor(refund(stray), [one]);
  await thief.spend();
  await scene.lag(late, 0);
  await thief.askFor(refund(stray), [late]);
  await thief.spend();
}

/** A witness dies, and comes back as it was, or from a folder that is older than its approval. */
async function restored(thief: Thief): Promise<void> {
  const { scene, draw } = thief;
  const index = draw.pick(HONEST);
  const stray = await thief.stray();
  const isOlder = draw.chance(0.5);
  await scene.approve(index, []);
  const before = scene.stage.backUp(index, 'yesterday');
  await scene.approve(index, [scene.canonical]);
  await thief.tickets(index, [refund(stray)]);
  await thief.askFor(refund(stray), [index]);
  await thief.spend();
  await scene.stage.restartWitness(index, isOlder ? before : undefined);
  if (isOlder) {
    await thief.expectNothingFrom([index], 'it knows no approved sale any more');
    await scene.approve(index, [scene.canonical]);
  }
  await thief.takeAll(refund(stray), [index]);
  await thief.spend();
}

/** One witness is gone for an hour, then both are. */
async function gone(thief: Thief): Promise<void> {
  const { scene } = thief;
  const { stage } = scene;
  const [one, other] = thief.two();
  const stray = await thief.stray();
  stage.freeze(one, true);
  await thief.takeAll(refund(stray), [other]);
  stage.freeze(other, true);
  const nothing = await scene
    .post(other, JSON.stringify({ account: thief.deposit, candidates: [] }), { waitMs: 100 })
    .then(() => 'an answer')
    .catch(() => 'no answer');
  thief.count(nothing);
  const own = scene.build(thief.deposit, await thief.action('pause'));
  const { result } = await scene.trySubmit(own, scene.byThief(own));
  thief.report.count('submitted', result);
  if (result === 'tesSUCCESS') thief.violation('a pause passed without an honest witness');
  await scene.advanceSeconds(HOUR_SECONDS);
  for (const index of HONEST) stage.freeze(index, false);
  await thief.takeAll(refund(stray), [one, other]);
  await thief.spend();
}

/** What is owed is paid by people, with its ticket; then it is asked for again. */
async function byHand(thief: Thief): Promise<void> {
  const { scene } = thief;
  const stray = await thief.stray();
  const [one, other] = thief.two();
  await thief.tickets(one, [refund(stray)]);
  await thief.askFor(refund(stray), [other]);
  const [ticket] = (await scene.read(thief.deposit)).openFor(purposeId(refund(stray)));
  if (ticket === undefined) return;
  const lastLedgerSequence = (await scene.index) + LEDGERS_TO_LIVE;
  const owed = scene.backTo(stray, stray.drops);
  await scene.signByPeople(payoutPayment(owed, { ticket, feeDrops: 40n, lastLedgerSequence }));
  await thief.spend();
  await thief.takeAll(refund(stray), [one, other]);
  await thief.spend();
}

/** What was paid is undone outside of the accounts: tokens are clawed back, a refund is returned. It is asked for again. */
async function undone(thief: Thief): Promise<void> {
  const { scene } = thief;
  const tokensPaid = (await thief.paid()).filter(({ purpose }) => purpose.kind === 'distribution');
  const due = thief.some(tokensPaid);
  const [one, other] = thief.two();
  if (due !== undefined) {
    const value = (Number(due.owed.amount) / 100).toFixed(2);
    const Amount = { currency: CURRENCY, issuer: due.arrival.from.classicAddress, value };
    await scene.send(scene.issuer, { TransactionType: 'Clawback', Amount }).catch(() => undefined);
    await thief.takeAll(due.purpose, [one, other]);
    await thief.takeAll(refund(due.arrival, 2), [one, other]);
  }
  const stray = await thief.paidStray();
  await scene.arrive(scene.investors[0] ?? Wallet.generate(), stray.drops, { tag: REFUND_SOURCE_TAG });
  await thief.takeAll(refund(stray), [one, other]);
  await thief.spend();
}

/** Tokens signed and kept back, then a cancellation: its refunds are asked for at once and for as long as the tokens can pass. */
async function cancelInFlight(thief: Thief): Promise<void> {
  const { scene, draw } = thief;
  if (scene.status === 'paused') await thief.act(1, 'resume');
  await thief.invest();
  await thief.invest();
  const isToken = ({ purpose }: { purpose: Purpose }): boolean => purpose.kind === 'distribution';
  const bought = (await thief.unpaid()).filter(isToken).slice(-5);
  const [one, other] = thief.two();
  await thief.tickets(
    one,
    bought.map(({ purpose }) => purpose),
  );
  const kept: Candidate[] = [];
  for (const { purpose } of bought) kept.push(...(await thief.payments(purpose, undefined, LEDGERS_TO_LIVE)));
  await thief.ask(one, thief.distributor, kept);
  await thief.ask(
    one,
    thief.distributor,
    kept.map((each) => ({ ...each, last_ledger_sequence: each.last_ledger_sequence + 400 })),
  );
  const inFlight = thief.loot;
  thief.loot = [];
  await scene.lag(other, draw.pick([0, 0, 1, 3]));
  if (!(await thief.act(one, 'cancel'))) return;
  const back = bought.map(({ arrival }) => refund(arrival, 2));
  const takeBack = async (by: readonly number[]): Promise<void> => {
    for (const index of by) if (await thief.tickets(index, back)) break;
    for (const purpose of back) await thief.askFor(purpose, by);
    await thief.spend();
  };
  await takeBack([other, one]);
  const long = inFlight.filter(({ candidate }) => !kept.includes(candidate));
  // Some of what is in flight arrives in time; what was signed for longer, when the refunds are paid.
  for (const loot of inFlight.filter((each) => !long.includes(each) && draw.chance(0.6))) await thief.send(loot);
  // Who lags may sign tokens yet: they are kept back, too.
  await thief.ask(other, thief.distributor, kept);
  long.push(...thief.loot);
  thief.loot = [];
  await scene.lag(other, 0);
  await takeBack([one]);
  await scene.advance(LEDGERS_TO_LIVE + 1);
  await takeBack([one, other]);
  for (const loot of long) await thief.send(loot);
  for (const { purpose } of bought) await thief.takeAll(purpose, [one, other]);
  await thief.spend();
}

/** The sale is ended early, and everything is asked for at once. */
async function end(thief: Thief): Promise<void> {
  const [one, other] = thief.two();
  await thief.scene.lag(other, thief.draw.pick([0, 1]));
  await thief.act(one, 'end');
  await releases(thief);
  await thief.scene.lag(other, 0);
  const late = await thief.invest();
  await thief.takeAll(tokens(late), [one, other]);
  await thief.spend();
}

/** A quorum of people pays what is owed without its ticket: no witness may go on, or the debt would be paid again. */
async function unexplained(thief: Thief): Promise<void> {
  const { scene } = thief;
  const stray = await thief.stray();
  const Sequence = await scene.sequenceOf(thief.deposit);
  const LastLedgerSequence = (await scene.index) + LEDGERS_TO_LIVE;
  const { TicketSequence: _, ...payment } = payoutPayment(scene.backTo(stray, stray.drops), {
    ticket: 1,
    feeDrops: 40n,
    lastLedgerSequence: LastLedgerSequence,
  });
  await scene.signByPeople({ ...payment, Sequence });
  await thief.takeAll(refund(stray));
  await thief.expectNothingFrom(HONEST, 'the account has paid what no ticket explains');
}

/** The owners put another signer list in force, and later the first one again: no witness may go on by itself. */
async function rotated(thief: Thief): Promise<void> {
  const { scene, draw } = thief;
  const lists = draw.pick([[thief.deposit], [thief.distributor], [thief.deposit, thief.distributor]]);
  const stranger = Wallet.generate();
  const own = [scene.custody.platform, ...scene.custody.witnesses].map(({ account, weight }) => ({
    SignerEntry: { Account: account, SignerWeight: weight },
  }));
  const changed = [...own, { SignerEntry: { Account: stranger.classicAddress, SignerWeight: 4 } }];
  const put = async (Account: string, entries: typeof own): Promise<object> => ({
    TransactionType: 'SignerListSet',
    Account,
    SignerQuorum: 4,
    SignerEntries: entries,
    Fee: '60',
    Sequence: await scene.sequenceOf(Account),
    LastLedgerSequence: (await scene.index) + LEDGERS_TO_LIVE,
  });
  for (const account of lists) await scene.signByPeople(await put(account, changed));
  const isDeposit = lists.includes(thief.deposit);
  if (isDeposit) await thief.expectNothingFrom(HONEST, 'another signer list is in force');
  for (const account of lists) {
    const back = await put(account, own);
    await scene.signByOne(stranger, back);
  }
  if (isDeposit) await thief.expectNothingFrom(HONEST, 'others than the quorum have signed');
  else await expectNoTokens(thief);
}

async function expectNoTokens(thief: Thief): Promise<void> {
  const { scene } = thief;
  const sequence = await scene.sequenceOf(thief.distributor);
  const purposes = (await thief.paid()).slice(0, 1).map(({ purpose }) => writePurpose(purpose));
  const [ticket] = (await scene.read(thief.distributor)).open;
  const candidates: Candidate[] = [
    { kind: 'ticket_cancel', ticket: ticket ?? 1, ...(await thief.last()) },
    ...(purposes.length > 0 ? [{ kind: 'ticket_create' as const, purposes, sequence, ...(await thief.last()) }] : []),
  ];
  for (const index of HONEST) {
    const answers = await thief.ask(index, thief.distributor, candidates);
    if (answers.some((answer) => 'signed' in answer)) thief.violation('signed for a distributor of other signers');
  }
}

/** A second sale on the same accounts that one witness has approved, and the other has not, or in other terms. */
async function secondSale(thief: Thief): Promise<void> {
  const { scene, draw } = thief;
  const [knows, other] = thief.two();
  const project = projectOf(`${scene.projectId} second`);
  const corrected = scene.termsWith({ project, destination_tag: OTHER_TAG });
  const stale = scene.termsWith({
    project,
    destination_tag: OTHER_TAG,
    treasury: scene.investors[0]?.classicAddress,
  });
  const isStale = draw.chance(0.5);
  await scene.approve(knows, [scene.canonical, stale]);
  if (isStale) await scene.approve(other, [scene.canonical, corrected]);
  await thief.act(other, 'launch', { project, terms_hash: sha256Hex(stale) });
  if (!(await thief.act(knows, 'launch', { project, terms_hash: sha256Hex(stale) }))) return;
  const bought = await scene.arrive(scene.investors[0] ?? Wallet.generate(), 300n * UNIT_DROPS, { tag: OTHER_TAG });
  await thief.takeAll(refund(bought), [other]);
  const why = isStale ? 'other terms were launched than it has approved' : 'a sale was launched that it does not know';
  await thief.expectNothingFrom([other], why);
}

/** The owner keeps a way in: what may be cashed without a signature is made before the accounts have no key any more. */
export async function keepWayIn(scene: Scene, account: 'deposit' | 'distributor'): Promise<void> {
  const Destination = scene.investors[0]?.classicAddress ?? '';
  await scene.send(scene[account], { TransactionType: 'CheckCreate', Destination, SendMax: '1000000' });
}

export async function wayIn(thief: Thief): Promise<void> {
  const { scene } = thief;
  for (const index of HONEST) {
    const launch = await thief.action('launch', { terms_hash: scene.termsHash });
    const [answer] = await thief.ask(index, thief.deposit, [launch]);
    if (reasonOf(answer) === 'signed') thief.violation('signed the launch of a sale whose account has a check out');
  }
  thief.loot = [];
}

/** Played on a sale that runs, in any order. */
export const ATTACKS = {
  twoTickets: { tries: 'one obligation with two tickets, of which each witness sees another', play: twoTickets },
  otherTicket: { tries: 'one obligation with the ticket of another', play: otherTicket },
  paidAgain: { tries: 'what is paid, again', play: paidAgain },
  otherParts: { tries: 'other parts and kinds of what was paid', play: otherParts },
  heldTwice: { tries: 'a held payment both credited and sent back', fits: isActive, play: heldTwice },
  releases: {
    tries: 'releases before their time, above what is earned, or twice',
    suits: ({ atEnd, vests }) => atEnd || vests,
    play: releases,
  },
  replays: { tries: 'old requests again, or changed in one place', play: replays },
  junk: { tries: 'malformed and huge requests, without a token, of another account', play: junk },
  takeover: { tries: 'another key, list, check or offer for the accounts', play: takeover },
  squat: { tries: 'tickets of what is owed, used up', play: squat },
  ticketsForNothing: { tries: 'tickets for what nobody is owed', play: ticketsForNothing },
  ticketsRunOut: { tries: 'more debts than there are tickets', isDear: true, play: ticketsRunOut },
  drain: { tries: 'fees that drain the account', play: drain },
  pause: { tries: 'a pause that one witness has not seen', fits: isActive, play: pause },
  early: {
    tries: 'what is not due yet; a witness’s clock is wrong',
    suits: ({ vests }) => vests,
    fits: ({ arrivals }) => arrivals.length > 0,
    play: early,
  },
  backEarly: { tries: 'an investment of a running sale, back', fits: isActive, play: backEarly },
  withheldList: {
    tries: 'a list that only one witness has',
    suits: ({ listed }) => listed,
    fits: (scene) => isActive(scene) && scene.sale.listed,
    play: withheldList,
  },
  noList: { tries: 'a list that nobody has', fits: isRunning, play: noList },
  launches: { tries: 'a launch that nobody has approved', play: launches },
  newPeriod: { tries: 'a custody period that begins in the middle of the sale', fits: isRunning, play: newPeriod },
  swapped: { tries: 'terms swapped at one witness, or two sales with one tag', play: swapped },
  forgedCredential: {
    tries: 'a credential that a wallet does not hold, by the platform’s or one server’s word',
    suits: ({ attested }) => attested,
    fits: (scene) => isActive(scene) && scene.sale.attested,
    play: forgedCredential,
  },
  lyingServer: { tries: 'a ledger server that leaves transactions out', play: lyingServer },
  gap: { tries: 'a ledger server with gaps, or that narrows what it is asked', play: gap },
  lagging: { tries: 'a ledger server that lags far behind', play: lagging },
  restored: { tries: 'a witness restored from yesterday', isDear: true, play: restored },
  gone: { tries: 'one witness gone for an hour, two gone, all back', play: gone },
  halted: { tries: 'a witness that its operator has stopped', play: halted },
  byHand: { tries: 'what was paid by hand with its ticket, again', play: byHand },
  undone: { tries: 'what was clawed back or returned, again', play: undone },
} as const satisfies Record<string, Attack>;

/** With one of them the sale's own end comes. */
export const ENDS = {
  cancelInFlight: { tries: 'tokens of a cancelled sale and its refund', play: cancelInFlight },
  end: { tries: 'an early end, and what follows from it', play: end },
} as const satisfies Record<string, Attack>;

/** After one of them witnesses must stop for good: each is the last of a play. */
export const STOPS = {
  unexplained: { tries: 'a debt that people have paid without its ticket', play: unexplained },
  rotated: { tries: 'other signers in the middle of a sale', play: rotated },
  secondSale: { tries: 'terms that one witness approved, and the other has not or has corrected', play: secondSale },
} as const satisfies Record<string, Attack>;

/** Before the launch. */
export const WAY_IN = { tries: 'a check that the owner of the accounts has kept', play: wayIn } satisfies Attack;

export const ALL = { wayIn: WAY_IN, ...ATTACKS, ...ENDS, ...STOPS } as const satisfies Record<string, Attack>;
export type AttackName = keyof typeof ALL;
