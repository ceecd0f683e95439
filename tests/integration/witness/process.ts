import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sha256Hex } from '@tranche/rules/sha256.ts';
import type { SignaturesAnswer, StatusAnswer } from '@tranche/witness/protocol.ts';
import { WebSocketServer } from 'ws';
import { type Answer, NETWORK_ID, type World } from './world.ts';

const MAIN = path.resolve(import.meta.dirname, '../../../lib/witness/main.ts');
const CLOCK = new URL('../../faults/clock-offset.ts', import.meta.url).href;

export interface WitnessProcess {
  folder: string;
  url: string;
  token: string;
  ask(account: string, candidates: readonly unknown[]): Promise<Answer[]>;
  post(body: string, token?: string): Promise<Response>;
  status(): Promise<StatusAnswer>;
  stop(): Promise<void>;
}

/** Starts the program of a witness as its operator does, with the sale of this world approved. */
export async function startProcess(
  world: World,
  options: {
    ledger?: string[];
    settings?: object;
    folder?: string;
    clockOffsetMs?: number;
    fileKilobytes?: number;
  } = {},
): Promise<WitnessProcess> {
  const { folder = mkdtempSync(path.join(tmpdir(), 'witness-process-')), clockOffsetMs, fileKilobytes } = options;
  world.folders.push(folder);
  const token = randomBytes(32).toString('base64url');
  const { ledger = [world.ledger.wsUrl, world.second.wsUrl], settings = {} } = options;
  const config = {
    name: 'Process',
    network_id: NETWORK_ID,
    ledger,
    tokens_sha256: [createHash('sha256').update(token).digest('hex')],
    listen: { host: '127.0.0.1', port: 0 },
    ...settings,
  };
  writeFileSync(path.join(folder, 'witness.json'), JSON.stringify(config));
  mkdirSync(path.join(folder, 'approvals'), { recursive: true });
  const { projectId: project, canonical } = world;
  const approved = { project, terms_hash: sha256Hex(canonical), approved_at: new Date().toISOString(), canonical };
  writeFileSync(path.join(folder, 'approvals', `${project}.json`), JSON.stringify(approved));
  const clock = `import { setClockOffset } from ${JSON.stringify(CLOCK)}; setClockOffset(${clockOffsetMs ?? 0});`;
  const node = [
    ...(clockOffsetMs === undefined ? [] : ['--import', `data:text/javascript,${encodeURIComponent(clock)}`]),
    MAIN,
    'run',
    '--config',
    path.join(folder, 'witness.json'),
  ];
  const limit = fileKilobytes === undefined ? '' : `ulimit -f ${fileKilobytes}; `;
  const child = spawn('bash', ['-c', `${limit}exec "$0" "$@"`, process.execPath, ...node], {
    env: {
      NODE_ENV: 'test',
      PATH: process.env.PATH ?? '',
      WITNESS_KEY: world.keys[2]?.seed ?? '',
      // The compiled ledger library is larger than a limit that a test sets.
      ...(fileKilobytes === undefined && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.on('data', (text: Buffer) => {
      said += text.toString();
      const [, found] = /answers at (http:\S+)/.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`It ended with ${code}: ${said}`)));
  });
  const headers = { 'content-type': 'application/json' };
  const post = (body: string, given = token): Promise<Response> =>
    fetch(`${url}/v1/signatures`, { method: 'POST', headers: { ...headers, authorization: `Bearer ${given}` }, body });
  return {
    folder,
    url,
    token,
    post,
    async ask(account, candidates) {
      const response = await post(JSON.stringify({ account, candidates }));
      if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
      return ((await response.json()) as SignaturesAnswer).results;
    },
    async status() {
      const response = await fetch(`${url}/v1/status`, { headers: { authorization: `Bearer ${token}` } });
      return (await response.json()) as StatusAnswer;
    },
    async stop() {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** Stands between a witness and a ledger server: another server, none, or one that leaves out the last transaction of each history. */
export class Relay {
  target: string;
  leavesOut = false;
  readonly #server = new WebSocketServer({ host: '127.0.0.1', port: 0 });

  private constructor(target: string) {
    this.target = target;
    this.#server.on('connection', (client) => {
      if (this.target === '') return client.terminate();
      const real = new WebSocket(this.target);
      const waiting: string[] = [];
      client.on('message', (data) => {
        if (real.readyState === WebSocket.OPEN) real.send(String(data));
        else waiting.push(String(data));
      });
      client.on('close', () => real.close());
      real.addEventListener('open', () => {
        for (const each of waiting) real.send(each);
      });
      real.addEventListener('message', ({ data }) => {
        const answer = JSON.parse(String(data)) as { result?: { transactions?: unknown[] } };
        if (this.leavesOut) answer.result?.transactions?.pop();
        client.send(JSON.stringify(answer));
      });
    });
  }

  static async open(target: string): Promise<Relay> {
    const relay = new Relay(target);
    await once(relay.#server, 'listening');
    return relay;
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** From now on to another server, or to none. */
  lead(target: string): void {
    this.target = target;
    for (const client of this.#server.clients) client.terminate();
  }

  close(): void {
    this.lead('');
    this.#server.close();
  }
}
