import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire, SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { encode } from '@jridgewell/sourcemap-codec';
import { afterEach, beforeEach, expect, test } from 'vitest';

const PROGRAM = path.resolve(import.meta.dirname, '../../../lib/base/parse-modules-once.ts');

let output: string;
beforeEach(async () => {
  output = await mkdtemp(path.join(tmpdir(), 'chunks-'));
  await mkdir(path.join(output, 'server/chunks/ssr'), { recursive: true });
});
afterEach(() => rm(output, { recursive: true }));

const run = () => promisify(execFile)(process.execPath, [PROGRAM, output]);
const at = (name: string) => path.join(output, 'server/chunks', name);
const load = (name: string): unknown => createRequire(import.meta.url)(at(name));

const CODE = `module.exports=[1,one=>{one.push("first",(()=>"inner")())},2,3,(two,three)=>{two.push("second")
},4,function(four){four.push("third")},5,(five=>{five.push("fourth")})];
`;

/** Where each word of a text is: line and column. */
const wordsOf = (code: string) =>
  code
    .split('\n')
    .flatMap((text, line) =>
      [...text.matchAll(/[a-z]+|[{}]/g)].map(({ 0: word, index: column }) => ({ word, line, column })),
    );

/** A map that tells of the nth word of a text that it was in line n. */
function mapOf(code: string): string {
  const segments = wordsOf(code).map(({ line, column }, index) => ({ line, segment: [column, 0, index, 0] as const }));
  const lines = code.split('\n').map((_, line) => segments.filter((one) => one.line === line));
  const mappings = encode(lines.map((line) => line.map(({ segment }) => [...segment])));
  return JSON.stringify({ version: 3, sources: ['source.ts'], names: [], mappings });
}

async function writeChunk(name: string, code: string): Promise<void> {
  await writeFile(at(name), code);
  await writeFile(at(`${name}.map`), mapOf(code));
}

const calledInOrder = (chunk: unknown): string[] => {
  const calls: string[] = [];
  for (const entry of chunk as unknown[]) if (typeof entry === 'function') entry(calls);
  return calls;
};

test('every module of a chunk is in parentheses afterwards, and does what it did', async () => {
  await writeChunk('a.cjs', CODE);
  await writeChunk('b.js', CODE);
  await writeChunk('ssr/c.js', CODE);
  await writeFile(path.join(output, 'package.json'), '{"type":"commonjs"}');
  await run();
  const code = await readFile(at('b.js'), 'utf8');
  expect(code).toBe(`module.exports=[1,(one=>{one.push("first",(()=>"inner")())}),2,3,((two,three)=>{two.push("second")
}),4,(function(four){four.push("third")}),5,(five=>{five.push("fourth")})];
`);
  expect(await readFile(at('ssr/c.js'), 'utf8')).toBe(code);
  expect(calledInOrder(load('b.js'))).toEqual(['first', 'inner', 'second', 'third', 'fourth']);
  expect(calledInOrder(load('b.js'))).toEqual(calledInOrder(load('a.cjs')));
});

test('the source map tells of each word what it told before', async () => {
  await writeChunk('b.js', CODE);
  await run();
  const code = await readFile(at('b.js'), 'utf8');
  const map = new SourceMap(JSON.parse(await readFile(at('b.js.map'), 'utf8')));
  const told = wordsOf(code).map(({ word, line, column }) => {
    const entry = map.findEntry(line, column);
    return 'originalLine' in entry ? { word, line: entry.originalLine, column: entry.generatedColumn - column } : null;
  });
  expect(told).toEqual(wordsOf(CODE).map(({ word }, index) => ({ word, line: index, column: 0 })));
});

test('a chunk that was seen to, and a file that is no chunk, stay as they are', async () => {
  const other = '"use strict";const list=[1,e=>{}];module.exports=()=>list;\n';
  await writeChunk('b.js', CODE);
  await writeChunk('runtime.js', other);
  await run();
  const first = await Promise.all([at('b.js'), at('b.js.map')].map((file) => readFile(file, 'utf8')));
  await run();
  expect(await Promise.all([at('b.js'), at('b.js.map')].map((file) => readFile(file, 'utf8')))).toEqual(first);
  expect(await readFile(at('runtime.js'), 'utf8')).toBe(other);
});
