import { has, LSF, UNTHREADED, withoutFlag } from '../entries.ts';
import { accountIndex, depositPreauthIndex } from '../keylets.ts';
import type { ResultName } from '../results.ts';
import { reserveDrops } from '../rules.ts';
import type { ReadView } from '../state.ts';
import type { ApplyContext } from './types.ts';
import { account, type TransactionView } from './view.ts';

/** Whether deposit authorization lets `source` pay `destination`. */
export function mayDeposit(view: ReadView, source: string, destination: string): boolean {
  const root = account(view, destination);
  if (!root || source === destination || !has(root.Flags, LSF.depositAuth)) return true;
  return view.get(depositPreauthIndex(destination, source)) !== undefined;
}

/** Adds drops to an account, which comes into being if it is not there. */
export function creditXrp(view: TransactionView, destination: string, amountDrops: bigint): void {
  const receiver = view.editAccount(destination);
  if (receiver) {
    receiver.Balance = String(BigInt(receiver.Balance) + amountDrops);
    // Income restores the right to one free change of the regular key.
    receiver.Flags = withoutFlag(receiver.Flags, LSF.passwordSpent);
    return;
  }
  view.create(accountIndex(destination), {
    LedgerEntryType: 'AccountRoot',
    Account: destination,
    Balance: String(amountDrops),
    Flags: 0,
    OwnerCount: 0,
    Sequence: view.ledgerIndex,
    ...UNTHREADED,
  });
}

/** Pays XRP straight from one account to another. */
export function payXrp(context: ApplyContext, amountDrops: bigint): ResultName {
  const { view, fields, rules, account: root, priorBalanceDrops } = context;
  const destination = fields.Destination ?? '';
  const reserve = reserveDrops(rules, root.OwnerCount);
  const feeDrops = BigInt(String(fields.Fee));
  if (priorBalanceDrops < amountDrops + (reserve > feeDrops ? reserve : feeDrops)) return 'tecUNFUNDED_PAYMENT';
  const receiver = account(view, destination);
  if (receiver) {
    const base = reserveDrops(rules, 0);
    // An account stuck below the reserve may be helped up to it, whatever it authorized.
    const helps = amountDrops <= base && BigInt(receiver.Balance) <= base;
    if (!helps && !mayDeposit(view, root.Account, destination)) return 'tecNO_PERMISSION';
  }
  creditXrp(view, destination, amountDrops);
  root.Balance = String(BigInt(root.Balance) - amountDrops);
  return 'tesSUCCESS';
}
