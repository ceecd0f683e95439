'use server';

import { revalidatePath } from 'next/cache';
import { headers } from 'next/headers';
import { isFromOwnPage } from '#lib/api/from-own-page.ts';
import { beginAction } from '#lib/api/server-action.ts';
import { parseSigned, sendTogether } from '#lib/custody/together.ts';
import { setCustodyContract } from '#lib/sales/accounts/contracts.ts';
import { setCustody } from '#lib/sales/accounts/set-custody.ts';
import { act, type Outcome, outcome, refused, textOf } from '../act.ts';
import { operatorCtx } from '../session.ts';
import { planOf, valuesOf } from './plan.ts';
import { needsPresentSigners, onLedger, stepsOf } from './read-plan.ts';

const NOTHING_KNOWN = { set: null, witnesses: [], platform: '' };

/** The plan that a page's address makes; null when it makes none. */
function planIn(address: string) {
  const given: Record<string, string[]> = {};
  for (const [name, value] of new URLSearchParams(address)) given[name] = [...(given[name] ?? []), value];
  return planOf(valuesOf(given, NOTHING_KNOWN).values).plan;
}

/** Puts together what the signers of an account have signed for its next step, and sends it. */
export async function sendSigned(_: Outcome, form: FormData): Promise<Outcome> {
  beginAction();
  if (!isFromOwnPage(await headers())) return refused('This request did not come from a page of the console.');
  const ctx = await operatorCtx();
  const { actor, log } = ctx;
  if (actor.role !== 'operator') return refused('Your token is read-only. Ask an operator.');
  const plan = planIn(textOf(form, 'plan'));
  const account = textOf(form, 'account');
  if (plan === null || ![plan.deposit, plan.distributor].includes(account)) {
    return refused('The page has changed. Reload it.');
  }
  try {
    const parts = parseSigned(textOf(form, 'signed'));
    const { hash, ledgerIndex } = await onLedger(async (ledger) => {
      const facts = await ledger.facts(account);
      const step = facts === null ? undefined : stepsOf(plan, facts).find(({ state }) => state === 'open');
      if (facts === null || step?.signedBy !== 'signers') throw new Error('This step is done, or not the next one');
      // The page asks before it shows the step: since then a sale may have been launched.
      const left = step.id === 'rehearsal' ? [] : await needsPresentSigners(ctx, ledger, plan, [facts]);
      if (left.length > 0) throw new Error(`The present signers are still needed: ${left.join('; ')}`);
      return sendTogether(ledger, facts, step, parts);
    });
    log.info({ account, transaction_hash: hash }, 'a transaction of an account’s signers was sent');
    revalidatePath('/operator', 'layout');
    return outcome('done', `Validated in ledger ${ledgerIndex}.`);
  } catch (error) {
    return refused(`${error instanceof Error ? error.message : String(error)}.`.replace(/\.\.$/, '.'));
  }
}

/** Has the platform know what the ledger shows: the drafts of the account carry the signer set from then on. */
export async function recordCustody(_: Outcome, form: FormData): Promise<Outcome> {
  const plan = planIn(textOf(form, 'plan'));
  if (plan === null) return refused('The page has changed. Reload it.');
  return act(
    setCustodyContract,
    { params: { address: plan.deposit }, body: { custody: plan.set, reason: textOf(form, 'reason') } },
    (ctx, { params: { address }, body }) => setCustody(ctx, { address, ...body }),
    plan.set === null
      ? 'Set: drafts of the account are paid by its own key from now on.'
      : 'Set: drafts of the account carry this signer set from now on.',
  );
}
