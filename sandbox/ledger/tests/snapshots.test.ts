import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Client } from 'xrpl';
import { type SandboxLedger, SnapshotError, startLedger } from '../index.ts';
import { pay, type Rig, send, settle, startRig, threeWallets } from './support.ts';

let rig: Rig;
let folder: string;
beforeEach(async () => {
  rig = await startRig();
  folder = await mkdtemp(path.join(tmpdir(), 'xrpl-sandbox-'));
});
afterEach(async () => {
  await rig.stop();
  await rm(folder, { recursive: true });
});

/** What no two ledgers have in common unless one is the other. */
async function state(client: Client) {
  const { result } = await client.request({ command: 'ledger', ledger_index: 'validated' });
  const entries = await client.request({ command: 'ledger_data', ledger_index: 'validated', limit: 2048 });
  return { hash: result.ledger_hash, index: result.ledger_index, entries: entries.result.state };
}

/** An issuer with a holder who has 25 USD, an offer, a ticket, and a payment that waits in the open ledger. */
async function populate(ledger: Rig) {
  const [issuer, holder, other] = await threeWallets(ledger);
  const limit = { currency: 'USD', issuer: issuer.address, value: '1000' };
  await settle(ledger, holder, { TransactionType: 'TrustSet', Account: holder.address, LimitAmount: limit });
  await settle(ledger, issuer, pay(issuer.address, holder.address, { ...limit, value: '25' }));
  await settle(ledger, holder, { TransactionType: 'TicketCreate', Account: holder.address, TicketCount: 2 });
  const waiting = await send(ledger, other, pay(other.address, issuer.address, '5000000'));
  return { issuer, holder, other, limit, waiting };
}

describe('a snapshot', () => {
  test('is returned to exactly, as often as wanted, and what waited still waits', async () => {
    const { issuer, holder, other, limit, waiting } = await populate(rig);
    const before = await state(rig.client);
    const number = rig.ledger.snapshot();
    for (const round of [1, 2]) {
      rig.ledger.accept();
      await settle(rig, issuer, pay(issuer.address, holder.address, { ...limit, value: String(round) }));
      await settle(rig, holder, {
        TransactionType: 'TrustSet',
        Account: holder.address,
        LimitAmount: { ...limit, value: '7' },
      });
      await settle(rig, issuer, { TransactionType: 'MPTokenIssuanceCreate', Account: issuer.address });
      const later = await state(rig.client);
      rig.ledger.restore(number);
      expect(await state(rig.client)).toEqual(before);
      await expect(rig.client.request({ command: 'ledger', ledger_index: later.index })).rejects.toThrow(
        'ledgerNotFound',
      );
      const { result } = await rig.client.request({ command: 'account_tx', account: holder.address });
      expect(result.transactions).toHaveLength(4);
    }
    const open = await rig.client.request({ command: 'account_info', account: other.address, ledger_index: 'current' });
    expect(open.result.account_data.Balance).toBe('994999988');
    rig.ledger.accept();
    const { result } = await rig.client.request({ command: 'tx', transaction: waiting.hash });
    expect(result.validated).toBe(true);
  });

  test('leads to the same hashes when the same happens again', async () => {
    const [sender, receiver] = await threeWallets(rig);
    const number = rig.ledger.snapshot();
    const hashes: unknown[] = [];
    for (let round = 0; round < 2; round++) {
      const { filled } = await send(rig, sender, pay(sender.address, receiver.address, '1000000'));
      expect(filled.Sequence).toBeDefined();
      rig.ledger.accept();
      const { result } = await rig.client.request({ command: 'ledger', ledger_index: 'validated' });
      hashes.push(result.ledger.account_hash);
      rig.ledger.restore(number);
    }
    expect(hashes[0]).toBe(hashes[1]);
  });

  test('is taken and returned to by commands; one that is unknown or whose ledger is gone is refused', async () => {
    const short = await startRig({ historyLedgers: 3 });
    const request = (command: string, more: object = {}) => short.client.request({ command, ...more } as never);
    expect(await request('sandbox_snapshot')).toMatchObject({ result: { snapshot: 1, ledger_index: 2 } });
    short.ledger.accept();
    expect(await request('sandbox_restore', { snapshot: 1 })).toMatchObject({ result: { ledger_index: 2 } });
    await expect(request('sandbox_restore', { snapshot: 2 })).rejects.toThrow('there is no snapshot 2');
    await expect(request('sandbox_restore', { snapshot: '1' })).rejects.toThrow("Invalid field 'snapshot'");
    for (let i = 0; i < 4; i++) short.ledger.accept();
    await expect(request('sandbox_restore', { snapshot: 1 })).rejects.toThrow(
      'ledger 2 of snapshot 1 is no longer held',
    );
    expect(() => short.ledger.restore(1)).toThrow(SnapshotError);
    await short.stop();
  });

  test('takes the clock back with it', async () => {
    const number = rig.ledger.snapshot();
    rig.ledger.advanceTime(86_400);
    rig.ledger.restore(number);
    rig.ledger.accept();
    const { result } = await rig.client.request({ command: 'ledger', ledger_index: 'validated' });
    expect(Math.abs(Date.parse(String(result.ledger.close_time_iso)) - Date.now())).toBeLessThan(60_000);
  });
});

