import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { SubmittableTransaction, Wallet } from 'xrpl';
import type { CommandOutput } from '#lib/base/command-output.ts';
import { readSeedFile, walletOfSeed } from '#lib/base/seed-file.ts';
import { type CarryOut, carryOut, factsOf, type Unfinished } from './carry-out.ts';
import { type CustodyLedger, withCustodyLedger } from './ledger.ts';
import { payByHand } from './pay.ts';
import { combine, inWords, type MultiSigned, parseTransaction, signedBlob, signWith } from './signatures.ts';
import { describeSignerSet, listOf, parseSignerSet, type SignerSetFile, sameList } from './signer-set.ts';
import { type AccountFacts, isUnderOthers, type Step, setUpSteps, takeDownSteps } from './steps.ts';
import { unfinishedSales } from './unfinished-sales.ts';

/** A yes or no of the person at the terminal. */
export type Confirm = (question: string) => Promise<boolean>;
interface Terminal {
  say: CommandOutput;
  confirm: Confirm;
}

interface OnLedger {
  /** Servers; all must show the same. */
  ledger: string[];
  /** How often the ledger is looked at; a test's ledger is faster than a real one. */
  pollMs?: number;
}
interface OfAccounts extends OnLedger {
  accounts: string[];
  custody: string;
}
interface Guided extends OnLedger {
  accounts: string[];
  /** Files of seeds: of the accounts, and of signers that sign on this machine. */
  keyFile: string[];
  /** Folder for the transactions that signers sign elsewhere. */
  folder: string;
  /** Seconds to wait for the owner's own wallet. */
  wait: number;
}

const MARKS: Record<Step['state'], string> = { done: 'done   ', open: 'NEXT   ', waits: 'later  ', blocked: 'BLOCKED' };

function showSteps(facts: AccountFacts, steps: readonly Step[], say: CommandOutput): void {
  say.out(`\n${facts.address}`);
  for (const { state, title, problem, transaction, signedBy } of steps) {
    say.out(`  ${MARKS[state]}  ${title}`);
    if (state === 'blocked') say.out(`           ${problem?.replaceAll('\n', '\n           ')}`);
    if (state === 'done' || state === 'blocked' || transaction === null) continue;
    const by = { account: 'its master or regular key', master: 'its master key', signers: 'its signers' };
    say.out(`           signed by ${signedBy === null ? 'nobody' : by[signedBy]}: ${JSON.stringify(transaction)}`);
  }
}

const withLedger = <T>({ ledger: urls, pollMs }: OnLedger, work: (ledger: CustodyLedger) => Promise<T>): Promise<T> =>
  withCustodyLedger({ urls, ...(pollMs === undefined ? {} : { pollMs }) }, work);

const readSet = async ({ custody, accounts }: OfAccounts): Promise<SignerSetFile> =>
  parseSignerSet(await readFile(custody, 'utf8'), accounts);

