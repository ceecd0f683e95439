import { createHash } from 'node:crypto';
import { on } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { configSchema } from '@tranche/witness/config.ts';
import { z } from 'zod';
import { inheritedEnvironment } from './app-env.ts';
import type { Child } from './child.ts';
import { SandboxFailure } from './failure.ts';
import { firstMessage } from './health.ts';
import type { Layout } from './layout.ts';
import type { Secrets } from './secrets.ts';
import type { Supervisor } from './supervisor.ts';
import { printError } from './terminal.ts';

const PROGRAM = path.join(import.meta.dirname, 'witness-program.ts');
const READY_TIMEOUT_MS = 30_000;
const APPROVED_TIMEOUT_MS = 35_000;
const RESTART_AFTER_MS = 500;

const addresses = z.array(z.object({ url: z.string(), key: z.string() }));
const approvedMessage = z.object({ approved: z.literal(true) });

export type RunningWitness = { name: string; url: string; key: string; token: string };
export type Witnesses = {
  running: RunningWitness[];
  /** Of the process that is there now. */
  pid(): number | undefined;
  /** Makes each of them sign for the sale with these terms; resolves once it has read the ledger for it, or after 30 seconds. */
  approve(canonical: string): Promise<void>;
};

type Environment = { layout: Layout; secrets: Secrets; supervisor: Supervisor; signal: AbortSignal };

/** Starts the witnesses, all in one process of their own, which is started again when it dies. */
export async function startWitnesses(
  { layout, secrets, supervisor, signal }: Environment,
  { ledgerUrl, networkId, baseUrl }: { ledgerUrl: string; networkId: number; baseUrl: string },
): Promise<Witnesses> {
  // Of a ledger that is no more.
  await rm(layout.witnessFolder, { recursive: true, force: true });
  const folders = secrets.witnesses.map(({ name }) => path.join(layout.witnessFolder, name));
  /** As `tranche witness init` makes them: its commands work on them. */
  const writeSettings = (ports: readonly number[]): Promise<unknown> =>
    Promise.all(
      secrets.witnesses.map(({ name, token }, index) => {
        const settings: z.input<typeof configSchema> = {
          name,
          network_id: networkId,
          ledger: [ledgerUrl],
          one_server: true,
          lists: [baseUrl],
          tokens_sha256: [createHash('sha256').update(token).digest('hex')],
          listen: { host: '127.0.0.1', port: ports[index] ?? 0 },
        };
        return writeFile(path.join(folders[index] ?? '', 'witness.json'), `${JSON.stringify(settings, null, 2)}\n`);
      }),
    );
  await Promise.all(
    secrets.witnesses.map(async ({ seed }, index) => {
      const folder = folders[index] ?? '';
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(path.join(folder, 'witness.key'), `${seed}\n`, { mode: 0o600 });
    }),
  );
  await writeSettings([]);

  const start = (): Child =>
    supervisor.startOptional({
      name: 'witnesses',
      args: [PROGRAM],
      env: { ...inheritedEnvironment(), WITNESS_FOLDERS: JSON.stringify(folders) },
      cwd: layout.root,
      talks: true,
    });

  let child = start();
  const ended = child.ended.then((): never => {
    throw new SandboxFailure(`The witnesses ended at their start.\nLog: ${child.logFile}`);
  });
  const found = addresses.parse(await Promise.race([firstMessage(child, READY_TIMEOUT_MS), ended]));
  // At the same addresses after a restart: the app knows them by its settings.
  await writeSettings(found.map(({ url }) => Number(new URL(url).port)));
  const restart = (): void => {
    void child.ended.then(async () => {
      await sleep(RESTART_AFTER_MS, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      printError(`the witnesses ended and are started again. Log: ${child.logFile}`);
      child = start();
      restart();
    });
  };
  // From here on its end is no failure of the start.
  ended.catch(() => {});
  restart();
  return {
    running: found.map(({ url, key }, index) => ({
      url,
      key,
      name: secrets.witnesses[index]?.name ?? '',
      token: secrets.witnesses[index]?.token ?? '',
    })),
    pid: () => child.process.pid,
    async approve(canonical) {
      const messages = on(child.process, 'message', {
        signal: AbortSignal.any([signal, AbortSignal.timeout(APPROVED_TIMEOUT_MS)]),
      });
      child.process.send({ approve: canonical });
      // One that was just started again may still tell its addresses.
      for await (const [message] of messages) if (approvedMessage.safeParse(message).success) return;
    },
  };
}
