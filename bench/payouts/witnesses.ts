import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { init } from '@tranche/witness/commands.ts';
import { healthAnswer } from '@tranche/witness/protocol.ts';
import { z } from 'zod';
import { NETWORK_ID } from '../spawn-ledger.ts';

const PROGRAM = path.join(import.meta.dirname, '..', '..', 'sandbox', 'launcher', 'witness-program.ts');
const COUNT = 3;
const POLL_MS = 50;

const started = z.tuple([z.object({ url: z.string(), key: z.string() })]);

export interface Witnesses {
  keys: readonly string[];
  /** The platform's setting. */
  setting: string;
  /** Makes each of them sign for the sale with these terms, and waits until they have read the ledger up to this index. */
  approve(canonical: string, ledgerIndex: number): Promise<void>;
  end(): Promise<void>;
}

/** Three witnesses, each a process with a key and a ledger connection of its own, asked over HTTP. */
export async function startWitnesses(ledgerUrl: string): Promise<Witnesses> {
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-witnesses-'));
  const running = await Promise.all(Array.from({ length: COUNT }, (_, index) => start(ledgerUrl, folder, index)));
  return {
    keys: running.map(({ key }) => key),
    setting: running.map(({ key, url, token }) => `${key}=${url}#${token}`).join(','),
    async approve(canonical, ledgerIndex) {
      await Promise.all(
        running.map(async ({ child, url }) => {
          child.send({ approve: canonical });
          await once(child, 'message');
          while ((await readHealth(url)).ledger_index < ledgerIndex) await sleep(POLL_MS);
        }),
      );
    },
    async end() {
      for (const { child } of running) child.kill();
      await Promise.all(running.map(({ child }) => (child.exitCode === null ? once(child, 'exit') : null)));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const readHealth = async (url: string) => healthAnswer.parse(await (await fetch(`${url}/health`)).json());

async function start(
  ledgerUrl: string,
  parent: string,
  index: number,
): Promise<{ child: ChildProcess; key: string; url: string; token: string }> {
  const name = `W${index + 1}`;
  const folder = path.join(parent, name);
  const lines: string[] = [];
  init(
    {
      config: path.join(folder, 'witness.json'),
      name,
      networkId: NETWORK_ID,
      ledger: [ledgerUrl],
      lists: [],
      host: '127.0.0.1',
      port: 0,
      oneServer: true,
    },
    { out: (text) => lines.push(text), err: () => {}, confirm: async () => false },
  );
  const token = lines.at(-1)?.split('#')[1] ?? '';
  const child = spawn(process.execPath, [PROGRAM], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, WITNESS_FOLDERS: JSON.stringify([folder]) },
  });
  const ended = once(child, 'exit').then(() => {
    throw new Error(`The witness ${name} did not start`);
  });
  const [message] = await Promise.race([once(child, 'message'), ended]);
  ended.catch(() => {});
  const [{ key, url }] = started.parse(message);
  return { child, key, url, token };
}
