import { createInterface } from 'node:readline/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type * as commands from './commands.ts';

type Commands = typeof commands;
type OptionsOf<Verb extends 'init' | 'approve' | 'revoke' | 'run' | 'status' | 'auditLog' | 'halt' | 'resume'> =
  Parameters<Commands[Verb]>[0];

const terminal = {
  out: (text: string) => void process.stdout.write(`${text}\n`),
  err: (text: string) => void process.stderr.write(`${text}\n`),
  /** Only the word `yes` is one; the end of the input is none. */
  confirm: async (question: string): Promise<boolean> => {
    process.stderr.write(`\n${question} Type yes: `);
    const lines = createInterface({ input: process.stdin });
    try {
      const { value, done } = await lines[Symbol.asyncIterator]().next();
      process.stderr.write('\n');
      return done !== true && value.trim() === 'yes';
    } finally {
      lines.close();
    }
  },
};

const list = (text: string): string[] => text.split(',').map((one) => one.trim());

const number = (text: string): number => {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new InvalidArgumentError('Give a whole number.');
};
const matching =
  (pattern: RegExp, what: string) =>
  (text: string): string => {
    if (pattern.test(text)) return text;
    throw new InvalidArgumentError(`Give ${what}.`);
  };
const projectId = matching(/^proj_[0-9A-Za-z]{22}$/, 'a project id (proj_…)');

const configOption = () =>
  new Option('--config <file>', 'its configuration; key, approvals and log are in the same folder').default(
    'witness.json',
  );

/** Adds what the operator of a witness runs to a command; of the platform it needs nothing. */
export function addWitnessCommands(witness: Command): void {
  const act =
    <Options>(verb: (commands: Commands, options: Options) => number | Promise<number>) =>
    async (options: Options): Promise<void> => {
      process.exitCode = await verb(await import('./commands.ts'), options);
    };
  witness
    .command('init')
    .summary('make a key, a token and a configuration')
    .description(
      'Makes a key, a token and a configuration, and prints what the platform needs: the address of the key, and a line for its setting WITNESSES. Overwrites nothing.',
    )
    .addOption(configOption())
    .requiredOption('--name <name>', 'how it is called in the terms')
    .addOption(
      new Option('--ledger <urls>', 'two XRP Ledger servers of different operators (wss://…), comma separated')
        .argParser(list)
        .makeOptionMandatory(),
    )
    .option('--network-id <id>', 'network of the ledger; 0 is the main one', number, 0)
    .addOption(
      new Option(
        '--lists <places>',
        'where allowlists are to be had: platforms (https://…) and folders, comma separated',
      )
        .argParser(list)
        .default([], 'none'),
    )
    .option('--host <host>', 'where it listens', '127.0.0.1')
    .option('--port <port>', 'and its port', number, 8420)
    .option('--one-server', 'trust a single ledger server', false)
    .action(act((commands, options: OptionsOf<'init'>) => commands.init(options, terminal)));
  witness
    .command('approve')
    .summary('approve the terms of a sale, so that its launch is signed')
    .description(
      'Shows the terms of a sale in words, checks their hash, and approves its launch for 30 days. Compare the hash with what the sale’s operator told you otherwise than through the platform.',
    )
    .addOption(configOption())
    .requiredOption('--project <id>', 'the sale', projectId)
    .requiredOption(
      '--terms-hash <hash>',
      'SHA-256 of its terms',
      matching(/^[0-9a-f]{64}$/, '64 lower-case hexadecimal digits'),
    )
    .option('--base-url <url>', 'the platform, to read the terms from')
    .option('--terms-file <file>', 'a file with the terms, in place of the platform')
    .option('--yes', 'do not ask', false)
    .option(
      '--earlier-verified',
      'you have verified the account’s earlier sales that this witness did not approve',
      false,
    )
    .action(act((commands, options: OptionsOf<'approve'>) => commands.approve(options, terminal)));
  witness
    .command('revoke')
    .summary('withdraw the approval of a sale')
    .description(
      'Withdraws the approval of a sale: its launch is not signed any more. If it was launched, nothing of its accounts is.',
    )
    .addOption(configOption())
    .requiredOption('--project <id>', 'the sale', projectId)
    .option('--yes', 'do not ask', false)
    .action(act((commands, options: OptionsOf<'revoke'>) => commands.revoke(options, terminal)));
  witness
    .command('run')
    .summary('run the witness until it is stopped')
    .description(
      'Runs the witness until SIGTERM or SIGINT. Its key is in WITNESS_KEY, or in witness.key beside the configuration, which nobody else may read.',
    )
    .addOption(configOption())
    .action(act((commands, options: OptionsOf<'run'>) => commands.run(options, terminal)));
  witness
    .command('status')
    .summary('show what the running witness says of itself')
    .description('Shows what the running witness says of itself. With its token in WITNESS_TOKEN, all of it.')
    .addOption(configOption())
    .option('--json', 'write it on one line', false)
    .action(act((commands, options: OptionsOf<'status'>) => commands.status(options, terminal)));
  witness
    .command('audit')
    .summary('compare its log with the ledger')
    .description(
      'Checks that its log is unbroken, that everything it signed is owed or was paid, and that of one debt no two payments were signed that could both be validated.',
    )
    .addOption(configOption())
    .addHelpText(
      'after',
      '\nExit code 0: nothing is wrong. 1: something is, and what. 2: the ledger could not be read.',
    )
    .action(act((commands, options: OptionsOf<'auditLog'>) => commands.auditLog(options, terminal)));
  witness
    .command('halt')
    .summary('sign nothing from now on')
    .description('Stops signing at once, also across restarts, until its operator runs `resume`.')
    .addOption(configOption())
    .requiredOption('--reason <text>', 'why; shown to the platform')
    .action(act((commands, options: OptionsOf<'halt'>) => commands.halt(options, terminal)));
  witness
    .command('resume')
    .summary('sign again')
    .description('Ends a halt.')
    .addOption(configOption())
    .action(act((commands, options: OptionsOf<'resume'>) => commands.resume(options, terminal)));
}
