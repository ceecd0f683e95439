// The architecture, from the bottom up: what a file may import. What no line allows fails `npm run lint`; types count.
// Strings are regular expressions: of a file where they end in .ts, else of a folder. A room (a folder of lib, one of
// lib/accounts and lib/ops, one of sandbox, drizzle/schema, app) may import its own files; bench and tests, everything.

const CAPABILITY =
  'lib/(sales|payouts|webhooks|assistant(?!/tools)|ops/status|accounts/(api-keys|tenants|members|holders|platform-ids))';
/** Of the packages: amounts, ids and names, but no decisions of the rules; and how a ledger is read. */
const VALUES = 'lib/rules/(types|amounts|exact-decimal|ids|custody|credentials|transactions).ts';
const LEDGER_READING = 'lib/verifier/(read-control|read-credentials|read-escrow|read-feed|errors).ts';
const FOUNDATION = [
  'lib/(base|xrpl|events)',
  'lib/(ctx|audit|two-person).ts',
  'lib/base/db.ts',
  'drizzle/schema',
  VALUES,
  LEDGER_READING,
];

const ALLOWED = [
  // Packages, which others can use without the platform: each has a package.json, and is imported by its name
  ['lib/verifier', 'lib/rules'],
  ['lib/witness', 'lib/(rules|verifier)'],
  // The foundation
  ['lib/base', 'drizzle/schema', VALUES, 'lib/rules/wire.ts'],
  ['drizzle/owners.ts', 'drizzle/schema'],
  ['drizzle/schema', 'lib/rules/(custody|credentials|locks).ts'],
  [
    'lib/xrpl',
    'lib/base',
    'lib/rules/(feed-entry|locks).ts',
    VALUES,
    LEDGER_READING,
    'lib/witness/(protocol|key-signature).ts',
  ],
  ['lib/events', 'lib/base', 'lib/base/db.ts', 'drizzle/schema', VALUES],
  ['lib/(ctx|audit|two-person|next-sequence|token-liabilities|account-custody).ts', ...FOUNDATION],
  // Capabilities rest on the foundation and do not know each other. Only payouts and actions sign.
  [CAPABILITY, ...FOUNDATION, 'lib/witness/protocol.ts'],
  ['lib/sales', 'lib/rules', 'lib/verifier/published.ts', 'lib/payouts/(create-payouts|cancel).ts'],
  ['lib/sales/verification', 'lib/verifier'],
  ['lib/(payouts|sales/actions)', 'lib/xrpl/signer.ts', 'lib/(next-sequence|token-liabilities|account-custody).ts'],
  ['lib/payouts', 'lib/rules/(feed-entry|locks).ts'],
  ['lib/token-liabilities.ts', 'lib/rules/locks.ts'],
  ['lib/sales/actions', 'lib/payouts/ticket-for-assign.ts'],
  ['lib/sales/approvals', 'lib/payouts/release'],
  ['lib/webhooks', 'lib/accounts/tenants', 'lib/rules/turns.ts'],
  ['lib/accounts/members', 'lib/accounts/(api-keys|tenants)'],
  ['lib/accounts/api-keys', 'lib/accounts/tenants', 'lib/webhooks/registry/stop-orphaned.ts'],
  [
    'lib/accounts/platform-ids',
    'lib/accounts/(holders|api-keys)',
    'lib/sales/(lists|projects)',
    'lib/sales/schemas.ts',
    'lib/verifier/published.ts',
  ],
  ['lib/accounts/administrators', 'lib/base'],
  // Guided by a person, over ledgers of their own choice
  [
    'lib/custody',
    'lib/base',
    'lib/rules/(amounts|custody|transactions|wire).ts',
    'lib/verifier/(http-source|published|terms).ts',
  ],
  ['lib/xaman', 'lib/base', 'lib/ctx.ts'],
  // Above them: jobs, the assistant's tools (which only read), the operator's programs, the API, the app, which knows no rows
  ['lib/jobs', ...FOUNDATION, CAPABILITY, 'lib/verifier/published.ts'],
  [
    'lib/assistant/tools',
    'lib/(base|xrpl)',
    'lib/ctx.ts',
    'drizzle/schema',
    'lib/sales(?!/(actions|feed|cancelled-refunds))',
    'lib/(accounts/holders/(get-stats|list-holders)|ops/status/get-status|accounts/platform-ids/show-status).ts',
  ],
  ['lib/ops/setup', 'lib/base', 'lib/jobs/crons.ts'],
  [
    'lib/ops/doctor',
    ...FOUNDATION,
    'lib/ops/(setup|status)',
    'lib/accounts/administrators/find-administrator.ts',
    'lib/payouts/monitor/check-accounts.ts',
  ],
  [
    'lib/api',
    'lib/(base|xrpl|events)',
    'lib/(ctx|audit).ts',
    'lib/rules/turns.ts',
    'lib/.*/(contracts|authenticate-api-key|authenticate-portal|authenticate-member|require-own-project|find-administrator|version|samples).ts',
  ],
  [
    'app',
    'lib/(base|xrpl|rules|verifier|accounts|sales|payouts|webhooks|assistant|jobs|ops/status|api|xaman|custody)',
    'lib/(ctx|two-person).ts',
    'lib/witness/protocol.ts',
  ],
  [
    '(instrumentation|proxy|next\\.config).ts',
    'lib/(base|api)',
    'lib/payouts/check-keys-at-start.ts',
    'lib/webhooks/portal/frame-origins.ts',
  ],
  // Every command, each loading only what it needs
  [
    'lib/cli',
    'lib/(base|custody|verifier|witness|ops/(doctor|setup)|accounts/(administrators|api-keys)|webhooks/(reencrypt|listen)|payouts/match)',
    'lib/jobs/follow-ledger.ts',
    'lib/api/contracts.ts',
    'drizzle/migrate.ts',
    'tests/support/client',
  ],
  ['vitest.config.ts', 'tests/support/stand-in-only.ts'],
  ['vitest.config.ts', 'tests/support/file-order.ts'],
  // A stand-in knows nothing of the product
  ['sandbox/[^/]+', 'sandbox/(http-server|fault-set|fault-requests).ts'],
  ['sandbox/(launcher|conformance|main.ts)', 'sandbox', 'lib/base/env.ts'],
  ['sandbox/launcher', 'lib/(custody|witness)', 'lib/rules/custody.ts'],
];

