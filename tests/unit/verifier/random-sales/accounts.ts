/** Who takes part in every random sale. */
export const DEPOSIT = 'rDeposit';
export const DISTRIBUTOR = 'rDistributor';
export const ISSUER = 'rIssuer';
export const TREASURY = 'rTreasury';

/** The keys of a signer set: addresses that need no account. */
export const PLATFORM = 'rPLATFoRM11111111111111111';
export const WITNESSES = [
  'rWitness1Witness1Witness1',
  'rWitness2Witness2Witness2',
  'rWitness3Witness3Witness3',
] as const;

/** On every list, with a limit of its own in most. */
export const CAPPED = 'rCapped';
/** On the first list, without a limit. */
export const FREE = 'rFree';
/** On some lists. */
export const OTHER = 'rOther';
/** On none. */
export const STRANGER = 'rStranger';

export const XRP = 1_000_000n;
export const REGISTERED_LEDGER = 1_000;
/** Of a payment to no project. */
export const REFUND_MIN_DROPS = 5_000n;
/** What a refund of the platform carries back when it bounces. */
export const REFUND_TAG = 1_414_678_094;
/** When the first ledger closes, in the ledger's seconds and in milliseconds. */
export const START_S = 850_000_000;
export const START_MS = (START_S + 946_684_800) * 1_000;
