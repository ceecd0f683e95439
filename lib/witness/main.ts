#!/usr/bin/env node
import { Command } from 'commander';
import { addWitnessCommands } from './cli.ts';

const NOT_UNDERSTOOD = 2;

const program = new Command('tranche-witness')
  .description(
    'A witness of Tranche token sales: reads the XRP Ledger itself and co-signs what sales owe, and nothing else.',
  )
  .showHelpAfterError('(--help lists the options)')
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : NOT_UNDERSTOOD))
  .helpCommand(false);
addWitnessCommands(program);
await program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
