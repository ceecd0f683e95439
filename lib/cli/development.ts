import { globSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Argument, type Command } from 'commander';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Runs a program of this repository in this process, with the rest of the command line; it has a `--help` of its own. */
async function run(program: string, args: readonly string[]): Promise<void> {
  const file = path.join(ROOT, program);
  process.argv.splice(1, process.argv.length - 1, file, ...args);
  await import(pathToFileURL(file).href);
}

interface Program {
  summary: string;
  /** The program's file; with several, by the name that is given, the first of them when none is. */
  files: string | Record<string, string>;
}

const benchmarks = (): Record<string, string> => ({
  all: 'bench/all/main.ts',
  ...Object.fromEntries(
    globSync('bench/*/main.ts', { cwd: ROOT })
      .map((file) => [path.basename(path.dirname(file)), file] as const)
      .filter(([name]) => name !== 'all' && name !== 'load')
      .toSorted(([one], [other]) => one.localeCompare(other)),
  ),
});

const PROGRAMS: Record<string, Program> = {
  sandbox: { summary: 'run everything on this machine, with stand-ins for every service', files: 'sandbox/main.ts' },
  bench: { summary: 'measure', files: benchmarks() },
  load: { summary: 'let 10,000 wallets pay at once', files: 'bench/load/main.ts' },
  faults: {
    summary: 'break every part at random moments, and read from the ledger and the receivers what became of it',
    files: {
      system: 'tests/faults/system/scenario.ts',
      payouts: 'tests/faults/payouts/scenario.ts',
      webhooks: 'tests/faults/webhooks/scenario.ts',
      custody: 'tests/faults/custody/scenario.ts',
    },
  },
  fuzz: { summary: 'send generated inputs, valid and invalid, to every operation', files: 'tests/fuzz/api/main.ts' },
  conformance: {
    summary: 'compare the sandbox ledger with what a real server answered',
    files: 'sandbox/conformance/main.ts',
  },
  'ledger-fuzz': {
    summary: 'play random transactions on the sandbox ledger, and check what always holds',
    files: 'sandbox/ledger/tests/fuzz/main.ts',
  },
};

/** What contributors run. A program reads its own options: `npx tranche <command> --help` lists them. */
export function addDevelopmentCommands(program: Command): void {
  program.commandsGroup('Develop:');
  for (const [name, { summary, files }] of Object.entries(PROGRAMS)) {
    const command = program.command(name).summary(summary).allowUnknownOption().passThroughOptions().helpOption(false);
    if (typeof files === 'string') {
      command.argument('[options...]').action((args: string[]) => run(files, args));
    } else {
      const names = Object.keys(files);
      command
        .addArgument(new Argument('[part]', names.join(', ')))
        .argument('[options...]')
        .action((part: string | undefined, args: string[]) => {
          const isPart = part !== undefined && Object.hasOwn(files, part);
          if (part !== undefined && !isPart && !part.startsWith('-')) {
            command.error(`error: there is no ${name} ${part}: choose from ${names.join(', ')}`);
          }
          const chosen = isPart ? part : names[0];
          return run(files[chosen ?? ''] ?? '', isPart || part === undefined ? args : [part, ...args]);
        });
    }
  }
  program
    .command('generate')
    .summary('write again what is generated from the contracts')
    .description(
      'Writes the typed clients, but the models of that for Python (lib/client-python/generate), and the operations that the assistant searches again, after a contract has changed.',
    )
    .action(async () => {
      const [{ generateClient }, { CLIENT_FILE }, { OPERATIONS_FILE, pythonOperations }, { operationLines }] =
        await Promise.all([
          import('#tests/support/client/generate.ts'),
          import('#tests/support/client/file.ts'),
          import('#tests/support/client/python.ts'),
          import('#lib/api/contracts.ts'),
        ]);
      writeFileSync(CLIENT_FILE, await generateClient());
      writeFileSync(OPERATIONS_FILE, pythonOperations());
      writeFileSync(
        path.join(ROOT, 'lib/assistant/search/operations.json'),
        `${JSON.stringify(operationLines(), null, 2)}\n`,
      );
    });
}
