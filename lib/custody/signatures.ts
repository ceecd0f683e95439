import { formatDrops } from '@tranche/rules/amounts.ts';
import { textOfHex } from '@tranche/rules/wire.ts';
import {
  decode,
  encode,
  encodeForMultiSigning,
  hashes,
  multisign,
  type SubmittableTransaction,
  validate,
  type Wallet,
} from 'xrpl';
import { z } from 'zod';
import type { SignerList } from './signer-set.ts';

/** The ledger's flags of an account by the number that sets or clears them. */
const ACCOUNT_FLAGS: Record<number, string> = {
  1: 'RequireDest',
  2: 'RequireAuth',
  3: 'DisallowXRP',
  4: 'DisableMaster',
  5: 'AccountTxnID',
  6: 'NoFreeze',
  7: 'GlobalFreeze',
  8: 'DefaultRipple',
  9: 'DepositAuth',
};
/** Fields of every transaction, told in a line of their own. */
const COMMON = new Set([
  ...['TransactionType', 'Account', 'Fee', 'Sequence', 'TicketSequence', 'LastLedgerSequence', 'NetworkID', 'Flags'],
  ...['SigningPubKey', 'Signers'],
]);

const signedTransaction = z.looseObject({
  TransactionType: z.string(),
  Account: z.string(),
  Fee: z.string(),
  Sequence: z.int(),
  TicketSequence: z.int().optional(),
  LastLedgerSequence: z.int(),
  SigningPubKey: z.literal(''),
  Signers: z
    .array(
      z.object({
        Signer: z.strictObject({ Account: z.string(), SigningPubKey: z.string(), TxnSignature: z.string() }),
      }),
    )
    .optional(),
});
/** A transaction that signers sign: complete but for their signatures. */
export type MultiSigned = SubmittableTransaction & {
  LastLedgerSequence: number;
  Sequence: number;
  Fee: string;
  Signers?: { Signer: { Account: string; SigningPubKey: string; TxnSignature: string } }[];
};

/** Parses a transaction file. Throws what is missing, in words. */
export function parseTransaction(text: string): MultiSigned {
  const read = signedTransaction.safeParse(JSON.parse(text));
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new Error(
      `The transaction is not complete (${issue?.path.join('.')}): make it so by \`tranche custody prepare\``,
    );
  }
  validate(read.data);
  // Through the binary form and back: what is shown is what is signed, and nothing beside it.
  return decode(encode(read.data as unknown as MultiSigned)) as unknown as MultiSigned;
}

const amountInWords = (amount: unknown): string => {
  if (typeof amount === 'string') return `${formatDrops(BigInt(amount))} XRP`;
  const token = z
    .union([
      z.object({ value: z.string(), currency: z.string(), issuer: z.string() }),
      z.object({ value: z.string(), mpt_issuance_id: z.string() }),
    ])
    .parse(amount);
  return 'issuer' in token
    ? `${token.value} ${token.currency} of ${token.issuer}`
    : `${token.value} of issuance ${token.mpt_issuance_id}`;
};

const flagName = (flag: unknown): string => ACCOUNT_FLAGS[Number(flag)] ?? `flag ${flag}`;

type Told = [words: string[], fields: string[]];

function paymentInWords(transaction: Record<string, unknown>): Told {
  const { Amount, Destination, DestinationTag: tag, SendMax } = transaction;
  const to = `${Destination}${tag === undefined ? '' : ` with tag ${tag}`}`;
  return [
    [
      `Pays ${amountInWords(Amount)} to ${to}.`,
      ...(SendMax === undefined ? [] : [`It may cost up to ${amountInWords(SendMax)}.`]),
    ],
    ['Amount', 'Destination', 'DestinationTag', 'SendMax'],
  ];
}

function listInWords({ SignerQuorum, SignerEntries = [] }: Record<string, unknown>): Told {
  if (SignerQuorum === 0)
    return [['Removes the signer list: the master or regular key alone signs.'], ['SignerQuorum']];
  const entries = z
    .array(z.object({ SignerEntry: z.object({ Account: z.string(), SignerWeight: z.int() }) }))
    .parse(SignerEntries);
  return [
    [
      `Replaces who can move the money of this account. Quorum ${SignerQuorum}:`,
      ...entries.map(({ SignerEntry }) => `  ${SignerEntry.Account}  weight ${SignerEntry.SignerWeight}`),
    ],
    ['SignerQuorum', 'SignerEntries'],
  ];
}

function accountSetInWords({ SetFlag: set, ClearFlag: clear }: Record<string, unknown>): Told {
  const words: string[] = [];
  if (set !== undefined) words.push(set === 4 ? 'Disables the master key.' : `Sets ${flagName(set)}.`);
  if (clear !== undefined) {
    words.push(
      clear === 4 ? 'Enables the master key: its owner alone can then move everything.' : `Clears ${flagName(clear)}.`,
    );
  }
  if (words.length === 0) words.push('Changes no flag.');
  return [words, ['SetFlag', 'ClearFlag']];
}

function typeInWords(transaction: Record<string, unknown>): Told {
  switch (transaction.TransactionType) {
    case 'Payment':
      return paymentInWords(transaction);
    case 'SignerListSet':
      return listInWords(transaction);
    case 'AccountSet':
      return accountSetInWords(transaction);
    case 'SetRegularKey':
      return [
        [
          transaction.RegularKey === undefined
            ? 'Removes the regular key.'
            : `Lets ${transaction.RegularKey} sign alone for this account.`,
        ],
        ['RegularKey'],
      ];
    case 'TrustSet':
      return [
        [
          `Trusts up to ${amountInWords(transaction.LimitAmount)}.`,
          ...(Number(transaction.Flags ?? 0) & 0x0002_0000 ? ['Lets no payment ripple through this line.'] : []),
        ],
        ['LimitAmount'],
      ];
    case 'TicketCreate':
      return [[`Creates ${transaction.TicketCount} tickets.`], ['TicketCount']];
    default:
      return [['This program has no words for it: read every field.'], []];
  }
}

