import type { Custody } from '@tranche/rules/custody.ts';
import type { Ctx } from '#lib/ctx.ts';
import { signerFaults } from '../actions/custody-checklist.ts';
import { findProject } from './project-resource.ts';
import { shortMemory } from './short-memory.ts';

/** One of the two accounts that pay a sale, and why it is not as the sale's custody says; empty when it is. */
export interface AccountInForce {
  role: 'deposit account' | 'distributor';
  faults: string[];
}

const MAX_AGE_MS = 15_000;
const remembered = shortMemory<AccountInForce[]>(MAX_AGE_MS);

/**
 * Whether only the signers of a project's custody can move what its accounts hold, as the ledger showed it a moment ago;
 * null for a project of one key. Throws `project_not_found`, `ledger_unavailable`.
 */
export async function getCustodyInForce(ctx: Ctx, id: string): Promise<AccountInForce[] | null> {
  const { custody, depositAddress, distributor } = await findProject(ctx.db, id);
  if (custody === null) return null;
  const key = JSON.stringify([depositAddress, distributor, custody]);
  return remembered(key, ctx.clock.nowMs(), () =>
    Promise.all([
      look(ctx, custody, 'deposit account', depositAddress),
      look(ctx, custody, 'distributor', distributor),
    ]),
  );
}

async function look(
  { ledger }: Ctx,
  custody: Custody,
  role: AccountInForce['role'],
  address: string,
): Promise<AccountInForce> {
  const [account, objects] = await Promise.all([ledger.account(address), ledger.leavingObjects(address)]);
  if (account === null) return { role, faults: ['is not on the ledger'] };
  const faults = [...signerFaults(custody, account)];
  if (objects.length > 0) faults.push(`has objects that let funds leave without the witnesses: ${objects.join(', ')}`);
  return { role, faults };
}