describe('a dump', () => {
  const started: { ledger: SandboxLedger; client: Client }[] = [];
  async function load(file: string): Promise<Client> {
    const ledger = await startLedger({ load: file, intervalMs: 0 });
    const client = new Client(ledger.wsUrl);
    await client.connect();
    started.push({ ledger, client });
    return client;
  }
  afterEach(async () => {
    for (const { ledger, client } of started.splice(0)) {
      await client.disconnect();
      await ledger.close();
    }
  });

  test('goes on in another process with every ledger, transaction and hash, and with what waited', async () => {
    const { holder, waiting } = await populate(rig);
    const file = path.join(folder, 'ledger.ndjson');
    rig.ledger.dump(file);
    const client = await load(file);
    expect(await state(client)).toEqual(await state(rig.client));
    const question = {
      command: 'account_tx',
      account: holder.address,
      ledger_index_min: -1,
      ledger_index_max: -1,
    } as const;
    const strip = ({ result }: { result: { transactions: unknown } }) => result.transactions;
    expect(strip(await client.request(question))).toEqual(strip(await rig.client.request(question)));
    const old = { command: 'account_lines', account: holder.address, ledger_index: 5 } as const;
    expect((await client.request(old)).result).toEqual((await rig.client.request(old)).result);
    const last = await client.getLedgerIndex();
    started[0]?.ledger.accept();
    const { result } = await client.request({ command: 'tx', transaction: waiting.hash });
    expect(result).toMatchObject({ validated: true, ledger_index: last + 1 });
    const next = await client.request({ command: 'ledger', ledger_index: last + 1 });
    const before = await rig.client.request({ command: 'ledger', ledger_index: last });
    expect(next.result.ledger.parent_hash).toBe(before.result.ledger_hash);
  });

  test('of a ledger that forgot its beginning loads as far as it goes', async () => {
    const short = await startRig({ historyLedgers: 3, networkId: 21_338, baseFeeDrops: 15 });
    for (let i = 0; i < 9; i++) short.ledger.accept();
    const file = path.join(folder, 'short.ndjson');
    short.ledger.dump(file);
    const client = await load(file);
    expect(await state(client)).toEqual(await state(short.client));
    const { result } = await client.request({ command: 'server_info' });
    expect(result.info).toMatchObject({ network_id: 21_338, complete_ledgers: '9-11' });
    await expect(startLedger({ load: file, networkId: 5 })).rejects.toThrow(
      'its networkId is 21338, and 5 was asked for',
    );
    await short.stop();
  });

  test('loads nothing when a single value of it was changed, when its end is missing, or when it is something else', async () => {
    await populate(rig);
    const file = path.join(folder, 'ledger.ndjson');
    rig.ledger.dump(file);
    const whole = await readFile(file, 'utf8');
    const lines = whole.split('\n');
    const damaged = path.join(folder, 'damaged.ndjson');
    const refusal = async (text: string): Promise<string> => {
      await writeFile(damaged, text);
      return startLedger({ load: damaged }).then(
        (ledger) => ledger.close().then(() => 'loaded'),
        (error: Error) => `${error.name}: ${error.message}`,
      );
    };
    expect(await refusal(whole.replace(/"value":"(-?)25"/, '"value":"$126"'))).toMatch(
      /line \d+: its (entries|transactions) do not/,
    );
    expect(await refusal(whole.replace('"Balance":"100000000000000000"', '"Balance":"100000000000000001"'))).toMatch(
      /line 2: its entries do not have the hash that its header names/,
    );
    expect(await refusal(lines.slice(0, -2).join('\n'))).toMatch(/it ends with ledger \d+ in place of \d+/);
    expect(await refusal([...lines.slice(0, 3), ...lines.slice(4)].join('\n'))).toMatch(/line 4: /);
    expect(await refusal(whole.slice(0, -20))).toMatch(/it cannot be read/);
    expect(await refusal(whole.replace('"version":1', '"version":9'))).toMatch(
      /version 9 of the format, and this release reads 1/,
    );
    expect(await refusal('{"what": "is this"}')).toMatch(/it is no dump of xrpl-sandbox/);
    expect(await refusal('')).toMatch(/it is empty/);
    expect(await startLedger({ load: path.join(folder, 'absent') }).catch((error: Error) => error.message)).toMatch(
      /absent cannot be read/,
    );
  });
});

