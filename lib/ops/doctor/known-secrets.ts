/** Credentials that stand in public documents or programs: whoever uses one has none. */
export const PUBLIC_QSTASH_CREDENTIALS: ReadonlySet<string> = new Set([
  // The QStash development server prints these at each start.
  'eyJVc2VySUQiOiJkZWZhdWx0VXNlciIsIlBhc3N3b3JkIjoiZGVmYXVsdFBhc3N3b3JkIn0=',
  'sig_7kYjw48mhY7kAjqNGcy6cr29RJ6r',
  'sig_5ZB6DVzB1wjE8S6rZ7eenA8Pdnhs',
  // Defaults of the stand-in under sandbox/qstash.
  'sandbox',
  'sig_current',
  'sig_next',
]);

/** Tokens that are tried first. */
export const GUESSED_TOKENS: readonly string[] = [
  '',
  'admin',
  'administrator',
  'password',
  'secret',
  'test',
  'token',
  'changeme',
];

/** The seed of every new ledger's first account ("masterpassphrase"). */
export const GENESIS_SEED = 'snoPBrXtMeMyMHUVTgbuqAfg1SUTb';
