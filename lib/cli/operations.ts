import { randomBytes } from 'node:crypto';
import { addWitnessCommands } from '@tranche/witness/cli.ts';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CommandOutput } from '#lib/base/command-output.ts';
import { ADMIN_ROLES, type AdminRole } from '#lib/base/contract.ts';
import { addCustodyCommands } from './custody.ts';
import { addListenCommands } from './listen.ts';

const say: CommandOutput = {
  out: (text: string) => void process.stdout.write(`${text}\n`),
  err: (text: string) => void process.stderr.write(`${text}\n`),
};

const settingsOption = () =>
  new Option('--settings <file>', 'settings that the environment lacks; .env.local when left out, if there is one');

/** Adds the settings of that file to those of the environment, which win, before anything reads them. */
async function loadSettingsFile(file: string | undefined): Promise<void> {
  const { loadSettings } = await import('#lib/base/env.ts');
  loadSettings(file);
}

const administratorName = (text: string): string => {
  if (/^[a-z0-9._-]{1,40}$/.test(text)) return text;
  throw new InvalidArgumentError('Use 1 to 40 of a-z, 0-9, dot, hyphen and underscore.');
};

const positive =
  (what: string) =>
  (text: string): number => {
    const value = Number(text);
    if (Number.isSafeInteger(value) && value > 0) return value;
    throw new InvalidArgumentError(`Give ${what}, a whole number above 0.`);
  };

const list = (text: string): string[] => text.split(',').map((one) => one.trim());

