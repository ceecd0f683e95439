import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { decode, encode } from '@jridgewell/sourcemap-codec';
import { type Expression, type Node, parse, type SpreadElement } from 'acorn';

/** The functions of a chunk, each of which is one module: `module.exports=[id,function,id,id,function,…]`. */
function modulesOf(code: string): Node[] {
  const [statement] = parse(code, { ecmaVersion: 'latest' }).body;
  if (statement?.type !== 'ExpressionStatement') return [];
  const { expression } = statement;
  if (expression.type !== 'AssignmentExpression' || expression.right.type !== 'ArrayExpression') return [];
  const isFunction = (element: Expression | SpreadElement | null) =>
    element?.type === 'ArrowFunctionExpression' || element?.type === 'FunctionExpression';
  return expression.right.elements.filter((element) => element !== null && isFunction(element));
}

/** The same source map for a text that has one character more at each of these places, which stand in their order. */
function shifted(map: string, code: string, places: readonly number[]): string {
  const { mappings, ...rest } = JSON.parse(map) as { mappings: string };
  let place = 0;
  let lineStart = 0;
  const lines = decode(mappings);
  for (const line of lines) {
    const lineEnd = code.indexOf('\n', lineStart);
    let added = 0;
    for (const segment of line) {
      while ((places[place] ?? Number.POSITIVE_INFINITY) <= lineStart + segment[0]) {
        place++;
        added++;
      }
      segment[0] += added;
    }
    while (lineEnd !== -1 && (places[place] ?? Number.POSITIVE_INFINITY) <= lineEnd) place++;
    lineStart = lineEnd === -1 ? code.length : lineEnd + 1;
  }
  return JSON.stringify({ ...rest, mappings: encode(lines) });
}

/**
 * Puts every module of a chunk in parentheses. V8 takes a function in parentheses for one that is called at once, and compiles it
 * while it reads the chunk; any other it reads to find its end, and reads again when it is called (https://v8.dev/blog/preparser).
 */
async function parenthesize(chunk: string): Promise<void> {
  const code = await readFile(chunk, 'utf8');
  const modules = modulesOf(code).filter(({ start }) => code[start - 1] !== '(');
  if (modules.length === 0) return;
  const places = modules.flatMap(({ start, end }) => [start, end]);
  const pieces = [0, ...places].map((from, index) => code.slice(from, places[index]));
  const map = `${chunk}.map`;
  await writeFile(map, shifted(await readFile(map, 'utf8'), code, places));
  await writeFile(
    chunk,
    pieces.map((piece, index) => (index === 0 ? '' : index % 2 === 1 ? '(' : ')') + piece).join(''),
  );
}

/** The build runs this in a process of its own once it has compiled (next.config.ts), and gives it the folder of its output. */
const [, , output] = process.argv;
if (output === undefined) throw new Error('Give the folder of the build');
for (const chunk of globSync('server/chunks/**/*.js', { cwd: output })) await parenthesize(path.join(output, chunk));
