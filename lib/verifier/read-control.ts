import * as z from 'zod';
import { LedgerFault, ledgerUnavailable } from './errors.ts';
import type { LedgerServer } from './read-feed.ts';

/** Who can sign for an account, and what it owns by which its money may leave without a further signature. */
export interface AccountControl {
  masterDisabled: boolean;
  regularKey: string | null;
  signerList: { quorum: number; signers: { account: string; weight: number }[] } | null;
  /** Types of such entries, each as often as it owns one: Check, Delegate, Escrow, Offer, PayChannel … */
  claims: string[];
}

const DISABLE_MASTER = 0x0010_0000;

const signerList = z.object({
  SignerQuorum: z.int(),
  SignerEntries: z.array(z.object({ SignerEntry: z.object({ Account: z.string(), SignerWeight: z.int() }) })),
});
const accountInfo = z.object({
  account_data: z.object({
    Flags: z.int(),
    OwnerCount: z.int(),
    TicketCount: z.int().default(0),
    RegularKey: z.string().optional(),
  }),
  signer_lists: z.array(signerList).max(1),
  ledger_index: z.int(),
  validated: z.literal(true),
});
const objectsPage = z.object({
  account_objects: z.array(
    z.object({ LedgerEntryType: z.string(), Account: z.string().optional(), Owner: z.string().optional() }),
  ),
  ledger_index: z.int(),
  validated: z.literal(true),
  marker: z.unknown().optional(),
});

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
export async function readAccountControl(
  server: LedgerServer,
  account: string,
  ledgerIndex: number,
): Promise<AccountControl | null> {
  let answer: unknown;
  try {
    const command = { command: 'account_info', account, ledger_index: ledgerIndex, signer_lists: true };
    answer = await server.request(command);
  } catch (error) {
    if (error instanceof LedgerFault && error.code === 'actNotFound') return null;
    throw error;
  }
  const { account_data: root, signer_lists: lists } = ofLedger(accountInfo.parse(answer), ledgerIndex);
  const [list] = lists;
  // An issuer's directory holds every holder's trust line: it is read only when the account owns something else.
  const ownsOthers = root.OwnerCount !== root.TicketCount + lists.length;
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
    claims: ownsOthers ? await readClaims(server, account, ledgerIndex) : [],
  };
}

async function readClaims(server: LedgerServer, account: string, ledgerIndex: number): Promise<string[]> {
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
      if (!TAKES_NOTHING.has(type) && (Account ?? Owner ?? account) === account) claims.push(type);
    }
    if (next === undefined) return claims.sort();
    marker = next;
  }
  throw ledgerUnavailable(`${account} owns more entries than are read`);
}
