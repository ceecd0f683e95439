/**
 * Ledgers after the validated one in which a transaction may still be included, as xrpl.js's autofill has it
 * (docs/ledger-facts.md, 17). Past it the transaction can never succeed, and another may take its place.
 */
export const LEDGERS_TO_LIVE = 20;