/** What operators, developers and investors run against a deployment. Each command loads only what it needs. */
export function addOperationCommands(program: Command): void {
  program.commandsGroup('Operate:');
  program
    .command('doctor')
    .summary('check every setting and service of a deployment')
    .description(
      'Checks every setting and every service of a deployment, and says what to do about each fault. Changes nothing.',
    )
    .option('--json', 'write the findings as JSON', false)
    .addOption(settingsOption())
    .action(async ({ json, settings }: { json: boolean; settings?: string }) => {
      await loadSettingsFile(settings);
      const [{ examine }, { reportText }, { environmentSettings }] = await Promise.all([
        import('#lib/ops/doctor/examine.ts'),
        import('#lib/ops/doctor/examine.ts'),
        import('#lib/base/env.ts'),
      ]);
      const diagnosis = await examine(environmentSettings(), { nowMs: Date.now, stopwatchMs: () => performance.now() });
      say.out(json ? JSON.stringify(diagnosis, null, 2) : reportText(diagnosis));
      // A connection that a service keeps open must not keep a finished command waiting.
      process.exit(diagnosis.status === 'fault' ? 1 : 0);
    });

  program
    .command('migrate')
    .summary('bring the database to the newest schema')
    .description(
      'Brings the database of POSTGRES_URL_NON_POOLING, or of POSTGRES_URL, to the newest schema: all that is missing or nothing. It may run twice, and beside an app at work. It reads no settings file: name the database.',
    )
    .action(async () => {
      const { migrateNamedDatabase } = await import('#drizzle/migrate.ts');
      await migrateNamedDatabase(say.out);
    });

  program
    .command('follow')
    .summary('follow the ledger by a process of your own')
    .description(
      'Does the work of an active sale at each ledger that closes, in place of the functions, which then have FOLLOW_LEDGER=0. Runs until it is stopped; where it stops, the functions go on with their beats. May run several times: one works.',
    )
    .addOption(settingsOption())
    .action(async ({ settings }: { settings?: string }) => {
      await loadSettingsFile(settings);
      const { followUntilStopped } = await import('#lib/jobs/follow-ledger.ts');
      say.out('Follows the ledger while a sale is active. Stop it with Ctrl-C.');
      await followUntilStopped();
      // Connections that are kept open must not keep a stopped command waiting.
      process.exit(0);
    });

  program
    .command('setup')
    .summary('make the QStash schedules that call the crons')
    .description(
      "Makes the QStash schedules that call this deployment's crons, for plans whose own crons are too rare. Run it again after CRON_SECRET or BASE_URL has changed; it may run as often as you like.",
    )
    .option('--dry-run', 'say what it would do, and do nothing', false)
    .option('--remove', "remove this deployment's schedules", false)
    .addOption(settingsOption())
    .action(async ({ dryRun, remove, settings }: { dryRun: boolean; remove: boolean; settings?: string }) => {
      await loadSettingsFile(settings);
      const [{ runSetup }, { env }] = await Promise.all([
        import('#lib/ops/setup/command.ts'),
        import('#lib/base/env.ts'),
      ]);
      process.exitCode = await runSetup(env(), { dryRun, remove }, say);
    });

  program
    .command('admin-token')
    .summary("make an administrator's token")
    .description(
      "Makes an administrator's token. The token goes to standard output, once; the line for the settings goes to standard error. Nothing else keeps the token.",
    )
    .requiredOption('--name <name>', 'who it is for; the name stands in the audit log', administratorName)
    .addOption(
      new Option('--role <role>', 'operator may do everything, read_only may look')
        .choices(ADMIN_ROLES)
        .makeOptionMandatory(),
    )
    .addOption(settingsOption())
    .action(async ({ settings, ...entry }: { name: string; role: AdminRole; settings?: string }) => {
      await loadSettingsFile(settings);
      const [{ createToken }, { environmentSettings }] = await Promise.all([
        import('#lib/accounts/administrators/command.ts'),
        import('#lib/base/env.ts'),
      ]);
      process.exitCode = createToken(entry, environmentSettings().ADMIN_TOKENS ?? '', randomBytes, say);
    });

  program
    .command('reencrypt-webhooks')
    .summary("seal every webhook's secret under the newest encryption key")
    .description(
      "Seals every webhook's secrets again under the first key of WEBHOOK_ENCRYPTION_KEYS, a batch at a time, while the app runs. It may be stopped and run again.",
    )
    .option('--settings <file>', 'settings that the environment lacks; no file is read when left out')
    .action(async ({ settings }: { settings?: string }) => {
      // It writes to the database: to the one that its user names, not to one that a file in the folder names.
      if (settings !== undefined) await loadSettingsFile(settings);
      const { reencryptWebhooks } = await import('#lib/webhooks/reencrypt/command.ts');
      process.exitCode = await reencryptWebhooks(say.out);
    });

  program
    .command('match-payouts')
    .summary('after a restore, settle payouts with the payments that were made since the backup')
    .description(
      'After a restore: finds for each payment that the paying accounts have sent since the backup the payout that it paid, holds that payout and settles it with the transaction. The platform checks each on the ledger. Needs ADMIN_TOKEN (an operator’s), KV_REST_API_URL and KV_REST_API_TOKEN.',
    )
    .requiredOption('--base-url <url>', 'the platform')
    .requiredOption('--ledger <url>', 'an XRP Ledger server (wss://…) that holds every ledger since the backup')
    .requiredOption(
      '--from-ledger <ledger>',
      'the cursor of the backup, or any ledger before it',
      positive('a ledger index'),
    )
    .option('--accounts <accounts>', 'more paying accounts (r…), comma separated', list, [])
    .option(
      '--without-redis',
      'Redis was lost too: name the distributors of all sales made since the backup in --accounts',
      false,
    )
    .option('--dry-run', 'say what fits, and change nothing', false)
    .option('--settings <file>', 'settings that the environment lacks; no file is read when left out')
    .addHelpText(
      'after',
      '\nExit code 0: all is matched. 1: a payment is unexplained, or a payout on its way: run it again. 2: it could not look.',
    )
    .action(async ({ settings, ...options }) => {
      // It acts for its user: with what they name, not with what a file in the folder names.
      if (settings !== undefined) await loadSettingsFile(settings);
      const [{ matchPayouts }, { environmentSettings }] = await Promise.all([
        import('#lib/payouts/match/command.ts'),
        import('#lib/base/env.ts'),
      ]);
      process.exitCode = await matchPayouts(options, environmentSettings(), say);
    });

  addCustodyCommands(program);
  addWitnessCommands(
    program
      .command('witness')
      .summary('run a witness, which co-signs what sales owe, and approve sales')
      .description(
        'Runs a witness: an independent program that reads the ledger itself and co-signs what sales owe, and nothing else (docs/custody.md).',
      )
      .helpCommand(false),
  );

  program.commandsGroup('Use a platform:');
  program
    .command('verify')
    .summary('verify a sale from the public ledger')
    .description('Verifies a sale from the public ledger and what its platform publishes. It needs no secret.')
    .requiredOption('--base-url <url>', 'the platform')
    .requiredOption('--project <id>', 'the sale (proj_…)')
    .requiredOption('--ledger <urls>', 'XRP Ledger servers (wss://…), comma separated, the preferred one first', list)
    .option(
      '--as-of <ledger>',
      'last ledger looked at; the last that the platform has confirmed when left out',
      positive('a ledger index'),
    )
    .option('--state <file>', 'file that keeps how far it is: the same command goes on from there')
    .option('--json', 'write the report as JSON; how far it is goes to standard error', false)
    .addHelpText(
      'after',
      '\nExit code 0: everything agrees. 1: something differs, and what. 2: something could not be checked, and what.',
    )
    .action(async (options) => {
      const { runVerification } = await import('@tranche/verifier/command.ts');
      process.exitCode = await runVerification(options, say);
    });

  program
    .command('key')
    .summary("make an API key by a wallet's signature")
    .description(
      "Makes an API key: signs a challenge with the wallet's key and prints the API key. The key alone goes to standard output, everything else to standard error. It needs no settings.",
    )
    .requiredOption('--base-url <url>', 'the platform, under the address by which it knows itself')
    .requiredOption('--seed-file <file>', 'a file that holds the seed (s…) and nothing else; read here, sent nowhere')
    .addOption(
      new Option(
        '--algorithm <name>',
        'ed25519 for a seed that begins with sEd, else secp256k1, when left out',
      ).choices(['ed25519', 'secp256k1']),
    )
    .option('--address <r…>', 'the wallet, when the seed is that of its regular key')
    .option('--name <text>', 'a name of your own for the key')
    .option('--scopes <scopes>', 'what the key may do, comma separated; everything when left out', list)
    .option(
      '--expires-in-days <n>',
      'days until the key expires; it does not expire when left out',
      positive('a number of days'),
    )
    .action(async (options) => {
      const { createKey } = await import('#lib/accounts/api-keys/key-command.ts');
      process.exitCode = await createKey(options, say);
    });

  addListenCommands(program, say);
}
