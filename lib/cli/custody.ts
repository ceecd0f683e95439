import { createInterface, type Interface } from 'node:readline';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CommandOutput } from '#lib/base/command-output.ts';
import type * as commands from '#lib/custody/command.ts';

const say: CommandOutput = {
  out: (text: string) => void process.stdout.write(`${text}\n`),
  err: (text: string) => void process.stderr.write(`${text}\n`),
};

let lines: AsyncIterator<string> | undefined;
let terminal: Interface | undefined;

/** Only the word `yes` is one; the end of the input is none. */
async function confirm(question: string): Promise<boolean> {
  process.stderr.write(`\n${question} Type yes: `);
  terminal ??= createInterface({ input: process.stdin });
  lines ??= terminal[Symbol.asyncIterator]();
  const { value, done } = await lines.next();
  process.stderr.write('\n');
  return done !== true && value.trim() === 'yes';
}

const list = (text: string): string[] => text.split(',').map((one) => one.trim());
const addresses = (text: string): string[] => {
  const all = list(text);
  if (all.every((one) => /^r[1-9A-HJ-NP-Za-km-z]{24,34}$/.test(one))) return [...new Set(all)];
  throw new InvalidArgumentError('Give addresses (r…), comma separated.');
};
const number = (text: string): number => {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new InvalidArgumentError('Give a whole number above 0.');
};
const collect = (text: string, before: string[]): string[] => [...before, text];

const ledgerOption = () =>
  new Option('--ledger <urls>', 'XRP Ledger servers (wss://…), comma separated; all must show the same')
    .argParser(list)
    .makeOptionMandatory();
const accountsOption = () =>
  new Option('--accounts <accounts>', 'deposit account and distributor (r…), comma separated')
    .argParser(addresses)
    .makeOptionMandatory();
const custodyOption = () =>
  new Option('--custody <file>', "the signer set: quorum, the platform's key, the witnesses' keys").default(
    'custody.json',
  );
const keyFileOption = () =>
  new Option(
    '--key-file <file>',
    'a file of mode 600 that holds a seed (s…) and nothing else: of an account, or of a signer; may be given several times. Without that of an account, its own wallet signs',
  )
    .argParser<string[]>(collect)
    .default([], 'none');
const folderOption = () =>
  new Option('--folder <folder>', 'folder for transactions that signers sign elsewhere').default('.');
const waitOption = () =>
  new Option('--wait <seconds>', "how long to wait for an account's own wallet").argParser(number).default(600);
const baseUrlOption = () =>
  new Option('--base-url <url>', 'the platform, which says whether its launched sales are finished');
const signaturesOption = () =>
  new Option('--signatures <n>', 'how many will sign at most; each costs a fee').argParser(number).default(4);
const validForOption = () =>
  new Option('--valid-for <ledgers>', 'ledgers until it can no longer be sent; about 4 s each')
    .argParser(number)
    .default(2_700);
const transactionOption = (what: string) => new Option('--transaction <file>', what).makeOptionMandatory();

type Commands = typeof commands;
type Terminal = Parameters<Commands['planCustody']>[1];

