/** How the holders of a run behave; one of each, and several plain ones. */
export const HOLDER_MANNERS = [
  'plain',
  'plain',
  'plain',
  'plain',
  'plain',
  'plain',
  /** Opts in to the tokens while payouts wait, or not at all. */
  'late',
  'never',
  /** Has room for nothing at first. */
  'tight',
  /** Asks for destination tags. */
  'tagged',
  /** Takes deposits from nobody, or from our payers only. */
  'guarded',
  'preauthorised',
  /** Its line is frozen at first. */
  'frozen',
  /** Deleted before the first payout. */
  'deleted',
  /** Asks for destination tags for two rounds. */
  'fickle',
] as const;
export type HolderManner = (typeof HOLDER_MANNERS)[number];
