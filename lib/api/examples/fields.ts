/** Every example is of one moment of one sale, so that what stands in several answers agrees. */
export const EXAMPLE_TIME = '2026-11-21T12:00:00.000Z';
const ACCOUNT = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
const ISSUER = 'rrrrrrrrrrrrrrrrrrrrBZbvji';
const LEDGER = 90_210_000;
const TRANSACTION = 'E3FE6EA3D48F0C2B639448020EA4F03D4F4F8FFDB243A852A0F59177921B4879';
const DIGEST = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

const SUFFIX = '4qUZk0r2bJ8sVd1mX7nTqL';

/** An example id of a kind; a project has the id that its schema shows. */
export const exampleId = (prefix: string): string =>
  prefix === 'proj' ? 'proj_5kQ2mB7xN0aYh3uVtR8wZc' : `${prefix}_${SUFFIX}`;

/** What a plain `id` is of, by the component or field that it stands in, or by the operation's collection. */
const ID_PREFIX: Readonly<Record<string, string>> = {
  Project: 'proj',
  Investment: 'inv',
  Payment: 'pay',
  Payout: 'pay',
  Release: 'pay',
  AllowList: 'list',
  AuditEntry: 'aud',
  Maintenance: 'mnt',
  refunds: 'pay',
  payouts: 'pay',
  replays: 'rpl',
  deliveries: 'del',
  webhooks: 'wh',
  'api-keys': 'key',
};

/** Whose id a field `<kind>_id` or `<kind>_ids` holds. */
const ID_OF_KIND: Readonly<Record<string, string>> = {
  investment: 'inv',
  project: 'proj',
  payout: 'pay',
  request: 'req',
  event: 'evt',
  list: 'list',
  webhook: 'wh',
  delivery: 'del',
  replay: 'rpl',
  maintenance: 'mnt',
};

/** Fields that are null in an ordinary answer. */
const USUALLY_NULL: ReadonlySet<string> = new Set([
  'next_cursor',
  'pending_action',
  'pending_assign',
  'reason',
  'end_reason',
  'ended_at',
  'disabled_at',
  'disabled_reason',
  'revoked_at',
  'cancelled_at',
  'finished_at',
  'completed_at',
  'last_fault',
  'maintenance',
  'not_releasable_reason',
  'next_from_ledger',
  'resend_of',
  'failing_since',
  'ended_by',
  'assigned_by',
  'not_assignable_reason',
  'not_refundable_reason',
  'fault',
  'error',
]);

/** By the field's own name, wherever it stands and its schema admits the value. */
const BY_NAME: Readonly<Record<string, unknown>> = {
  account: ACCOUNT,
  action: 'project.launch',
  actor: 'administrator:operator',
  accepted: true,
  after: '',
  address: ACCOUNT,
  api_key: 'tr_live_8Zk2QpW7xN0aYh3uVtR8wZcQ1s5kLmTd1vXc9b',
  api_version: '2026-11',
  attempt: 1,
  attempt_count: 1,
  canonical: '{"name":"Demo sale","tiers":[…]}',
  cap_xrp: '1000.000000',
  claim_days: 90,
  refund_min_xrp: '0.001000',
  command: 'npx tranche verify --project proj_5kQ2mB7xN0aYh3uVtR8wZc',
  conversation_id: `chat_${SUFFIX}`,
  currency: 'DMO',
  decimals: 6,
  description: 'Early supporters of the demo token',
  destination: ACCOUNT,
  destination_tag: 123_456_789,
  difference_xrp: '0.000000',
  display_name: 'Ada',
  event_types: 'investment.confirmed',
  every_seconds: 60,
  faults: 'feed',
  immediate_bps: 10_000,
  investor_account: ACCOUNT,
  issuance_id: '00000001B5F762798A53D543A014CAF8B297CFF8F2F937E8',
  issuer: ISSUER,
  job: 'process-payments',
  level: 'silver',
  message: 'The database is moved. Payments stay safe and are processed afterwards.',
  model: 'gpt-5-mini',
  name: 'Demo sale',
  network_id: 0,
  openapi: '3.1.0',
  owed: '2500.000000',
  progress_percentage: 12.5,
  platform_id: 'PID-7K3M-X9WP',
  prompt: 'How do I buy tokens?',
  public_key: 'ED01FA53FA5A7E77798F882ECE20B1ABC00BB358A9E55A202D0D0676BD0CE37A63',
  rank: 42,
  reply: 'Two sales are open now.',
  run: exampleId('req'),
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw5kQ2mB7xN0Y=',
  sender: ACCOUNT,
  sha256: DIGEST,
  signature: 'AB'.repeat(64),
  slug: 'demo-sale',
  source_tag: null,
  started_by: 'operator',
  subject: 'proj_5kQ2mB7xN0aYh3uVtR8wZc',
  sync_id: 'sync_4qUZk0r2bJ8sVd1mX7nTqL',
  text: 'Send XRP to the deposit address with the destination tag of the project.',
  tier: 1,
  tickets: 150,
  ticket: 90_209_990,
  title: 'Buying tokens',
  total_investors: 42,
  total_tiers: 2,
  transaction_type: 'Payment',
  url: 'https://tranche.example/projects/demo-sale',
  version: 1,
  wallet_address: ACCOUNT,
  website: 'https://demo.example/',
  logo: 'https://demo.example/logo.svg',
  what: 'ledger_unavailable',
  waiting_reason: 'trust_line_missing',
  holder: exampleId('req'),
  exists: true,
  fees_xrp: '0.004810',
  field: 'amount_xrp',
  healthy: true,
  part: 1,
  path: '/api/cron/process-payments',
  payout_fees_xrp: '0.004780',
  state: 'idle',
  transaction_index: 12,
  recorded: '250.000000',
  ledger: '250.000000',
  key: 'value',
};

/** The status of a thing in the ordinary case. */
const USUAL_STATUS = ['active', 'confirmed', 'validated', 'complete'];

/** By how the field's name ends. */
const BY_ENDING: readonly (readonly [RegExp, unknown])[] = [
  [/(?:^|_)(?:list|terms)_hash$/, DIGEST],
  [/hash(?:es)?$/, TRANSACTION],
  [/(?:refunded|held|liabilities|unpaid_refunds|rounding|cancelled)_xrp$/, '0.000000'],
  [/_xrp$/, '250.000000'],
  [/(?:ledger|ledger_index|ledger_sequence|_index|as_of|^from|^to)$/, LEDGER],
  [/_(?:ms|seconds)$/, 87],
  [/_at$/, EXAMPLE_TIME],
];

/** The values that may stand in a field, the most telling first; the caller takes the first that its schema admits. */
export function* candidatesFor(name: string, owner: string): Iterable<unknown> {
  if (USUALLY_NULL.has(name)) yield null;
  const prefix = name === 'id' ? ID_PREFIX[owner] : undefined;
  if (prefix !== undefined) yield exampleId(prefix);
  const kind = ID_OF_KIND[name.replace(/_ids?$/, '')];
  if (kind !== undefined && /_ids?$/.test(name)) yield exampleId(kind);
  if (name === 'status') yield* USUAL_STATUS;
  if (Object.hasOwn(BY_NAME, name)) yield BY_NAME[name];
  for (const [ending, value] of BY_ENDING) if (ending.test(name)) yield value;
}