const memos = z.array(z.object({ Memo: z.record(z.string(), z.string()) }));

/** What a transaction does, for who is asked to sign it. No field is left out. Pure. */
export function inWords(transaction: MultiSigned): string[] {
  const fields: Record<string, unknown> = { ...transaction };
  const [words, told] = typeInWords(fields);
  const { Memos, TicketSequence: ticket, NetworkID: network, Flags: flags = 0 } = fields;
  const rest = Object.keys(fields).filter((name) => !COMMON.has(name) && !told.includes(name) && name !== 'Memos');
  return [
    `${transaction.TransactionType} of ${transaction.Account}`,
    ...words,
    ...memos
      .parse(Memos ?? [])
      .map(({ Memo }) => `Memo ${textOfHex(Memo.MemoType ?? '')}: ${textOfHex(Memo.MemoData ?? '') || Memo.MemoData}`),
    ...rest.map((name) => `${name}: ${JSON.stringify(fields[name])}`),
    `fee ${formatDrops(BigInt(transaction.Fee))} XRP, ${ticket === undefined ? `sequence ${transaction.Sequence}` : `ticket ${ticket}`}, flags ${flags}, until ledger ${transaction.LastLedgerSequence}, network ${network ?? 'up to 1024'}`,
  ];
}

const withoutSigners = ({ Signers: _, ...rest }: MultiSigned): MultiSigned => rest as MultiSigned;

/** The transaction with one signature, of this key. */
export function signWith(wallet: Wallet, transaction: MultiSigned): MultiSigned {
  const { tx_blob } = wallet.sign(withoutSigners(transaction), true);
  return decode(tx_blob) as unknown as MultiSigned;
}

/** The keys that a SignerListSet names and the list in force does not. Pure. */
export function newKeysOf(transaction: SubmittableTransaction, list: SignerList): string[] {
  if (transaction.TransactionType !== 'SignerListSet') return [];
  return (transaction.SignerEntries ?? [])
    .map(({ SignerEntry }) => SignerEntry.Account)
    .filter((key) => list.weights[key] === undefined);
}

/** A transaction with the signatures of a quorum, as the ledger takes it. */
export interface Combined {
  blob: string;
  hash: string;
  transaction: MultiSigned;
  signers: string[];
  weight: number;
}

/**
 * Puts signatures over one transaction together, in the ledger's order. Each is verified. A key that a new list brings
 * must have signed too, which proves that somebody has it; its signature is not part of the result. Throws what is
 * missing.
 */
export async function combine(
  parts: readonly MultiSigned[],
  list: SignerList,
  baseFeeDrops: bigint,
): Promise<Combined> {
  const { deriveAddress, verify } = await import('ripple-keypairs');
  const [first] = parts;
  if (first === undefined) throw new Error('Name at least one signed transaction');
  const transaction = withoutSigners(first);
  const same = encode(transaction);
  const signatures = new Map<string, { SigningPubKey: string; TxnSignature: string }>();
  for (const part of parts) {
    if (encode(withoutSigners(part)) !== same)
      throw new Error('The files are not of one transaction: nothing was combined');
    for (const { Signer } of part.Signers ?? []) {
      const { Account: key, SigningPubKey, TxnSignature } = Signer;
      const isValid =
        deriveAddress(SigningPubKey) === key &&
        verify(encodeForMultiSigning(transaction, key), TxnSignature, SigningPubKey);
      if (!isValid) throw new Error(`The signature of ${key} is not valid for this transaction`);
      signatures.set(key, { SigningPubKey, TxnSignature });
    }
  }
  const newKeys = newKeysOf(transaction, list);
  const unproven = newKeys.filter((key) => !signatures.has(key));
  if (unproven.length > 0) {
    throw new Error(
      `The new list names ${unproven.join(', ')}, who has not signed it: a key that nobody has can lock the account. Have it sign the same file`,
    );
  }
  const stranger = [...signatures.keys()].find((key) => list.weights[key] === undefined && !newKeys.includes(key));
  if (stranger !== undefined) throw new Error(`${stranger} is not on the account's signer list`);
  const signers = [...signatures.keys()].filter((key) => list.weights[key] !== undefined);
  const weight = signers.reduce((sum, key) => sum + (list.weights[key] ?? 0), 0);
  if (weight < list.quorum) {
    throw new Error(`The signatures of ${signers.join(', ')} weigh ${weight} of ${list.quorum}: more must sign`);
  }
  const needed = baseFeeDrops * BigInt(1 + signers.length);
  if (BigInt(transaction.Fee) < needed) {
    throw new Error(
      `${signers.length} signatures cost ${needed} drops, and the fee is ${transaction.Fee}: leave some away, or prepare it again with --signatures ${signers.length}`,
    );
  }
  const blob = multisign(
    signers.map((Account) =>
      encode({ ...transaction, Signers: [{ Signer: { Account, ...signatures.get(Account) } }] } as MultiSigned),
    ),
  );
  return {
    blob,
    hash: hashes.hashSignedTx(blob),
    transaction: decode(blob) as unknown as MultiSigned,
    signers,
    weight,
  };
}

/** The blob and hash of a file that holds a combined transaction. */
export function signedBlob(transaction: MultiSigned): { blob: string; hash: string } {
  if ((transaction.Signers ?? []).length === 0)
    throw new Error('The transaction has no signatures: combine them first');
  const blob = encode(transaction);
  return { blob, hash: hashes.hashSignedTx(blob) };
}