const readTransaction = async (file: string): Promise<MultiSigned> => {
  try {
    return parseTransaction(await readFile(file, 'utf8'));
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
};

/** A key that signs for money is its owner's only. */
async function readKey(file: string): Promise<Wallet> {
  const { seed, othersMayRead } = await readSeedFile(file);
  if (othersMayRead) throw new Error(`Others may read ${file}, so it was not used. Run: chmod 600 ${file}`);
  return walletOfSeed(seed);
}

const json = (value: unknown): string => JSON.stringify(value, null, 2);

/** Says who can do what and which transactions are missing: 0 nothing is, 1 something is. Changes nothing. */
export async function planCustody(options: OfAccounts, { say }: Terminal): Promise<number> {
  const set = await readSet(options);
  return withLedger(options, async (ledger) => {
    for (const line of describeSignerSet(set)) say.out(line);
    let isDone = true;
    for (const address of options.accounts) {
      const facts = await factsOf(ledger, address);
      const steps = setUpSteps(set, facts);
      showSteps(facts, steps, say);
      isDone &&= steps.every(({ state }) => state === 'done');
    }
    say.out(isDone ? '\nNothing is missing.' : '\nDo these in this order, or let `tranche custody setup` lead you.');
    return isDone ? 0 : 1;
  });
}

/** What the ledger shows against the signer set: 0 the same, 1 not. */
export async function showStatus(options: OfAccounts, { say }: Terminal): Promise<number> {
  const set = await readSet(options);
  return withLedger(options, async (ledger) => {
    let isSame = true;
    for (const address of options.accounts) {
      const facts = await factsOf(ledger, address);
      const open = setUpSteps(set, facts).filter(({ state }) => state !== 'done');
      isSame &&= open.length === 0;
      say.out(
        `${address}: ${open.length === 0 ? `under custody, quorum ${set.quorum}` : 'NOT as the signer set says'}`,
      );
      for (const { title, problem } of open)
        say.out(`  it is not so that it ${title}${problem === null ? '' : `: ${problem}`}`);
      if (facts.list !== null && !sameList(facts.list, listOf(set)))
        say.out(`  list on the ledger: ${json(facts.list)}`);
    }
    return isSame ? 0 : 1;
  });
}

const ENDINGS: Record<Unfinished, string> = {
  blocked: 'Stopped: see above. Run the same command again when that is done.',
  declined: 'Stopped: nothing was signed. Run the same command again to go on.',
  signatures: 'Stopped until the signers have signed. Run the same command again to go on.',
  wallet: 'Stopped: the ledger does not show it yet. Run the same command again to go on.',
};

async function guide(
  options: Guided,
  { say, confirm }: Terminal,
  ledger: CustodyLedger,
  stepsOf: CarryOut['stepsOf'],
  done: string,
): Promise<number> {
  const keys = await Promise.all(options.keyFile.map(readKey));
  const fileOf = (name: string): string => path.join(options.folder, name);
  const unfinished = await carryOut({
    ledger,
    accounts: options.accounts,
    stepsOf,
    keys,
    confirm,
    looks: Math.ceil((options.wait * 1_000) / (options.pollMs ?? 1_000)),
    say,
    keep: async (name, transaction) => {
      await writeFile(fileOf(name), `${json(transaction)}\n`);
      return fileOf(name);
    },
    kept: (name) => readTransaction(fileOf(name)).catch(() => null),
  });
  say.err(unfinished === null ? `\n${done}` : `\n${ENDINGS[unfinished]}`);
  return unfinished === null ? 0 : 1;
}

/** Brings the accounts under custody, step by step: 0 done, 1 not yet. It may be stopped and run again at any time. */
export async function setUpCustody(
  options: OfAccounts & Guided & { baseUrl?: string },
  terminal: Terminal,
): Promise<number> {
  const set = await readSet(options);
  for (const line of describeSignerSet(set)) terminal.say.err(line);
  return withLedger(options, async (ledger) => {
    const accounts = await Promise.all(options.accounts.map((address) => factsOf(ledger, address)));
    const replaces = accounts.some((facts) => isUnderOthers(set, facts));
    if (replaces && !(await requireFinishedSales(ledger, options, terminal.say))) return 1;
    if (replaces) {
      terminal.say.err(
        'The present signers must have left no payment held or undecided at the platform: others could not send it back. The console’s page Custody names what is open.',
      );
    }
    return guide(
      options,
      terminal,
      ledger,
      (facts) => setUpSteps(set, facts),
      'Done: the accounts are under custody. Set it at the platform for their deposit account, and destroy the files of their own seeds, or keep them where only `take-down` finds them.',
    );
  });
}

async function requireFinishedSales(
  ledger: CustodyLedger,
  { accounts, baseUrl }: { accounts: readonly string[]; baseUrl?: string },
  say: CommandOutput,
): Promise<boolean> {
  const problems = await unfinishedSales(ledger, accounts, baseUrl);
  if (problems.length === 0) return true;
  say.err('Refused: a launched sale names its signers for good. Under others nothing of it could be paid or ended.');
  for (const problem of problems) say.err(`  ${problem}`);
  return false;
}

/** Gives the accounts back to their master keys: 0 done, 1 not yet. Refused while a launched sale is not finished. */
export async function takeDown(options: Guided & { baseUrl?: string }, terminal: Terminal): Promise<number> {
  return withLedger(options, async (ledger) => {
    if (!(await requireFinishedSales(ledger, options, terminal.say))) return 1;
    return guide(options, terminal, ledger, takeDownSteps, 'Done: each account’s master key alone signs for it.');
  });
}

/** Fills in what a transaction lacks so that every signer signs the same; written to standard output. */
export async function prepare(
  options: OnLedger & { transaction: string; signatures: number; validFor: number },
  { say }: Terminal,
): Promise<number> {
  const draft = JSON.parse(await readFile(options.transaction, 'utf8')) as SubmittableTransaction;
  return withLedger(options, async (ledger) => {
    const filled = await ledger.complete(draft, { signatures: options.signatures, validForLedgers: options.validFor });
    const transaction = parseTransaction(json({ ...filled, SigningPubKey: '' }));
    for (const line of inWords(transaction)) say.err(line);
    say.out(json(transaction));
    return 0;
  });
}

/** Writes what people sign to pay one obligation with the ticket that was created for it, or to create that ticket. */
export async function pay(
  options: OnLedger & { baseUrl: string; project: string; payout: string; signatures: number; validFor: number },
  { say }: Terminal,
): Promise<number> {
  return withLedger(options, async (ledger) => {
    const { step, transaction: draft, liveLedgers } = await payByHand(ledger, options);
    const validForLedgers = Math.min(options.validFor, liveLedgers ?? options.validFor);
    const filled = await ledger.complete(draft, { signatures: options.signatures, validForLedgers });
    const transaction = parseTransaction(json({ ...filled, SigningPubKey: '' }));
    for (const line of inWords(transaction)) say.err(line);
    if (liveLedgers !== null) {
      say.err(
        `While the sale may be cancelled, it must be validated within ${validForLedgers} ledgers: have the signers ready.`,
      );
    }
    say.err(
      step === 'ticket'
        ? 'There is no ticket for this payout yet: sign, combine and submit this one, and run the same command again for the payment.'
        : 'This pays it, and only once: sign, combine and submit it. Nothing else may pay this payout.',
    );
    say.out(json(transaction));
    return 0;
  });
}

/** Shows a transaction in words, asks, and writes it with one signature to standard output. Needs no network. */
export async function signTransaction(
  options: { transaction: string; keyFile: string },
  { say, confirm }: Terminal,
): Promise<number> {
  const transaction = await readTransaction(options.transaction);
  const key = await readKey(options.keyFile);
  say.err(json(transaction));
  for (const line of inWords(transaction)) say.err(line);
  if (!(await confirm(`Sign this by ${key.classicAddress}?`))) {
    say.err('Nothing was signed.');
    return 1;
  }
  say.out(json(signWith(key, transaction)));
  return 0;
}

/** Puts signatures together and checks them against the list on the ledger; written to standard output. */
export async function combineSignatures(options: OnLedger & { files: string[] }, { say }: Terminal): Promise<number> {
  const parts = await Promise.all(options.files.map(readTransaction));
  const [first] = parts;
  if (first === undefined) throw new Error('Name at least one signed transaction');
  return withLedger(options, async (ledger) => {
    const { list } = await factsOf(ledger, first.Account);
    if (list === null) throw new Error(`${first.Account} has no signer list on the ledger`);
    const [baseFeeDrops, sequence, validated] = await Promise.all([
      ledger.baseFeeDrops(),
      ledger.nextSequence(first.Account),
      ledger.validatedIndex(),
    ]);
    if (first.LastLedgerSequence <= validated)
      throw new Error('Its last ledger has passed: prepare it again, and sign again');
    if (first.TicketSequence === undefined && first.Sequence !== sequence) {
      throw new Error(
        `The account's next sequence is ${sequence}, and it has ${first.Sequence}: prepare it again, and sign again`,
      );
    }
    const { transaction, signers, weight } = await combine(parts, list, baseFeeDrops);
    say.err(`Signed by ${signers.join(', ')}: weight ${weight}, quorum ${list.quorum}`);
    say.out(json(transaction));
    return 0;
  });
}

/** Sends a combined transaction and waits until the ledger has validated it: 0 it has, with success. */
export async function submitTransaction(
  options: OnLedger & { transaction: string },
  { say }: Terminal,
): Promise<number> {
  const transaction = await readTransaction(options.transaction);
  const { blob, hash } = signedBlob(transaction);
  return withLedger(options, async (ledger) => {
    const { ledgerIndex } = await ledger.submit(blob, hash, transaction.LastLedgerSequence);
    say.err(`Validated in ledger ${ledgerIndex}`);
    say.out(hash);
    return 0;
  });
}
