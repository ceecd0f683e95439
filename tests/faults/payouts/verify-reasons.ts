import { notInArray } from 'drizzle-orm';
import type { AccountInfoResponse, Client } from 'xrpl';
import { payouts } from '#drizzle/schema/payouts.ts';
import type { Db } from '#lib/base/db.ts';
import { CURRENCY } from './acts.ts';
import type { Obligation } from './obligations.ts';
import type { Scene } from './scene.ts';

const REQUIRE_DEST = 0x0002_0000;
const DEPOSIT_AUTH = 0x0100_0000;

type Account = AccountInfoResponse['result']['account_data'];

/** The answer, or null where the ledger has no such thing. */
async function orNull<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    const code = (error as { data?: { error?: string } }).data?.error;
    if (code === 'actNotFound' || code === 'entryNotFound') return null;
    throw error;
  }
}

const accountOf = async (client: Client, account: string): Promise<Account | null> =>
  (await orNull(client.request({ command: 'account_info', account, ledger_index: 'validated' })))?.result
    .account_data ?? null;

async function lineOf(scene: Scene, account: string) {
  const answer = await orNull(
    scene.client.request({ command: 'account_lines', account, peer: scene.issuer.address, ledger_index: 'validated' }),
  );
  return answer?.result.lines.find(({ currency }) => currency === CURRENCY);
}

/** When the newest ledger has closed. */
async function closeTime(client: Client): Promise<Date> {
  const { result } = await client.request({ command: 'ledger', ledger_index: 'validated' });
  return new Date(result.ledger.close_time_iso);
}

const MPT_LOCKED = 1;
const MPT_AUTHORISED = 2;

/** Flags of the account's entry for the MPT; null when it has none. */
async function holdingFlags({ client, issuanceId }: Scene, account: string): Promise<number | null> {
  const mptoken = { mpt_issuance_id: issuanceId, account };
  const answer = await orNull(client.request({ command: 'ledger_entry', mptoken, ledger_index: 'validated' }));
  if (answer === null) return null;
  const { node } = answer.result;
  return node !== undefined && 'Flags' in node ? Number(node.Flags) : 0;
}

async function isTrue(reason: string, scene: Scene, owed: Obligation): Promise<boolean> {
  const { client } = scene;
  const account = await accountOf(client, owed.destination);
  const flags = account?.Flags ?? 0;
  const line = await lineOf(scene, owed.destination);
  switch (reason) {
    case 'lock_time_passed':
      return owed.lockedUntil !== null && owed.lockedUntil <= (await closeTime(client));
    case 'destination_missing':
      return account === null;
    case 'destination_tag_required':
      return (flags & REQUIRE_DEST) !== 0 && owed.destinationTag === null;
    case 'deposit_authorization_required': {
      const asked = { source_account: owed.payer, destination_account: owed.destination } as const;
      const { result } = await client.request({ command: 'deposit_authorized', ...asked, ledger_index: 'validated' });
      return (flags & DEPOSIT_AUTH) !== 0 && !result.deposit_authorized;
    }
    case 'trust_line_missing':
      return account !== null && line === undefined;
    case 'trust_line_frozen':
      return line?.freeze_peer === true;
    case 'trust_line_limit':
      return line !== undefined && Number(line.limit) - Number(line.balance) < Number(owed.amount) / 1e6;
    case 'trust_line_unauthorized':
      return line !== undefined && line.peer_authorized !== true;
    case 'token_not_opted_in':
      return account !== null && (await holdingFlags(scene, owed.destination)) === null;
    case 'token_locked':
      return (((await holdingFlags(scene, owed.destination)) ?? 0) & MPT_LOCKED) !== 0;
    case 'token_unauthorized': {
      const flags = await holdingFlags(scene, owed.destination);
      return flags !== null && (flags & MPT_AUTHORISED) === 0;
    }
    default:
      return false;
  }
}

/** Whether everything that is not paid waits or is held for a reason that the ledger bears out, or is not due yet. */
export async function verifyReasons(db: Db, scene: Scene, owed: readonly Obligation[]): Promise<string[]> {
  const wrong: string[] = [];
  const nowMs = Math.max(Date.now(), (await closeTime(scene.client)).getTime());
  const unpaid = await db
    .select()
    .from(payouts)
    .where(notInArray(payouts.status, ['validated']));
  const isUnmade = ({ kind, projectId, part }: (typeof unpaid)[number]): boolean =>
    kind === 'unlock' &&
    unpaid.some((lock) => lock.kind === 'lock' && lock.projectId === projectId && lock.part === part);
  for (const row of unpaid) {
    const { id, status, reason } = row;
    // Whether its lock was made is compared with the ledger elsewhere (verify-books.ts).
    if (status === 'cancelled' && reason === 'lock_not_made' && isUnmade(row)) continue;
    const obligation = owed.find((each) => each.id === id);
    if (obligation === undefined) throw new Error(`The database owes ${id}, the campaign does not`);
    const isDue = obligation.dueAt.getTime() <= nowMs;
    const isTold = isDue
      ? (status === 'waiting_holder' || status === 'held') &&
        reason !== null &&
        (await isTrue(reason, scene, obligation))
      : status === 'scheduled' && reason === null;
    if (!isTold) wrong.push(`${id} is ${status} with reason ${reason}, which the ledger does not bear out`);
  }
  return wrong;
}
