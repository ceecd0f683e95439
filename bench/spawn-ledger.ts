import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export const NETWORK_ID = 21_337;

/** The sandbox ledger in a process of its own, as a real server would be; it closes on demand. */
export async function spawnLedger(): Promise<{ wsUrl: string; child: ChildProcess }> {
  const script = new URL('../sandbox/ledger/main.ts', import.meta.url).pathname;
  const child = spawn(
    process.execPath,
    [script, '--port', '0', '--ledger-interval', '0', '--network-id', String(NETWORK_ID)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  for await (const line of createInterface({ input: child.stdout })) {
    const wsUrl = /ws\s+(ws:\S+)/.exec(line)?.[1];
    if (wsUrl !== undefined) return { wsUrl, child };
  }
  throw new Error('The sandbox ledger did not start');
}
