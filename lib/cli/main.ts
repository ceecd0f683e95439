import { format } from 'node:util';
import { Command } from 'commander';
import { redactText } from '#lib/base/log.ts';
import { containsSeed } from '#lib/base/plain-text.ts';
import { addDevelopmentCommands } from './development.ts';
import { addOperationCommands } from './operations.ts';

/** What was asked for could not be understood, or (`verify`) could not be checked. */
const NOT_UNDERSTOOD = 2;

// Before anything else: the parser's own messages quote what they do not know.
if (process.argv.slice(2).some(containsSeed)) {
  process.stderr.write(
    'The command line contains a seed, where other users of this machine and your shell’s history can read it. Nothing was sent. Treat the seed as known to others: move the funds, and pass a new one in a file with --seed-file.\n',
  );
  process.exit(NOT_UNDERSTOOD);
}

const program = new Command('npx tranche')
  .description('Runs, checks and operates Tranche, the platform for token sales on the XRP Ledger.')
  .showHelpAfterError('(--help lists the options)')
  // Subcommands take these over from here, so they stand before the first of them.
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : NOT_UNDERSTOOD))
  .enablePositionalOptions()
  .helpCommand(false)
  .addHelpText(
    'after',
    '\nExit code 0: done, and nothing is wrong. 1: something is wrong, or it was not done. 2: the command was not understood.',
  );
addOperationCommands(program);
addDevelopmentCommands(program);

// Messages of services, drivers and SDKs may quote an address with the password in it.
const writeRedacted = (...given: unknown[]) => void process.stderr.write(`${redactText(format(...given))}\n`);
console.error = writeRedacted;
console.warn = writeRedacted;
await program.parseAsync().catch((error: unknown) => {
  writeRedacted(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
