import { globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { HEAVY_LIBRARIES, LOADED_BY_USE } from './heavy-libraries.ts';

/** The build that the sandbox of these tests serves. */
const SERVER = path.resolve(import.meta.dirname, '../../.next/server');
const APP = path.join(SERVER, 'app');

const PACKAGE = /node_modules\/((?:@[\w.-]+\/)?[\w.-]+)\/(?!.*node_modules\/)/;
const packageOf = (file: string): string[] => PACKAGE.exec(file)?.slice(1) ?? [];

/** Packages whose modules were put into a chunk, by its source map. */
const bundled = new Map<string, ReadonlySet<string>>();
function packagesIn(chunk: string): ReadonlySet<string> {
  const known = bundled.get(chunk);
  if (known !== undefined) return known;
  const { sources = [], sections = [] } = JSON.parse(readFileSync(`${chunk}.map`, 'utf8')) as SourceMap;
  const all = [...sources, ...sections.flatMap(({ map }) => map.sources ?? [])];
  // Source maps write their paths as addresses, `@` among them.
  const found = new Set(all.flatMap((source) => packageOf(decodeURIComponent(source))));
  bundled.set(chunk, found);
  return found;
}

interface SourceMap {
  sources?: string[];
  sections?: { map: SourceMap }[];
}

/** Every package that the files of an entry hold, whether it is loaded at once, later, or never. */
function packagesOf(trace: string): ReadonlySet<string> {
  const { files } = JSON.parse(readFileSync(trace, 'utf8')) as { files: string[] };
  const paths = files.map((file) => path.resolve(path.dirname(trace), file));
  const chunks = paths.filter((file) => file.startsWith(path.join(SERVER, 'chunks')) && file.endsWith('.js'));
  return new Set([...paths.flatMap(packageOf), ...chunks.flatMap((chunk) => [...packagesIn(chunk)])]);
}

const routes = globSync('**/route.js.nft.json', { cwd: APP }).map(
  (trace) => [path.posix.dirname(trace), packagesOf(path.join(APP, trace))] as const,
);

test('the build is read whole: every route that is known to use a library has it', () => {
  expect(routes.length).toBeGreaterThan(50);
  const having = (name: string) => routes.filter(([, packages]) => packages.has(name)).map(([route]) => route);
  expect(having('xrpl')).toEqual(expect.arrayContaining(['api/system/status', 'api/queue/continue']));
  expect(having('pg')).toContain('api/projects');
  expect(having('prom-client')).toContain('api/system/metrics');
  // External, where the ones before are in the chunks.
  expect(having('undici')).toContain('api/queue/deliver');
});

/** The chunks that a route's first request loads whatever it asks: its entry names them. */
function chunksAtOnce(route: string): string[] {
  const entry = readFileSync(path.join(APP, route, 'route.js'), 'utf8');
  return [...entry.matchAll(/R\.c\("server\/(chunks\/[^"]+\.js)"\)/g)].map(([, chunk = '']) =>
    path.join(SERVER, chunk),
  );
}

const packagesAtOnce = (route: string): ReadonlySet<string> =>
  new Set(chunksAtOnce(route).flatMap((chunk) => [...packagesIn(chunk)]));

test('what the first request of a route loads is bounded in size', () => {
  const sizes = routes.map(([route]) => chunksAtOnce(route).reduce((sum, chunk) => sum + statSync(chunk).size, 0));
  expect(sizes.filter((size) => size > 200_000).length).toBeGreaterThan(50);
  expect(Math.max(...sizes)).toBeLessThan(830_000);
  expect(sizes.toSorted((a, b) => a - b)[Math.floor(sizes.length / 2)]).toBeLessThan(605_000);
});

test.each(LOADED_BY_USE)('no route loads %s before a verb or a limit asks for it', (name) => {
  const atOnce = routes.map(([route]) => [route, packagesAtOnce(route)] as const);
  // The entries are read as they are written: each loads zod for its contract.
  expect(atOnce.filter(([, packages]) => packages.has('zod')).length).toBeGreaterThan(50);
  expect(routes.some(([, packages]) => packages.has(name))).toBe(true);
  expect(atOnce.filter(([, packages]) => packages.has(name)).map(([route]) => route)).toEqual([]);
});

test('the database driver is in the chunks of routes: Node loads no file of it by itself', () => {
  const external = globSync('**/route.js.nft.json', { cwd: APP }).filter((trace) =>
    readFileSync(path.join(APP, trace), 'utf8').includes('/node_modules/pg/'),
  );
  expect(external).toEqual([]);
});

test('the modules of every chunk are in parentheses, so that they are compiled while it is read', () => {
  const chunks = globSync('chunks/**/*.js', { cwd: SERVER }).map((file) =>
    readFileSync(path.join(SERVER, file), 'utf8'),
  );
  const withModules = chunks.filter((code) => code.startsWith('module.exports=['));
  expect(withModules.length).toBeGreaterThan(1_000);
  const first = /^module\.exports=\[(?:[\de]+,)+\((?:\(|[\w$]+=>|function|async)/;
  expect(withModules.filter((code) => !first.test(code)).map((code) => code.slice(0, 80))).toEqual([]);
});

test('the document that the build prepared goes with the functions that serve it', () => {
  const { files } = JSON.parse(readFileSync(path.join(APP, 'api/openapi.json/route.js.nft.json'), 'utf8')) as {
    files: string[];
  };
  expect(files.map((file) => path.basename(file))).toEqual(
    expect.arrayContaining(['openapi-rest.json', 'openapi-rest.deflate']),
  );
});

describe.each(Object.entries(HEAVY_LIBRARIES))('the library %s', (name, allowed) => {
  test('is in no route that does not use it', () => {
    const having = routes.filter(([, packages]) => packages.has(name)).map(([route]) => route);
    expect(having.filter((route) => !allowed.includes(route))).toEqual([]);
  });
});

test('nothing that only development needs is in any route', () => {
  const development = Object.keys(packageJson.devDependencies).filter((name) => !(name in packageJson.dependencies));
  // Packages of ours stand on it too.
  const needed = new Set(['ripple-binary-codec', 'ws']);
  for (const [route, packages] of routes) {
    expect(
      development.filter((name) => packages.has(name) && !needed.has(name)),
      route,
    ).toEqual([]);
  }
});

test('what every process loads before its first request holds no library of the ledger’s or the assistant’s', () => {
  const start = packagesOf(path.join(SERVER, 'instrumentation.js.nft.json'));
  expect(['xrpl', 'undici', 'openai'].filter((name) => start.has(name))).toEqual([]);
});