/** A line for a folder does not open these to others: they are allowed by name. */
const CLOSED = ['lib/xrpl/signer.ts', 'lib/base/db.ts'];
/** Packages that reach rows: for those who may read and write them. */
const DATABASE = 'node_modules/(drizzle-orm|drizzle-kit|pg|@vercel/postgres)/';

/** Workspaces with a package.json of their own. */
const PACKAGES = '^(?:lib/rules|lib/verifier|lib/witness|lib/client|sandbox/ledger)/';

const pattern = (place) => (place.endsWith('.ts') ? `^${place.slice(0, -3)}\\.ts$` : `^${place}(/|$)`);
const allowed = [
  { from: { path: '^(bench|tests)/' }, to: {} },
  {
    from: { path: '^(lib/(?:accounts|ops)/[^/]+|lib/[^/]+|sandbox/[^/]+|drizzle/schema|app)/' },
    to: { path: '^$1/', pathNot: pattern('lib/xrpl/signer.ts') },
  },
  { from: {}, to: { dependencyTypes: ['core'] } },
  { from: {}, to: { path: '^package\\.json$' } },
  { from: { pathNot: '^drizzle/schema/' }, to: { path: 'node_modules/', pathNot: DATABASE } },
  {
    from: {
      path: '^(drizzle[./]|lib/|sandbox/(launcher|postgres)/)',
      pathNot: '^lib/(xrpl|rules|verifier|witness|api)/',
    },
    to: { path: DATABASE },
  },
  ...ALLOWED.flatMap(([from, ...to]) =>
    to.map((place) => ({
      from: { path: pattern(from) },
      to: CLOSED.includes(place) ? { path: pattern(place) } : { path: pattern(place), pathNot: CLOSED.map(pattern) },
    })),
  ),
];

export default {
  allowed,
  allowedSeverity: 'error',
  forbidden: [
    { name: 'no-circle', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unknown-file', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'no-climb',
      comment: 'between top-level folders by the names in package.json (#lib/…), never by ../',
      severity: 'error',
      from: { path: '^(app|bench|drizzle|lib|sandbox|tests)/' },
      to: {
        path: '^(drizzle|lib|sandbox|tests)/',
        pathNot: `^$1/|${PACKAGES}`,
        dependencyTypesNot: ['aliased-subpath-import'],
      },
    },
    {
      name: 'package-by-name',
      comment: 'a package is imported by its name (@tranche/…, xrpl-sandbox), as somebody else would',
      severity: 'error',
      from: { path: '^(app|bench|drizzle|lib/[^/]+|sandbox/[^/]+|tests)/' },
      to: { path: PACKAGES, pathNot: '^$1/', dependencyTypesNot: ['aliased-workspace', 'undetermined'] },
    },
    {
      name: 'runs-in-a-browser',
      comment: 'only the command and the faster SHA-256 of Node.js need Node.js',
      severity: 'error',
      from: {
        path: '^lib/(rules|verifier)/',
        pathNot: '/tests/|^lib/(rules/sha256\\.node|verifier/(command|main))\\.ts$',
      },
      to: { dependencyTypes: ['core'] },
    },
  ],
  options: {
    // TypeScript 7 has no JavaScript API yet. swc reads the same imports, those of types included.
    parser: 'swc',
    doNotFollow: { path: 'node_modules/' },
    exclude: { path: ['^drizzle/migrations/', '^next-env\\.d\\.ts$', '^\\.next/', '^(lib|sandbox)/[^/]+/dist/'] },
    enhancedResolveOptions: {
      conditionNames: ['types', 'import', 'node', 'default'],
      exportsFields: ['exports'],
      extensions: ['.ts', '.tsx', '.js', '.json', '.d.ts'],
    },
    cache: { strategy: 'content' },
  },
};
