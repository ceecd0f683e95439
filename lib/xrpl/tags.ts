/**
 * SourceTag of every refund we send, "TRFN" in ASCII. Whoever bounces a refund sends it back with this as its
 * DestinationTag: no project ever has this tag, so the bounce is held and not refunded again (docs/ledger-facts.md, 9).
 */
export const REFUND_SOURCE_TAG = 0x5452_464e;
