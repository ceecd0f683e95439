import { LSF, UNTHREADED, withoutFlag } from '../entries.ts';
import { accountIndex } from '../keylets.ts';
import { isSuccess, type ResultName } from '../results.ts';
import { reserveDrops } from '../rules.ts';
import { verifyDeposit } from './depositAuth.ts';
import type { ApplyContext } from './types.ts';
import { account, type TransactionView } from './view.ts';

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
  const base = reserveDrops(rules, 0);
  // An account stuck below the reserve may be helped up to it, whatever it authorized.
  const helps = amountDrops <= base && BigInt(account(view, destination)?.Balance ?? 0) <= base;
  const allowed = helps ? 'tesSUCCESS' : verifyDeposit(view, fields, destination);
  if (!isSuccess(allowed)) return allowed;
  creditXrp(view, destination, amountDrops);
  root.Balance = String(BigInt(root.Balance) - amountDrops);
  return 'tesSUCCESS';
}
