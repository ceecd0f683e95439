import { accountInfo } from './accountInfo.ts';
import { accountCurrencies, accountLines, gatewayBalances } from './accountLines.ts';
import { accountObjects, ledgerEntry } from './accountObjects.ts';
import { accountTx } from './accountTx.ts';
import { depositAuthorized } from './depositAuthorized.ts';
import { ledger, ledgerAccept, ledgerClosed, ledgerCurrent } from './ledger.ts';
import { feature, fee, ping, random, serverInfo, serverState, version } from './server.ts';
import { sign } from './sign.ts';
import { simulate, submit, submitMultisigned } from './submit.ts';
import { subscribe, unsubscribe } from './subscribe.ts';
import { transactionEntry, tx } from './tx.ts';
import type { Handler } from './types.ts';

/** Every command, by name. */
export const METHODS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['account_currencies', accountCurrencies],
  ['account_info', accountInfo],
  ['account_lines', accountLines],
  ['account_objects', accountObjects],
  ['account_tx', accountTx],
  ['deposit_authorized', depositAuthorized],
  ['feature', feature],
  ['fee', fee],
  ['gateway_balances', gatewayBalances],
  ['ledger', ledger],
  ['ledger_accept', ledgerAccept],
  ['ledger_closed', ledgerClosed],
  ['ledger_current', ledgerCurrent],
  ['ledger_entry', ledgerEntry],
  ['ping', ping],
  ['random', random],
  ['server_info', serverInfo],
  ['server_state', serverState],
  ['sign', sign],
  ['simulate', simulate],
  ['submit', submit],
  ['submit_multisigned', submitMultisigned],
  ['subscribe', subscribe],
  ['transaction_entry', transactionEntry],
  ['tx', tx],
  ['unsubscribe', unsubscribe],
  ['version', version],
]);
