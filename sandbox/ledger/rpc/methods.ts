import { accountChannels } from './accountChannels.ts';
import { accountCurrencies } from './accountCurrencies.ts';
import { accountInfo } from './accountInfo.ts';
import { accountLines } from './accountLines.ts';
import { accountObjects } from './accountObjects.ts';
import { accountOffers } from './accountOffers.ts';
import { accountTx } from './accountTx.ts';
import { bookChanges } from './bookChanges.ts';
import { bookOffers } from './bookOffers.ts';
import { channelAuthorize, channelVerify } from './channelClaims.ts';
import { depositAuthorized } from './depositAuthorized.ts';
import { feature } from './feature.ts';
import { fee } from './fee.ts';
import { accountNfts, ammInfo, nftOffers, vaultInfo } from './findsNone.ts';
import { gatewayBalances } from './gatewayBalances.ts';
import { aggregatePrice } from './getAggregatePrice.ts';
import { ledger, ledgerAccept, ledgerClosed, ledgerCurrent, ledgerHeader } from './ledger.ts';
import { ledgerData } from './ledgerData.ts';
import { ledgerEntry } from './ledgerEntry.ts';
import { mptHolders } from './mptHolders.ts';
import { noRippleCheck } from './noRippleCheck.ts';
import { ownerInfo } from './ownerInfo.ts';
import { pathFind, ripplePathFind } from './pathFind.ts';
import { sandboxAdvanceTime } from './sandboxAdvanceTime.ts';
import { sandboxFaults } from './sandboxFaults.ts';
import { sandboxImpersonate } from './sandboxImpersonate.ts';
import { sandboxRestore, sandboxSnapshot } from './sandboxSnapshot.ts';
import { sandboxWritePayments, sandboxWriteTransactions } from './sandboxWrite.ts';
import { manifest, ping, random, serverInfo, serverState, version } from './server.ts';
import { serverDefinitions } from './serverDefinitions.ts';
import { sign, signFor } from './sign.ts';
import { simulate } from './simulate.ts';
import { submit } from './submit.ts';
import { submitMultisigned } from './submitMultisigned.ts';
import { subscribe, unsubscribe } from './subscribe.ts';
import { transactionEntry, tx } from './tx.ts';
import { txHistory } from './txHistory.ts';
import type { Handler } from './types.ts';
import { walletPropose } from './walletPropose.ts';

/** Every command, by name. */
export const METHODS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['account_channels', accountChannels],
  ['account_currencies', accountCurrencies],
  ['account_info', accountInfo],
  ['account_lines', accountLines],
  ['account_nfts', accountNfts],
  ['account_objects', accountObjects],
  ['account_offers', accountOffers],
  ['account_tx', accountTx],
  ['amm_info', ammInfo],
  ['book_changes', bookChanges],
  ['book_offers', bookOffers],
  ['channel_authorize', channelAuthorize],
  ['channel_verify', channelVerify],
  ['deposit_authorized', depositAuthorized],
  ['feature', feature],
  ['fee', fee],
  ['gateway_balances', gatewayBalances],
  ['get_aggregate_price', aggregatePrice],
  ['ledger', ledger],
  ['ledger_accept', ledgerAccept],
  ['ledger_closed', ledgerClosed],
  ['ledger_current', ledgerCurrent],
  ['ledger_data', ledgerData],
  ['ledger_entry', ledgerEntry],
  ['ledger_header', ledgerHeader],
  ['manifest', manifest],
  ['mpt_holders', mptHolders],
  ['nft_buy_offers', nftOffers],
  ['nft_sell_offers', nftOffers],
  ['noripple_check', noRippleCheck],
  ['owner_info', ownerInfo],
  ['path_find', pathFind],
  ['ping', ping],
  ['random', random],
  ['sandbox_advance_time', sandboxAdvanceTime],
  ['ripple_path_find', ripplePathFind],
  ['sandbox_faults', sandboxFaults],
  ['sandbox_impersonate', sandboxImpersonate],
  ['sandbox_restore', sandboxRestore],
  ['sandbox_snapshot', sandboxSnapshot],
  ['sandbox_write_payments', sandboxWritePayments],
  ['sandbox_write_transactions', sandboxWriteTransactions],
  ['server_definitions', serverDefinitions],
  ['server_info', serverInfo],
  ['server_state', serverState],
  ['sign', sign],
  ['sign_for', signFor],
  ['simulate', simulate],
  ['submit', submit],
  ['submit_multisigned', submitMultisigned],
  ['subscribe', subscribe],
  ['transaction_entry', transactionEntry],
  ['tx', tx],
  ['tx_history', txHistory],
  ['unsubscribe', unsubscribe],
  ['vault_info', vaultInfo],
  ['version', version],
  ['wallet_propose', walletPropose],
]);

/** Commands of version 1 alone. */
export const FIRST_VERSION_ONLY: ReadonlySet<string> = new Set(['ledger_header', 'tx_history']);
