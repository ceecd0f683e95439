import type { SignerSet } from '@tranche/rules/custody.ts';
import * as z from 'zod';
import { LedgerFault, ledgerUnavailable } from './errors.ts';
import type { LedgerServer } from './read-feed.ts';

/** Who can sign for an account. */
export interface AccountKeys {
  masterDisabled: boolean;
  regularKey: string | null;
  signerList: { quorum: number; signers: { account: string; weight: number }[] } | null;
}

/** An account itself, without what it owns. */
export interface AccountRoot extends AccountKeys {
  balanceDrops: bigint;
  ownerCount: number;
  sequence: number;
  /** It owns more than its signer list and its tickets; `readClaims` tells what of it takes something. */
  ownsMore: boolean;
}

/** Who can sign for an account, and what it owns by which its money may leave without a further signature. */
export interface AccountControl extends AccountKeys {
  /** Types of such entries, each as often as it owns one: Check, Delegate, Escrow, Offer, PayChannel … */
  claims: readonly string[];
}

const DISABLE_MASTER = 0x0010_0000;

const signerList = () =>
  z.object({
    SignerQuorum: z.int(),
    SignerEntries: z.array(z.object({ SignerEntry: z.object({ Account: z.string(), SignerWeight: z.int() }) })),
  });
const accountInfo = z.lazy(() =>
  z.object({
    account_data: z.object({
      Balance: z.string().regex(/^\d+$/),
      Flags: z.int(),
      OwnerCount: z.int(),
      Sequence: z.int(),
      TicketCount: z.int().default(0),
      RegularKey: z.string().optional(),
    }),
    signer_lists: z.array(signerList()).max(1),
    ledger_index: z.int(),
    validated: z.literal(true),
  }),
);
const objectsPage = z.lazy(() =>
  z.object({
    account_objects: z.array(
      z.object({ LedgerEntryType: z.string(), Account: z.string().optional(), Owner: z.string().optional() }),
    ),
    ledger_index: z.int(),
    validated: z.literal(true),
    marker: z.unknown().optional(),
  }),
);

/** What an account may own without anything leaving it by that. Any type that is not among them may take something. */
const TAKES_NOTHING: ReadonlySet<string> = new Set([
  'Credential',
  'DID',
  'DepositPreauth',
  'MPToken',
  'MPTokenIssuance',
  'NFTokenPage',
  'Oracle',
  'PermissionedDomain',
  'RippleState',
  'SignerList',
  'Ticket',
]);

const PAGE_LIMIT = 400;
const MAX_PAGES = 1_000;

const ofLedger = <Answer extends { ledger_index: number }>(answer: Answer, ledgerIndex: number): Answer => {
  if (answer.ledger_index !== ledgerIndex) throw ledgerUnavailable('The ledger server answered for another ledger');
  return answer;
};

/**
 * The account as a validated ledger left it; null when it did not exist there. Fails on a server that no longer holds that
 * ledger's state.
 */
export async function readAccountRoot(
  server: Pick<LedgerServer, 'request'>,
  account: string,
  ledgerIndex: number,
): Promise<AccountRoot | null> {
  let answer: unknown;
  try {
    const command = { command: 'account_info', account, ledger_index: ledgerIndex, signer_lists: true };
    answer = await server.request(command);
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
  const { account_data: root, signer_lists: lists } = ofLedger(accountInfo.parse(answer), ledgerIndex);
  const [list] = lists;
  return {
    masterDisabled: (root.Flags & DISABLE_MASTER) !== 0,
    regularKey: root.RegularKey ?? null,
    signerList:
      list === undefined
        ? null
        : {
            quorum: list.SignerQuorum,
            signers: list.SignerEntries.map(({ SignerEntry: { Account, SignerWeight } }) => ({
              account: Account,
              weight: SignerWeight,
            })),
          },
    balanceDrops: BigInt(root.Balance),
    ownerCount: root.OwnerCount,
    sequence: root.Sequence,
    ownsMore: root.OwnerCount !== root.TicketCount + lists.length,
  };
}

/** A client may hand the server's refusal on as the cause of its own error. */
const isNotFound = (error: unknown): boolean => {
  const said = error instanceof LedgerFault ? error : error instanceof Error ? error.cause : undefined;
  return said instanceof LedgerFault && said.code === 'actNotFound';
};

/** The same, with what it owns. */
export async function readAccountControl(
  server: LedgerServer,
  account: string,
  ledgerIndex: number,
): Promise<AccountControl | null> {
  const root = await readAccountRoot(server, account, ledgerIndex);
  if (root === null) return null;
  const { masterDisabled, regularKey, signerList: list, ownsMore } = root;
  // An issuer's directory holds every holder's trust line: it is read only when the account owns something else.
  const claims = ownsMore ? await readClaims(server, account, ledgerIndex) : [];
  return { masterDisabled, regularKey, signerList: list, claims };
}

/** Types of what the account owns by which its money may leave, in order. */
export async function readClaims(
  server: Pick<LedgerServer, 'request'>,
  account: string,
  ledgerIndex: number,
): Promise<string[]> {
  const claims: string[] = [];
  let marker: unknown;
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await server.request({
      command: 'account_objects',
      account,
      ledger_index: ledgerIndex,
      limit: PAGE_LIMIT,
      ...(marker === undefined ? {} : { marker }),
    });
    const { account_objects: objects, marker: next } = ofLedger(objectsPage.parse(answer), ledgerIndex);
    for (const { LedgerEntryType: type, Account, Owner } of objects) {
      // A vault is its Owner's, and has an Account of its own.
      const isOthers = (Account ?? Owner) !== undefined && Account !== account && Owner !== account;
      if (!TAKES_NOTHING.has(type) && !isOthers) claims.push(type);
    }
    if (next === undefined) return claims.sort();
    marker = next;
  }
  throw ledgerUnavailable(`${account} owns more entries than are read`);
}

const listText = (quorum: number, signers: readonly { account: string; weight: number }[]): string =>
  [`quorum ${quorum}`, ...signers.map(({ account, weight }) => `${account} ${weight}`).sort()].join(', ');

/** In what an account is not as the signer set wants it (docs/verification.md, section 11); null is no account. Pure. */
export function custodyDifferences(
  { quorum, platform, witnesses }: SignerSet,
  control: AccountControl | null,
): { field: string; expected: string; found: string }[] {
  const list = control?.signerList ?? null;
  const state: [field: string, expected: string, found: string][] =
    control === null
      ? [['account', 'an account', 'none']]
      : [
          ['master_key', 'disabled', control.masterDisabled ? 'disabled' : 'enabled'],
          ['regular_key', 'none', control.regularKey ?? 'none'],
          [
            'signer_list',
            listText(quorum, [platform, ...witnesses]),
            list === null ? 'none' : listText(list.quorum, list.signers),
          ],
          ['entries', 'none', control.claims.length === 0 ? 'none' : control.claims.join(', ')],
        ];
  return state.flatMap(([field, expected, found]) => (expected === found ? [] : [{ field, expected, found }]));
}
