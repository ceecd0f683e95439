import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { approve, auditLog, findKey, halt, init, resume, revoke } from '@tranche/witness/commands.ts';
import { readApprovals } from '@tranche/witness/folder.ts';
import { readLog } from '@tranche/witness/log.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorld, refund, type World, XRP } from './world.ts';

let world: World;
let folder: string;
beforeAll(async () => {
  world = await openWorld();
  folder = mkdtempSync(path.join(tmpdir(), 'witness-commands-'));
});
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true });
});

const said = (answers: boolean[] = []) => {
  const out: string[] = [];
  const err: string[] = [];
  return {
    out: (text: string) => void out.push(text),
    err: (text: string) => void err.push(text),
    confirm: async () => answers.shift() ?? false,
    text: () => [...out, ...err].join('\n'),
    lines: out,
  };
};

describe('a witness of one’s own', () => {
  const config = () => path.join(folder, 'witness.json');
  const options = () => ({
    config: config(),
    name: 'Mine',
    networkId: 21_337,
    ledger: [world.ledger.wsUrl, world.second.wsUrl],
    lists: [],
    host: '127.0.0.1',
    port: 43_017,
    oneServer: false,
  });

  it('gets a key that only its operator reads, and a token of which the configuration holds the hash alone', () => {
    const terminal = said();
    expect(init(options(), terminal)).toBe(0);
    const [address, line] = terminal.lines as [string, string];
    expect(line).toBe(`${address}=<url>#${line.split('#')[1]}`);
    expect(findKey(folder).address).toBe(address);
    expect(statSync(path.join(folder, 'witness.key')).mode & 0o777).toBe(0o600);
    const text = readFileSync(config(), 'utf8');
    expect(text).not.toContain(line.split('#')[1]);
    expect(init(options(), said())).toBe(1);
    expect(readFileSync(config(), 'utf8')).toBe(text);

    chmodSync(path.join(folder, 'witness.key'), 0o644);
    expect(() => findKey(folder)).toThrow('chmod 600');
    expect(() => init({ ...options(), config: `${config()}.2`, ledger: [world.ledger.wsUrl] }, said())).not.toThrow(
      'seed',
    );
  });

  it('approves only terms that have the hash, name its key and keep what custody promises', async () => {
    writeFileSync(path.join(folder, 'witness.key'), `${world.keys[0]!.seed}\n`, { mode: 0o600 });
    chmodSync(path.join(folder, 'witness.key'), 0o600);
    const termsFile = path.join(folder, 'terms.json');
    const ask = { config: config(), project: world.projectId, termsHash: world.termsHash, termsFile, yes: false };
    writeFileSync(termsFile, world.canonical.replace('"0.10"', '"0.01"'));
    expect(await approve(ask, said([true]))).toBe(1);
    writeFileSync(termsFile, world.canonical);
    expect(await approve(ask, said([false]))).toBe(1);
    expect(existsSync(path.join(folder, 'approvals'))).toBe(false);
    const terminal = said([true]);
    expect(await approve(ask, terminal)).toBe(0);
    for (const shown of [world.termsHash, world.treasury.classicAddress, '0.10 XRP', 'Operator 1', '1000.000000 XRP']) {
      expect(terminal.text()).toContain(shown);
    }
    const revoking = { config: config(), project: world.projectId, yes: false };
    const asked = said([false]);
    expect(await revoke(revoking, asked), 'it is launched').toBe(1);
    expect(asked.text()).toContain('signs nothing for');
    expect(await revoke(revoking, said([true]))).toBe(0);
    expect(await revoke(revoking, said())).toBe(1);

    writeFileSync(path.join(folder, 'witness.key'), 'sEdTM1uX8pu2do5XvTnutH6HsouMaM2\n');
    const foreign = said([true]);
    expect(await approve(ask, foreign)).toBe(1);
    expect(foreign.text()).toContain('do not name the key');
  });

  it('approves terms whose tier requires a credential once its servers tell credentials, and shows whose', async () => {
    writeFileSync(path.join(folder, 'witness.key'), `${world.keys[0]!.seed}\n`);
    const terms = JSON.parse(world.canonical);
    terms.tiers[0].credential = { credential_type: '4B5943', issuers: [world.treasury.classicAddress] };
    const canonical = JSON.stringify({ ...terms, v: 2 });
    const termsHash = createHash('sha256').update(canonical).digest('hex');
    const termsFile = path.join(folder, 'credential-terms.json');
    writeFileSync(termsFile, canonical);
    const ask = { config: config(), project: world.projectId, termsHash, termsFile, yes: true };
    const file = path.join(folder, 'approvals', `${world.projectId}.json`);
    const untold = said([true]);
    // It holds the newest ledger alone.
    world.second.faults.set({ missingLedgers: [{ from: 1, to: (await world.index) - 1 }] });
    expect(await approve(ask, untold)).toBe(1);
    world.second.faults.clear();
    expect(untold.text()).toContain('a tier requires a credential that cannot be read');
    expect(existsSync(file)).toBe(false);
    const terminal = said([true]);
    expect(await approve(ask, terminal)).toBe(0);
    expect(terminal.text()).toContain(`the credential 4B5943 (KYC) of ${world.treasury.classicAddress}`);
    const { approvals, unreadable } = readApprovals(folder);
    rmSync(file);
    expect(approvals.map(({ terms }) => terms.hash)).toEqual([termsHash]);
    expect(unreadable).toEqual([]);
  });

  it('stops and goes on by its operator’s word', () => {
    expect(resume({ config: config() }, said())).toBe(1);
    expect(halt({ config: config(), reason: 'why' }, said())).toBe(0);
    expect(resume({ config: config() }, said())).toBe(0);
  });
});

describe('an audit', () => {
  it('finds what became of everything that was signed, and names a log that was changed', async () => {
    const stray = await world.invest(world.investors[0]!, XRP, 900);
    const address = world.deposit.classicAddress;
    const [ticket] = await world.createTickets(address, [refund(stray)]);
    await world.sendSigned(
      address,
      await world.payment(refund(stray), ticket!),
      world.refundOf(world.investors[0]!, XRP),
    );
    await world.ask(0, address, [await world.payment(refund(stray), ticket!)]);
    const own = world.folderOf(0);
    const config = path.join(own, 'witness.json');
    writeFileSync(config, JSON.stringify(world.witnesses[0]!.witness.config));
    writeFileSync(path.join(own, 'witness.key'), world.keys[0]!.seed, { mode: 0o600 });
    const terminal = said();
    expect({ code: await auditLog({ config }, terminal), text: terminal.text() }).toMatchObject({
      code: 0,
      text: expect.stringContaining('Signed 3: 3 validated, 0 open, 0 can no longer be validated. Refused 1.'),
    });
    const log = path.join(own, 'witness.log.jsonl');
    const lines = readFileSync(log, 'utf8');
    expect(lines).not.toContain(world.keys[0]!.seed);
    expect(lines).not.toContain(world.witnesses[0]!.token);
    writeFileSync(log, lines.replace('"kind":"payment"', '"kind":"ticket"'));
    expect(() => readLog(log)).toThrow('was changed');
    writeFileSync(log, lines);
  });
});
