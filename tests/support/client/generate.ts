import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { CONTRACTS } from '#lib/api/contracts.ts';
import { foldOpenapi } from '#lib/api/openapi.ts';
import type { OpenapiDocument } from '#lib/api/openapi-schema.ts';
import type { Contract } from '#lib/base/contract.ts';

const GENERATOR = path.resolve(import.meta.dirname, '../../../node_modules/.bin/oazapfts');

const OPTIONS = ['--optimistic', '--argumentStyle=object', '--allSchemas', '--futureStripLegacyMethods'];

/** Its inside is written for looser compiler settings than ours; what it exports is typed all the same. */
const PREAMBLE =
  '// Made by oazapfts from the OpenAPI document: npx tranche generate. Not for changes by hand.\n// @ts-nocheck\n';

/** One path form of each operation is enough for a client. */
const withoutAlias = ({ alias: _, ...contract }: Contract): Contract => contract;

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Exports and streams are no values: a program reads them as they come. */
function withoutStreams(document: OpenapiDocument): OpenapiDocument {
  const paths = structuredClone(document.paths ?? {});
  for (const item of Object.values(paths)) {
    for (const method of METHODS) {
      const { content = {} } = (item[method]?.responses?.['200'] ?? {}) as { content?: Record<string, unknown> };
      if (Object.keys(content).length > 0 && content['application/json'] === undefined) delete item[method];
    }
  }
  return { ...document, paths };
}

const camelCase = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Arguments keep the API's names, as bodies and answers do: an argument of another name would be left out without a word. */
function withApiNames(source: string, { paths = {} }: OpenapiDocument): string {
  const names = new Set<string>();
  for (const item of Object.values(paths)) {
    for (const method of METHODS) {
      for (const parameter of item[method]?.parameters ?? []) {
        if ('in' in parameter && parameter.in !== 'header') names.add(parameter.name);
      }
    }
  }
  let named = source.replaceAll('$from', 'from');
  for (const name of names) named = named.replaceAll(new RegExp(`\\b${camelCase(name)}\\b`, 'g'), name);
  return named.replaceAll(/^(\s+)"?(\w+)"?: \2(?=,?$)/gm, '$1$2');
}

/** What the generator writes in each operation that takes an Idempotency-Key. */
const KEYED =
  /\.\.\.opts,\s+method: "POST",(\s+body,)?\s+headers: oazapfts\.mergeHeaders\(opts\?\.headers, \{\s+"Idempotency-Key": idempotencyKey\s+\}\)/g;

/** Says it once, in a tenth of the bytes; and `connect` sees by it which calls take a key. */
const HELPER = `/** A POST that is done once under one Idempotency-Key. */
const keyed = (opts: Oazapfts.RequestOpts | undefined, key: string | undefined) => ({
    ...opts,
    idempotent: true,
    method: "POST",
    headers: oazapfts.mergeHeaders(opts?.headers, { "Idempotency-Key": key })
});
`;

function withKeys(source: string): string {
  const keyed = source.replaceAll(
    KEYED,
    (_, body?: string) => `...keyed(opts, idempotencyKey)${body === undefined ? '' : `,${body.slice(0, -1)}`}`,
  );
  if (keyed.includes('"Idempotency-Key": idempotencyKey')) throw new Error('The generator writes keys in another way');
  return `${keyed}${HELPER}`;
}

/** Source of a typed client, made by a generator from nothing but the OpenAPI document. */
export async function generateClient(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'client-'));
  const [spec, client] = [path.join(folder, 'openapi.json'), path.join(folder, 'client.ts')];
  try {
    const document = foldOpenapi(CONTRACTS.map(withoutAlias), { version: '0', serverUrl: '/' });
    const streamless = withoutStreams(document);
    await writeFile(spec, JSON.stringify(streamless));
    await promisify(execFile)(process.execPath, [GENERATOR, ...OPTIONS, spec, client]);
    const made = (await readFile(client, 'utf8')).replace(/^.*?(?=import)/s, PREAMBLE);
    return withKeys(withApiNames(made, streamless));
  } finally {
    await rm(folder, { recursive: true });
  }
}
