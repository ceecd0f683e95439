import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { Command } from 'commander';
import { type Figure, isMet, reportMetrics } from '../figures.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const TARGET_MS = 3_000;
const LIVE_TIMEOUT_MS = 60_000;
const POLL_MS = 25;

const { rounds, port } = new Command('npx tranche bench reload')
  .description('Edits a copy of this repository under a sandbox with --dev, and times until each change is live')
  .option('--rounds <n>', 'changes of each file', Number, 5)
  .option('--port <n>', 'base port of the sandbox', Number, 3900)
  .parse()
  .opts<{ rounds: number; port: number }>();

interface Change {
  what: string;
  file: string;
  /** The file with the n-th change. Throws when the file no longer has what is to be changed. */
  change: (source: string, n: number) => string;
  /** Whether a reader sees the n-th change. */
  isLive: (baseUrl: string, n: number) => Promise<boolean>;
}

function replaced(source: string, text: string, by: string): string {
  if (!source.includes(text)) throw new Error(`Nothing says "${text}": name another text in bench/reload/main.ts`);
  return source.replace(text, by);
}

/** A change of a text, and the address that shows it. */
const textChange = (what: string, file: string, url: string, text: string): Change => ({
  what,
  file,
  change: (source, n) => replaced(source, text, `${text} ${n}`),
  isLive: async (baseUrl, n) => (await (await fetch(`${baseUrl}${url}`)).text()).includes(`${text} ${n}`),
});

const UNKNOWN = '/api/projects/proj_0000000000000000000000';

const CHANGES: readonly Change[] = [
  textChange('a page', 'app/(site)/wallets/page.tsx', '/wallets', 'Your wallet'),
  {
    what: 'a route',
    file: 'app/api/projects/[id]/route.ts',
    change: (source, n) =>
      `${source}export const HEAD = () => new Response(null, { headers: { 'x-change': '${n}' } });\n`,
    isLive: async (baseUrl, n) =>
      (await fetch(`${baseUrl}${UNKNOWN}`, { method: 'HEAD' })).headers.get('x-change') === String(n),
  },
  textChange('a verb', 'lib/sales/projects/project-resource.ts', UNKNOWN, 'There is no such project.'),
  textChange('a package', 'lib/verifier/published.ts', '/api/projects/none', 'must be a project id'),
];

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Hard links: nothing is copied, and a file that is written anew is another one. */
function linkTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (entry.isDirectory()) linkTree(source, target);
    else linkSync(source, target);
  }
}

/** The files of this repository as they are, with its libraries. */
function copyRepository(to: string): void {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: ROOT, encoding: 'utf8' });
  for (const file of files.split('\0')) {
    if (file === '' || !existsSync(path.join(ROOT, file))) continue;
    cpSync(path.join(ROOT, file), path.join(to, file));
  }
  linkTree(path.join(ROOT, 'node_modules'), path.join(to, 'node_modules'));
}

/** How long until the n-th change can be read, in milliseconds. */
async function timeChange(
  folder: string,
  baseUrl: string,
  source: string,
  n: number,
  { what, file, change, isLive }: Change,
) {
  writeFileSync(path.join(folder, file), change(source, n));
  const startedMs = performance.now();
  while (!(await isLive(baseUrl, n))) {
    if (performance.now() - startedMs > LIVE_TIMEOUT_MS) throw new Error(`A change of ${what} is not live: ${file}`);
    await pause(POLL_MS);
  }
  return performance.now() - startedMs;
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

// Beside the repository's own folder: hard links do not leave a file system.
const folder = mkdtempSync(path.join(path.dirname(ROOT), '.tranche-reload-'));
try {
  copyRepository(folder);
  const sandbox = spawn(
    process.execPath,
    ['lib/cli/tranche.cjs', 'sandbox', '--dev', '--no-demo', '--port', String(port)],
    { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = once(sandbox, 'exit');
  try {
    const startedMs = performance.now();
    for await (const line of createInterface({ input: sandbox.stdout })) if (line.startsWith('sandbox ready')) break;
    say(`ready after ${Math.round(performance.now() - startedMs)} ms`);
    const baseUrl = `http://127.0.0.1:${port}`;
    const figures: Figure[] = [];
    for (const change of CHANGES) {
      const source = readFileSync(path.join(folder, change.file), 'utf8');
      // What nobody has asked for is not compiled yet.
      await change.isLive(baseUrl, 0);
      const tookMs: number[] = [];
      for (let n = 1; n <= rounds; n++) tookMs.push(await timeChange(folder, baseUrl, source, n, change));
      const figure = {
        what: `until a change of ${change.what} is live`,
        value: Math.round(median(tookMs)),
        unit: 'ms',
      };
      figures.push({ ...figure, target: { atMost: TARGET_MS } });
      say(`${figure.what}: median ${figure.value} ms, all ${tookMs.map(Math.round).join(' ')}`);
    }
    reportMetrics('reload', figures);
    if (figures.some((figure) => isMet(figure) === false)) process.exitCode = 1;
  } finally {
    sandbox.kill('SIGTERM');
    await ended;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
