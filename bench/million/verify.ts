import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { type VerificationReport, verificationReport } from '@tranche/verifier/report.ts';
import { memoryOf } from './processes.ts';

const VERIFIER = new URL('../../lib/verifier/main.ts', import.meta.url).pathname;
const LOOK_EVERY_MS = 1_000;
const SAY_EVERY_MS = 30_000;

export interface Verified {
  report: VerificationReport;
  elapsedMs: number;
  peakBytes: number;
}

/** The published verifier checks a sale, in a process of its own that knows the addresses of platform and ledger alone. */
export async function verifyFromOutside(
  asked: { baseUrl: string; projectId: string; ledgerUrl: string; signal: AbortSignal },
  say: (line: string) => void,
): Promise<Verified> {
  const { baseUrl, projectId, ledgerUrl, signal } = asked;
  const startedAt = performance.now();
  const args = [VERIFIER, '--base-url', baseUrl, '--project', projectId, '--ledger', ledgerUrl, '--json'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], signal });
  let peakBytes = 0;
  const timer = setInterval(() => {
    if (child.pid !== undefined) peakBytes = Math.max(peakBytes, memoryOf(child.pid));
  }, LOOK_EVERY_MS);
  let last = '';
  let saidAt = startedAt;
  createInterface({ input: child.stderr }).on('line', (line) => {
    last = line;
    if (performance.now() - saidAt < SAY_EVERY_MS) return;
    saidAt = performance.now();
    say(`  verifier: ${line}`);
  });
  const failed = new Promise<never>((_, reject) => child.once('error', reject));
  try {
    const output = await Promise.race([text(child.stdout), failed]);
    if (output === '') throw new Error(`The verifier gave no report: ${last}`);
    const report = verificationReport.parse(JSON.parse(output));
    return { report, elapsedMs: performance.now() - startedAt, peakBytes };
  } finally {
    clearInterval(timer);
  }
}
