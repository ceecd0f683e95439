import type { ResultName } from '../results.ts';
import { read } from '../state.ts';
import type { PreclaimContext, TransactionType } from './types.ts';
import { account } from './view.ts';

/** What can be repaired, and the one field that names where. */
const NFT_PAGE_LINKS = 1;
const BOOK_EXCHANGE_RATE = 2;

/** The price in the key of an order book's directory: its last 64 bits. */
const priceInKey = (directory: string): string => directory.slice(48).toLowerCase();

/** A book's first page whose ExchangeRate is not the price in its key. */
function checkBook({ view }: PreclaimContext, index: string): ResultName {
  const directory = read(view, 'DirectoryNode', index);
  if (!directory) return 'tecOBJECT_NOT_FOUND';
  const { ExchangeRate: rate } = directory;
  const isWrong = rate !== undefined && BigInt(`0x${rate}`) !== BigInt(`0x${priceInKey(index)}`);
  return isWrong ? 'tesSUCCESS' : 'tecNO_PERMISSION';
}

/** LedgerStateFix: repairs what an old fault left in the ledger. Costs an owner reserve. */
export const ledgerStateFix: TransactionType = {
  flags: 0,
  wholeCostDrops: (rules) => rules.reserveIncDrops,
  preflight({ LedgerFixType: type, Owner: owner, BookDirectory: directory }, { amendments }) {
    if (type === NFT_PAGE_LINKS) return owner === undefined || directory !== undefined ? 'temINVALID' : 'tesSUCCESS';
    if (type !== BOOK_EXCHANGE_RATE) return 'tefINVALID_LEDGER_FIX_TYPE';
    if (!amendments.has('fixCleanup3_2_0')) return 'temDISABLED';
    return directory === undefined || owner !== undefined ? 'temINVALID' : 'tesSUCCESS';
  },
  preclaim(context) {
    const { LedgerFixType: type, Owner: owner = '', BookDirectory: directory = '' } = context.fields;
    if (type === BOOK_EXCHANGE_RATE) return checkBook(context, directory);
    return account(context.view, owner) ? 'tesSUCCESS' : 'tecOBJECT_NOT_FOUND';
  },
  apply({ view, fields: { LedgerFixType: type, BookDirectory: index = '' } }) {
    // There are no NFTs here, so no links between their pages can be wrong.
    if (type === NFT_PAGE_LINKS) return 'tecFAILED_PROCESSING';
    const directory = view.edit('DirectoryNode', index);
    if (!directory) return 'tecINTERNAL';
    directory.ExchangeRate = priceInKey(index);
    return 'tesSUCCESS';
  },
};