/** The commands by which people set custody up, change it and sign by hand (docs/custody.md). */
export function addCustodyCommands(program: Command): void {
  const custody = program
    .command('custody')
    .summary('bring paying accounts under several signers, change them, sign by hand')
    .description(
      'Brings the deposit account and the distributor of a platform under a list of signers, of which no single one can move the money; changes that list; and signs by hand. Each transaction is shown before it is signed. No command reads a setting or a key of the app.',
    )
    .helpCommand(false);

  const command = <Options>(
    name: string,
    summary: string,
    description: string,
    options: readonly Option[],
    run: (commands: Commands, options: Options, terminal: Terminal) => Promise<number>,
  ): Command => {
    const made = custody.command(name).summary(summary).description(description);
    for (const option of options) made.addOption(option);
    return made.action(async (given: Options | string[], more: Options) => {
      const options = Array.isArray(given) ? { ...more, files: given } : given;
      try {
        process.exitCode = await run(await import('#lib/custody/command.ts'), options, { say, confirm });
      } finally {
        terminal?.close();
      }
    });
  };

  command<Parameters<Commands['planCustody']>[0]>(
    'plan',
    'say who together can do what, and which transactions are missing',
    'Checks the arithmetic of a signer set, says who together can do what and who may be away, and prints each transaction that an account still needs, in the order in which they must go. Changes nothing. Exit code 1: something is missing.',
    [accountsOption(), custodyOption(), ledgerOption()],
    (commands, options, terminal) => commands.planCustody(options, terminal),
  );
  command<Parameters<Commands['setUpCustody']>[0]>(
    'setup',
    'bring the accounts under custody, step by step',
    'Does what `plan` prints: shows each transaction, asks, and signs it by a seed file, or waits until the wallet of the account has sent it. The master key is disabled last, after every key of the list has signed a transaction that moves nothing. An account under other signers goes over to these, by their signatures, once its sales are finished. It may be stopped and run again at any time.',
    [accountsOption(), custodyOption(), ledgerOption(), keyFileOption(), folderOption(), waitOption(), baseUrlOption()],
    (commands, options, terminal) => commands.setUpCustody(options, terminal),
  );
  command<Parameters<Commands['showStatus']>[0]>(
    'status',
    'compare the ledger with the signer set',
    'Compares what the ledger shows of the accounts with the signer set. Exit code 1: something differs.',
    [accountsOption(), custodyOption(), ledgerOption()],
    (commands, options, terminal) => commands.showStatus(options, terminal),
  );
  command<Parameters<Commands['takeDown']>[0]>(
    'take-down',
    'give the accounts back to their master keys',
    'Enables the master key of each account by its signers, and removes the list by the master key. Refused while a launched sale of these accounts is not finished.',
    [accountsOption(), ledgerOption(), keyFileOption(), folderOption(), waitOption(), baseUrlOption()],
    (commands, options, terminal) => commands.takeDown(options, terminal),
  );
  command<Parameters<Commands['prepare']>[0]>(
    'prepare',
    'complete a transaction so that all signers sign the same',
    'Fills in fee, sequence, last ledger and network of a transaction, shows it in words and writes it to standard output.',
    [
      transactionOption('the transaction as JSON, without what is filled in'),
      ledgerOption(),
      signaturesOption(),
      validForOption(),
    ],
    (commands, options, terminal) => commands.prepare(options, terminal),
  );
  command<Parameters<Commands['pay']>[0]>(
    'pay',
    'write what people sign to pay one payout of a sale',
    'Writes the transaction that pays one payout of a sale under custody, as the witnesses would sign it: with the ticket that was created for it. When there is no such ticket, the transaction that creates it. Any other payment by hand would be made again by the witnesses, or stop them.',
    [
      ledgerOption(),
      new Option('--base-url <url>', 'the platform, which publishes the terms and the payouts').makeOptionMandatory(),
      new Option('--project <id>', 'the sale (proj_…)').makeOptionMandatory(),
      new Option('--payout <id>', 'the payout (pay_…)').makeOptionMandatory(),
      signaturesOption(),
      validForOption(),
    ],
    (commands, options, terminal) => commands.pay(options, terminal),
  );
  command<Parameters<Commands['signTransaction']>[0]>(
    'sign',
    'show a transaction in words, ask, and write one signature',
    'Shows a transaction, in words and whole, asks, and writes it with one signature to standard output. It needs no network: it may run on a machine that has none.',
    [
      transactionOption('the complete transaction'),
      new Option(
        '--key-file <file>',
        "a file of mode 600 that holds the signer's seed (s…) and nothing else",
      ).makeOptionMandatory(),
    ],
    (commands, options, terminal) => commands.signTransaction(options, terminal),
  );
  command<Parameters<Commands['combineSignatures']>[0]>(
    'combine',
    'put signatures together, and check the quorum',
    'Verifies the signatures of one transaction, checks them against the signer list on the ledger, and writes the transaction with all of them, in the ledger’s order, to standard output.',
    [ledgerOption()],
    (commands, options, terminal) => commands.combineSignatures(options, terminal),
  ).argument('<files...>', 'what `sign` wrote');
  command<Parameters<Commands['submitTransaction']>[0]>(
    'submit',
    'send a combined transaction',
    'Sends a combined transaction and waits until the ledger has validated it.',
    [transactionOption('what `combine` wrote'), ledgerOption()],
    (commands, options, terminal) => commands.submitTransaction(options, terminal),
  );
}
