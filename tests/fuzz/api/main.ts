import { randomInt } from 'node:crypto';
import { Command } from 'commander';
import fc from 'fast-check';
import type { JsonSchema } from '#lib/api/openapi-schema.ts';
import { startSandbox } from '#tests/support/sandbox.ts';
import { Judge } from './judge.ts';
import { type Document, type Operation, operationsOf } from './operations.ts';
import { Report } from './report.ts';
import { type Attempt, attemptsAt, straysFrom } from './requests.ts';
import { type Answer, HANGS_AFTER_MS, send, unread } from './send.ts';
import { prepare, type Stage } from './stage.ts';

/** Exports are limited to two at a time; the rest may come together. */
const EXPORTS_AT_ONCE = 1;
const AT_ONCE = 6;
/** Requests to addresses that lead elsewhere, for each one that does not. */
const STRAY_SHARE = 0.05;

const options = new Command('npx tranche fuzz')
  .description('Sends generated requests to every operation of the OpenAPI document of a sandbox of its own')
  .option('--requests <n>', 'how many in all', Number, 20_000)
  .option('--seed <n>', 'the same seed sends the same requests', Number, randomInt(2 ** 31))
  .option('--operation <id>', 'this operation only')
  .parse()
  .opts<{ requests: number; seed: number; operation?: string }>();

const say = (line: string) => process.stdout.write(`${line}\n`);

/** A seed of the operation's own, so that one alone gets the requests that it got among all. */
const seedOf = (operation: Operation): number =>
  [...operation.id].reduce(
    (seed, character) => (Math.imul(seed, 31) + (character.codePointAt(0) ?? 0)) | 0,
    options.seed,
  );

async function fuzz(
  operation: Operation,
  attempts: Attempt[],
  { stage, baseUrl, faultOf }: { stage: Stage; baseUrl: URL; faultOf: (answer: Answer) => string | null },
  report: Report,
) {
  const rest = attempts.values();
  const isExport = Object.values(operation.statuses).flat().includes('application/jsonl');
  const worker = async () => {
    for (const attempt of rest) {
      try {
        const headers = { ...attempt.headers, ...stage.headersFor(operation, attempt) };
        const answer = await send(baseUrl, operation.method, attempt.target, headers, attempt.body);
        report.count(operation, String(answer.status));
        const fault = faultOf(answer);
        if (fault !== null) report.fail(operation, fault, attempt, answer.text);
      } catch (failure) {
        report.count(operation, 'none');
        report.fail(operation, `no whole answer within ${HANGS_AFTER_MS / 1000} s`, attempt, String(failure));
      }
    }
  };
  await Promise.all(Array.from({ length: isExport ? EXPORTS_AT_ONCE : AT_ONCE }, worker));
}

const sandbox = await startSandbox(['--no-crowd']);
const report = new Report();
try {
  const baseUrl = new URL(sandbox.manifest.base_url);
  const document = (await (await fetch(new URL('/api/openapi.json', baseUrl))).json()) as Document;
  const judge = new Judge(document);
  const operations = operationsOf(document).filter(
    ({ id }) => options.operation === undefined || id === options.operation,
  );
  const each = Math.ceil(options.requests / operations.length);
  const strayEach = Math.ceil(each * STRAY_SHARE);
  say(`seed ${options.seed}: ${each} requests to each of ${operations.length} operations, ${strayEach} strays from it`);
  for (const operation of operations) {
    // What one operation deletes or revokes is there again for the next.
    const stage = await prepare(sandbox.manifest);
    const { schemas } = document.components as { schemas: Record<string, JsonSchema> };
    const attempts = fc.sample(attemptsAt(operation, schemas, stage.known), { seed: seedOf(operation), numRuns: each });
    await fuzz(operation, attempts, { stage, baseUrl, faultOf: (answer) => judge.faultOf(operation, answer) }, report);
    const strays = fc.sample(straysFrom(operation, stage.known), { seed: seedOf(operation), numRuns: strayEach });
    await fuzz(operation, strays, { stage, baseUrl, faultOf: (answer) => judge.strayFaultOf(answer) }, report);
  }
} finally {
  for (const line of report.lines()) say(line);
  say(
    `${unread()} requests were sent again: the server had closed their connection, which was idle, before it read them`,
  );
  say(`npx tranche fuzz --seed ${options.seed} --requests ${options.requests} sends the same again`);
  const code = await sandbox.stop();
  process.exitCode = code === 0 && !report.hasFailures ? 0 : 1;
}
