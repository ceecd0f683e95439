import type { Wallet } from 'xrpl';
import type { CommandOutput } from '#lib/base/command-output.ts';
import type { CustodyLedger } from './ledger.ts';
import { type Combined, combine, inWords, type MultiSigned, signWith } from './signatures.ts';
import type { AccountFacts, Step } from './steps.ts';
import { enoughOf, type Signers, signersOf, transactionForSigners } from './together.ts';

/** Signing alone takes no time; a person with a wallet takes some. */
const VALID_FOR_LEDGERS = 100;

export interface CarryOut {
  ledger: CustodyLedger;
  accounts: readonly string[];
  stepsOf(facts: AccountFacts): Step[];
  /** Keys that sign here: of the accounts, and of signers. */
  keys: readonly Wallet[];
  /** Shows what is about to be signed; false stops everything. */
  confirm(question: string): Promise<boolean>;
  /** Keeps a transaction for its signers and gives the file's name; what is kept and may still be signed stays. */
  keep(name: string, transaction: MultiSigned): Promise<string>;
  kept(name: string): Promise<MultiSigned | null>;
  /** How often to look whether the owner's own wallet has sent a transaction. */
  looks: number;
  say: CommandOutput;
}

/** Why it went no further; null when everything is done. Run again, it goes on where the ledger is. */
export type Unfinished = 'blocked' | 'declined' | 'signatures' | 'wallet';

/** The account as the ledger shows it. Throws when it does not exist. */
export async function factsOf(ledger: CustodyLedger, address: string): Promise<AccountFacts> {
  const facts = await ledger.facts(address);
  if (facts === null) throw new Error(`The ledger shows no account ${address}: pay its reserve to it first`);
  return facts;
}

const json = (value: unknown): string => JSON.stringify(value, null, 2);

/** Does one step after the other, of one account after the other, as far as the ledger shows that it is not done. */
export async function carryOut(work: CarryOut): Promise<Unfinished | null> {
  for (const address of work.accounts) {
    for (;;) {
      const facts = await factsOf(work.ledger, address);
      const next = work.stepsOf(facts).find(({ state }) => state !== 'done');
      if (next === undefined) break;
      if (next.state === 'blocked') {
        work.say.err(`${address}: not so yet: it ${next.title}.\n${next.problem}`);
        return 'blocked';
      }
      work.say.err(`\n${address}: next, that it ${next.title}`);
      const unfinished = await (next.signedBy === 'signers'
        ? signTogether(work, facts, next)
        : signAlone(work, facts, next));
      if (unfinished !== null) return unfinished;
    }
  }
  return null;
}

async function signAlone(work: CarryOut, facts: AccountFacts, step: Step): Promise<Unfinished | null> {
  const { ledger, say } = work;
  const { address, regularKey, masterDisabled } = facts;
  if (step.transaction === null) return 'blocked';
  const mayUse = [
    ...(masterDisabled ? [] : [address]),
    ...(step.signedBy === 'master' || regularKey === null ? [] : [regularKey]),
  ];
  const key = work.keys.find(({ classicAddress }) => mayUse.includes(classicAddress));
  const transaction = await ledger.complete(step.transaction, { signatures: 1, validForLedgers: VALID_FOR_LEDGERS });
  if (key === undefined) {
    say.out(json(step.transaction));
    say.err(
      `Sign and send this by the wallet of ${mayUse.join(' or ')}. This command goes on when the ledger shows it; it may be stopped and run again.`,
    );
    return waitUntil(work, facts, step);
  }
  say.out(json(transaction));
  say.err(inWords(transaction as MultiSigned).join('\n'));
  if (!(await work.confirm(`Sign this by ${key.classicAddress}, and send it?`))) return 'declined';
  const { tx_blob: blob, hash } = key.sign(transaction);
  await report(work, await ledger.submit(blob, hash, transaction.LastLedgerSequence ?? 0), hash);
  return null;
}

async function report({ say }: CarryOut, { ledgerIndex }: { ledgerIndex: number }, hash: string): Promise<void> {
  say.err(`Validated in ledger ${ledgerIndex}: ${hash}`);
}

async function waitUntil(work: CarryOut, { address }: AccountFacts, { id }: Step): Promise<Unfinished | null> {
  for (let look = 0; look < work.looks; look++) {
    const facts = await factsOf(work.ledger, address);
    if (work.stepsOf(facts).find((step) => step.id === id)?.state === 'done') return null;
    await work.ledger.pause();
  }
  return 'wallet';
}

/** A kept transaction may still be signed while its sequence is the next one and its last ledger is not there yet. */
async function isAlive(ledger: CustodyLedger, transaction: MultiSigned): Promise<boolean> {
  const [next, validated] = await Promise.all([ledger.nextSequence(transaction.Account), ledger.validatedIndex()]);
  return transaction.Sequence === next && transaction.LastLedgerSequence > validated;
}

async function signTogether(work: CarryOut, facts: AccountFacts, step: Step): Promise<Unfinished | null> {
  const { ledger, say, keys } = work;
  if (step.transaction === null || facts.list === null) return 'blocked';
  const name = `${step.id}-${facts.address}.json`;
  const kept = await work.kept(name);
  const transaction =
    kept !== null && (await isAlive(ledger, kept)) ? kept : await transactionForSigners(ledger, facts, step);
  say.out(json(transaction));
  say.err(inWords(transaction).join('\n'));
  const needed = signersOf(facts, step);
  const signers = enoughOf(
    facts,
    needed,
    keys.map(({ classicAddress }) => classicAddress),
  );
  if (signers === null) {
    say.err(signByHand(await work.keep(name, transaction), needed));
    return 'signatures';
  }
  if (!(await work.confirm(`Sign this by ${signers.join(', ')}, and send it?`))) return 'declined';
  const signed: Combined = await combine(
    keys.filter(({ classicAddress }) => signers.includes(classicAddress)).map((key) => signWith(key, transaction)),
    facts.list,
    await ledger.baseFeeDrops(),
  );
  await report(work, await ledger.submit(signed.blob, signed.hash, transaction.LastLedgerSequence), signed.hash);
  return null;
}

/** What to do with a transaction that people sign on machines of their own. */
const signByHand = (file: string, { some, all }: Signers): string =>
  [
    `Kept in ${file}. Each key signs it on its own machine:`,
    ...some.map((key) => `  ${key}, until the quorum is reached`),
    ...all.map((key) => `  ${key}, in any case`),
    `  npx tranche custody sign --transaction ${file} --key-file <file of the seed> > signed-1.json`,
    'Put their signatures together and send them:',
    '  npx tranche custody combine --ledger <url> signed-1.json signed-2.json … > combined.json',
    '  npx tranche custody submit --ledger <url> --transaction combined.json',
  ].join('\n');
