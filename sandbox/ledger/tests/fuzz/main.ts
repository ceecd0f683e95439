import { randomInt } from 'node:crypto';
import { Command } from 'commander';
import { Difference, playAgainst } from './against.ts';
import { playRun, RunFailure, type RunReport } from './run.ts';

/** A world grows with its history: long campaigns begin a new one after that many transactions. */
const TRANSACTIONS_OF_A_WORLD = 20_000;

const { seed, transactions, against } = new Command('npx tranche ledger-fuzz')
  .description(
    'Plays random transactions, valid and invalid, on the sandbox ledger and checks after each what always holds: no XRP ' +
      'is made, nobody loses by what others do, owner counts, reserves and directories agree with what there is',
  )
  .option('--seed <text>', 'what the run follows from; printed with it', String(randomInt(2 ** 31)))
  .option('--transactions <n>', 'how many', '20000')
  .option('--against <url>', 'a fresh standalone server, to compare every answer with')
  .parse()
  .opts<{ seed: string; transactions: string; against?: string }>();

function add(total: Map<string, Map<string, number>>, { results }: RunReport): void {
  for (const [type, ofType] of results) {
    const known = total.get(type) ?? new Map<string, number>();
    for (const [result, count] of ofType) known.set(result, (known.get(result) ?? 0) + count);
    total.set(type, known);
  }
}

function campaign(wanted: number): void {
  const total = new Map<string, Map<string, number>>();
  for (let done = 0, part = 0; done < wanted; part++) {
    const name = wanted <= TRANSACTIONS_OF_A_WORLD ? seed : `${seed}.${part}`;
    const startedAt = performance.now();
    const report = playRun({ seed: name, transactions: Math.min(TRANSACTIONS_OF_A_WORLD, wanted - done) });
    done += report.transactions;
    add(total, report);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    process.stdout.write(
      `seed ${name}: ${report.transactions} transactions, ${report.ledgers} ledgers, ${seconds} s\n`,
    );
  }
  for (const [type, results] of [...total].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const shown = [...results].sort(([, a], [, b]) => b - a).map(([result, count]) => `${result} ${count}`);
    process.stdout.write(`${type.padEnd(26)} ${shown.join(', ')}\n`);
  }
}

try {
  if (against === undefined) campaign(Number(transactions));
  else {
    await playAgainst(against, seed, Number(transactions));
    process.stdout.write(`seed ${seed}: ${transactions} transactions, no difference\n`);
  }
} catch (error) {
  if (!(error instanceof RunFailure || error instanceof Difference)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
