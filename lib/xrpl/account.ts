import { z } from 'zod';
import type { Drops } from '#lib/base/money.ts';
import type { LedgerServer } from './connection.ts';
import { ledgerUnavailable, orNull } from './fault.ts';
import type { AccountState, SignerList } from './types.ts';

/** Bits of an account's flags that decide what can be paid to it or by its tokens. */
export const ACCOUNT_FLAGS = {
  requireDestinationTag: 0x0002_0000,
  requireAuthorization: 0x0004_0000,
  disableMasterKey: 0x0010_0000,
  noFreeze: 0x0020_0000,
  globalFreeze: 0x0040_0000,
  defaultRipple: 0x0080_0000,
  depositAuthorization: 0x0100_0000,
  allowTrustLineLocking: 0x4000_0000,
  allowTrustLineClawback: 0x8000_0000,
} as const;

export const hasAccountFlag = (account: Pick<AccountState, 'flags'>, flag: keyof typeof ACCOUNT_FLAGS): boolean =>
  (account.flags & ACCOUNT_FLAGS[flag]) !== 0;

/** A transfer rate in billionths that charges nothing. */
export const NO_TRANSFER_FEE = 1_000_000_000;

const drops = () =>
  z
    .string()
    .regex(/^\d+$/)
    .transform((text) => BigInt(text));

const signerList = () =>
  z.object({
    SignerQuorum: z.int(),
    PreviousTxnLgrSeq: z.int(),
    SignerEntries: z.array(z.object({ SignerEntry: z.object({ Account: z.string(), SignerWeight: z.int() }) })),
  });
const accountInfo = z.lazy(() =>
  z.object({
    ledger_index: z.int(),
    signer_lists: z.array(signerList()).max(1),
    account_data: z.object({
      Account: z.string(),
      Balance: drops(),
      Sequence: z.int(),
      OwnerCount: z.int(),
      Flags: z.int(),
      TransferRate: z.int().optional(),
      RegularKey: z.string().optional(),
    }),
  }),
);
const queuedInfo = z.lazy(() =>
  z.object({
    account_data: z.object({ Sequence: z.int() }),
    queue_data: z.object({ highest_sequence: z.int().optional() }).optional(),
  }),
);

/**
 * The account with its signer list, in one answer, so that both are of one ledger: the newest validated one. Null when it
 * does not exist there.
 */
export async function readAccount(server: LedgerServer, address: string): Promise<AccountState | null> {
  const command = { command: 'account_info', account: address, signer_lists: true, ledger_index: 'validated' } as const;
  const answer = await orNull(server.request(command), 'actNotFound');
  if (answer === null) return null;
  const { ledger_index: ledgerIndex, account_data: account, signer_lists: lists } = accountInfo.parse(answer);
  return {
    ledgerIndex,
    address: account.Account,
    balanceDrops: account.Balance,
    sequence: account.Sequence,
    ownerCount: account.OwnerCount,
    flags: account.Flags,
    transferRate: account.TransferRate ?? NO_TRANSFER_FEE,
    regularKey: account.RegularKey ?? null,
    signerList: lists.map(signerListOf)[0] ?? null,
  };
}

const accountRoot = z.lazy(() => z.object({ node: z.object({ Flags: z.int() }) }));

/**
 * The account's flags alone, in the newest validated ledger: they take a server and this process half as long as all of
 * `readAccount`, and are asked for each payment. Null when the account does not exist there.
 */
export async function readAccountFlags(
  server: LedgerServer,
  address: string,
): Promise<Pick<AccountState, 'flags'> | null> {
  const command = { command: 'ledger_entry', account_root: address, ledger_index: 'validated' } as const;
  const answer = await orNull(server.request(command), 'entryNotFound');
  return answer === null ? null : { flags: accountRoot.parse(answer).node.Flags };
}

const signerListOf = (list: z.output<ReturnType<typeof signerList>>): SignerList => ({
  quorum: list.SignerQuorum,
  signers: list.SignerEntries.map(({ SignerEntry: { Account: account, SignerWeight: weight } }) => ({
    account,
    weight,
  })),
  setInLedger: list.PreviousTxnLgrSeq,
});

const balanceInfo = z.lazy(() =>
  z.object({
    account_data: z.object({ Balance: drops() }),
    ledger_index: z.int(),
    validated: z.literal(true),
  }),
);

/** The account's XRP as the given validated ledger left it; null when the account does not exist there. */
export async function readBalanceAt(server: LedgerServer, address: string, ledgerIndex: number): Promise<Drops | null> {
  const asked = server.request({ command: 'account_info', account: address, ledger_index: ledgerIndex });
  const answer = await orNull(asked, 'actNotFound');
  if (answer === null) return null;
  const parsed = balanceInfo.parse(answer);
  if (parsed.ledger_index !== ledgerIndex) throw ledgerUnavailable('The ledger server answered for another ledger');
  return parsed.account_data.Balance;
}

/** Sequence for the account's next transaction, behind everything open or queued (docs/ledger-facts.md, 16). */
export async function readNextSequence(server: LedgerServer, address: string): Promise<number> {
  const answer = queuedInfo.parse(
    await server.request({ command: 'account_info', account: address, ledger_index: 'current', queue: true }),
  );
  return Math.max(answer.account_data.Sequence, (answer.queue_data?.highest_sequence ?? 0) + 1);
}

const authorised = z.lazy(() => z.object({ deposit_authorized: z.boolean() }));

/** True when `source` may pay `destination` as of the newest validated ledger. */
export async function readDepositAuthorized(
  server: LedgerServer,
  source: string,
  destination: string,
): Promise<boolean> {
  const answer = await server.request({
    command: 'deposit_authorized',
    source_account: source,
    destination_account: destination,
    ledger_index: 'validated',
  });
  return authorised.parse(answer).deposit_authorized;
}
