import { readFileSync, statSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { readLog } from '@tranche/witness/log.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startLedger } from 'xrpl-sandbox/index.ts';
import { Relay, startProcess, type WitnessProcess } from './process.ts';
import { NETWORK_ID, openWorld, type Paid, reasonOf, refund, type World, XRP } from './world.ts';

let world: World;
let address: string;
let stray: Paid;
let ticket: number;
beforeAll(async () => {
  world = await openWorld();
  address = world.deposit.classicAddress;
  stray = await world.invest(world.investors[0]!, XRP, 500);
  [ticket] = (await world.createTickets(address, [refund(stray)])) as [number];
});
afterAll(() => world.close());

const payment = () => world.payment(refund(stray), ticket);
const logOf = ({ folder }: WitnessProcess) => path.join(folder, 'witness.log.jsonl');

/** Asks for what is owed, from a ledger that the witness has not seen yet. */
async function reason(witness: WitnessProcess): Promise<string> {
  world.ledger.accept();
  return reasonOf((await witness.ask(address, [await payment()]))[0]);
}

describe('the program of a witness, asked by who has a token and means no good', () => {
  let witness: WitnessProcess;
  const slow: { socket: Socket; closed: Promise<void> }[] = [];

  beforeAll(async () => {
    witness = await startProcess(world);
    const { hostname, port } = new URL(witness.url);
    const head = `POST /v1/signatures HTTP/1.1\r\nhost: witness\r\nauthorization: Bearer ${witness.token}\r\n`;
    // Headers that never end, and bodies that never come.
    for (const text of ['POST /v1/signatures HTTP/1.1\r\nhost: wit', `${head}content-length: 1000\r\n\r\n{"acc`]) {
      for (let count = 0; count < 20; count++) {
        const socket = connect(Number(port), hostname);
        const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
        socket.on('error', () => undefined).resume();
        socket.write(text);
        slow.push({ socket, closed });
      }
    }
  });
  afterAll(() => witness.stop());

  it('refuses what is nested without end, by itself, and answers the rest of the request', async () => {
    const deep = `${'['.repeat(60_000)}${']'.repeat(60_000)}`;
    const nested = `${'{"kind":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
    const good = JSON.stringify(await payment());
    const response = await witness.post(`{"account":"${address}","candidates":[${deep},${nested},${good}]}`);
    expect(response.status).toBe(200);
    const { results } = (await response.json()) as { results: Parameters<typeof reasonOf>[0][] };
    expect(results.map(reasonOf)).toEqual(['malformed', 'malformed', 'signed']);
    for (const body of ['', 'null', '[]', '{"__proto__":{"account":1}}', deep, '{"account":"r","candidates":[]}']) {
      expect((await witness.post(body)).status).toBe(400);
    }
  });

  it('signs what it is asked for again with the same bytes, without another line in its log', async () => {
    const candidate = await payment();
    const [one] = await witness.ask(address, [candidate]);
    const size = statSync(logOf(witness)).size;
    expect(await witness.ask(address, [candidate, candidate, candidate])).toEqual([one, one, one]);
    expect(statSync(logOf(witness)).size).toBe(size);
  });

  it('lets no flood of refusals fill its disk, and writes all of a request into a log that stays whole', async () => {
    const before = readLog(logOf(witness)).length;
    const wrong = { ...(await payment()), ticket: ticket + 1_000 };
    for (let count = 0; count < 3; count++) {
      expect(new Set((await witness.ask(address, new Array(200).fill(wrong))).map(reasonOf))).toEqual(
        new Set(['ticket_unknown']),
      );
    }
    expect(readLog(logOf(witness)).length - before).toBeLessThanOrEqual(300);
    expect((await witness.status()).refused_24h).toBeGreaterThanOrEqual(600);
  });

  it('is not held up by who sends slowly, and cuts them off', async () => {
    expect(slow.some(({ socket }) => !socket.closed)).toBe(true);
    expect(await reason(witness)).toBe('signed');
    await Promise.all(slow.map(({ closed }) => closed));
    expect(await reason(witness)).toBe('signed');
  });

  it('takes no more candidates in a minute than its operator allows', async () => {
    const strict = await startProcess(world, { settings: { limits: { candidates_a_minute: 5 } } });
    const body = JSON.stringify({ account: address, candidates: new Array(3).fill(await payment()) });
    expect((await strict.post(body)).status).toBe(200);
    const late = await strict.post(body);
    expect([late.status, Number(late.headers.get('retry-after')) > 0]).toEqual([429, true]);
    await strict.stop();
  });

  it('gives no signature away that it could not write down: a full disk stops it, and its log goes on where it was', async () => {
    const full = await startProcess(world, { fileKilobytes: 4 });
    let signed = 0;
    let stopped = 0;
    for (let fee = 40; stopped < 3 && fee < 200; fee++) {
      const response = await full.post(
        JSON.stringify({ account: address, candidates: [{ ...(await payment()), fee_drops: String(fee) }] }),
      );
      if (response.status === 200) signed += 1;
      else stopped += response.status === 503 ? 1 : 0;
    }
    expect([signed > 3, stopped]).toEqual([true, 3]);
    expect(await (await fetch(`${full.url}/health`)).json()).toMatchObject({ status: 'ok' });
    await full.stop();
    const { folder } = full;
    const again = await startProcess(world, { folder });
    expect(await reason(again)).toBe('signed');
    await again.stop();
    const lines = readLog(logOf(again));
    expect(lines.filter(({ event }) => event === 'signed')).toHaveLength(signed + 1);
    expect(readFileSync(logOf(again), 'utf8').endsWith('\n')).toBe(true);
  });
});

describe('the program of a witness, whose surroundings are not as they should be', () => {
  it('signs by the ledger’s time alone: a clock that is years off changes nothing', async () => {
    const YEARS_MS = 3 * 365 * 86_400_000;
    const candidate = await payment();
    const [right] = await world.ask(2, address, [candidate]);
    for (const clockOffsetMs of [-YEARS_MS, YEARS_MS]) {
      const wrong = await startProcess(world, { clockOffsetMs });
      expect(await wrong.ask(address, [candidate])).toEqual([right]);
      await wrong.stop();
    }
  });

  it('signs nothing while its servers contradict each other, lack a ledger, are of different chains or networks, lag or are away, and goes on when they agree, be it after an hour', async () => {
    const relay = await Relay.open(world.second.wsUrl);
    const witness = await startProcess(world, { ledger: [world.ledger.wsUrl, relay.url] });
    const fork = await startLedger({ networkId: NETWORK_ID });
    const foreign = await startLedger({ networkId: 1 });
    try {
      expect(await reason(witness)).toBe('signed');

      relay.leavesOut = true;
      await world.invest(world.investors[1]!, XRP, 501);
      expect(await reason(witness)).toBe('servers_disagree');
      relay.leavesOut = false;
      expect(await reason(witness)).toBe('signed');

      const missing = await world.index;
      world.second.faults.set({ missingLedgers: [{ from: missing, to: missing }] });
      expect(await reason(witness)).toBe('history_incomplete');
      world.second.faults.clear();
      expect(await reason(witness)).toBe('signed');

      while (fork.accept() <= (await world.index) + 5);
      relay.lead(fork.wsUrl);
      expect(await reason(witness)).toBe('servers_disagree');
      relay.lead(foreign.wsUrl);
      expect(await reason(witness)).toBe('catching_up');
      expect((await witness.status()).servers.map(({ ok }) => ok)).toEqual([true, false]);

      relay.lead('');
      for (let ledgers = 0; ledgers < 900; ledgers++) world.ledger.accept();
      expect(await reason(witness)).toBe('catching_up');
      relay.lead(world.second.wsUrl);
      expect(await reason(witness)).toBe('signed');

      world.second.faults.set({ lagLedgers: 40 });
      for (let ledgers = 0; ledgers < 40; ledgers++) world.ledger.accept();
      expect(await reason(witness)).toBe('expires_too_late');
      world.second.faults.clear();
      expect(await reason(witness)).toBe('signed');
    } finally {
      await witness.stop();
      relay.close();
      await fork.close();
      await foreign.close();
    }
  });
});