describe('time', () => {
  const closeTime = async (): Promise<number> =>
    (await rig.client.request({ command: 'ledger', ledger_index: 'validated' })).result.ledger.close_time;

  test('moves on by what is asked; the ledgers that follow are later still', async () => {
    const before = await closeTime();
    const { result } = await rig.client.request({ command: 'sandbox_advance_time', seconds: 3_600 } as never);
    const later = (result as { close_time: number }).close_time - before;
    expect(later).toBeGreaterThanOrEqual(3_600);
    expect(later).toBeLessThan(3_620);
    expect(await closeTime()).toBe((result as { close_time: number }).close_time);
    const travelled = await closeTime();
    rig.ledger.accept();
    expect(await closeTime()).toBeGreaterThan(travelled);
    for (const seconds of [0, -1, 1.5, '60', 2 ** 32 - 1]) {
      await expect(rig.client.request({ command: 'sandbox_advance_time', seconds } as never)).rejects.toThrow(
        "Invalid field 'seconds'",
      );
    }
  });

  test('stands where it was told to start, in steps as the network takes them', async () => {
    const then = await startRig({ startTime: new Date('2030-06-01T12:00:02Z') });
    const { result } = await then.client.request({ command: 'ledger', ledger_index: 'validated' });
    expect(result.ledger.close_time_iso).toBe('2030-06-01T12:00:00Z');
    then.ledger.accept();
    const next = await then.client.request({ command: 'ledger', ledger_index: 'validated' });
    expect(next.result.ledger.close_time_iso).toBe('2030-06-01T12:00:01Z');
    await then.stop();
  });

  test('is what an escrow and an offer wait for: one is due and the other gone, and not a moment before', async () => {
    const { holder, issuer, limit } = await populate(rig);
    const due = (await closeTime()) + 86_400;
    const escrow = await settle(rig, holder, {
      TransactionType: 'EscrowCreate',
      Account: holder.address,
      Destination: issuer.address,
      Amount: '5000000',
      FinishAfter: due,
    });
    const offer = { TransactionType: 'OfferCreate', Account: holder.address } as const;
    const amounts = { TakerGets: '1000000', TakerPays: { ...limit, value: '1' } };
    await settle(rig, holder, { ...offer, ...amounts, Expiration: due });
    const finish = {
      TransactionType: 'EscrowFinish',
      Account: issuer.address,
      Owner: holder.address,
      OfferSequence: escrow.filled.Sequence ?? 0,
    } as const;
    rig.ledger.advanceTime(86_000);
    expect((await send(rig, issuer, finish)).result).toBe('tecNO_PERMISSION');
    rig.ledger.advanceTime(401);
    expect((await send(rig, issuer, finish)).result).toBe('tesSUCCESS');
    // Nobody pays in XRP with an offer that expired.
    const cross = { TransactionType: 'OfferCreate', Account: issuer.address } as const;
    const takes = { TakerGets: { ...limit, value: '1' }, TakerPays: '1000000', Flags: 0x00020000 };
    expect((await send(rig, issuer, { ...cross, ...takes })).result).toBe('tecKILLED');
  });
});
