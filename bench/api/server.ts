import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { COPY, NEXT } from './build.ts';

export interface Server {
  url: string;
  /** Milliseconds of processor time that it has used; what else the machine does is not in it. Linux only, else NaN. */
  cpuMs(): Promise<number>;
  end(): Promise<void>;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('There is no free port');
  return address.port;
}

async function cpuMsOf(pid: number | undefined): Promise<number> {
  try {
    const threads = await readdir(`/proc/${pid}/task`);
    const spent = threads.map(async (id) =>
      Number((await readFile(`/proc/${pid}/task/${id}/schedstat`, 'utf8')).split(' ')[0]),
    );
    return (await Promise.all(spent)).reduce((sum, ns) => sum + ns, 0) / 1e6;
  } catch {
    return Number.NaN;
  }
}

/** A fresh process of the built copy. It listens, and has answered nothing. */
export async function startServer(settings: Record<string, string | undefined>): Promise<Server> {
  const port = await freePort();
  const child = spawn(process.execPath, [NEXT, 'start', '-H', '127.0.0.1', '-p', String(port)], {
    cwd: COPY,
    env: { ...process.env, ...settings, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => {
      if (line.includes('Ready in')) resolve();
    });
    void exited.then(() => reject(new Error('The server ended before it was ready')));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    cpuMs: () => cpuMsOf(child.pid),
    async end() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
