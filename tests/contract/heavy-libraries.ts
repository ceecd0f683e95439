/** Route files by folder under app. */
type Routes = readonly string[];

/** Whose verbs ask the ledger, or who sign for it (tests/unit/api/ledger-routes.test.ts holds them to `lazyLedger`). */
const LEDGER: Routes = [
  'api/admin/accounts',
  'api/admin/accounts/[address]/custody',
  'api/admin/accounts/[address]/halt',
  'api/admin/accounts/[address]/resume',
  'api/admin/accounts/[address]/token-holding',
  'api/admin/approvals',
  'api/admin/approvals/[id]/[decision]',
  'api/admin/payments/[transaction_hash]/assign',
  'api/admin/payouts/[id]/[action]',
  'api/admin/projects',
  'api/admin/projects/[id]',
  'api/admin/projects/[id]/[action]',
  'api/admin/projects/[id]/lists/[list_id]/commit',
  'api/admin/projects/[id]/release',
  'api/ai-agent/chat',
  'api/ai-agent/suggestions',
  'api/api-keys/create',
  'api/api-keys/list/[wallet_address]',
  'api/api-keys/revoke',
  'api/cron/process-payments',
  'api/cron/sync-holders',
  'api/owner/projects',
  'api/owner/projects/[id]',
  'api/owner/projects/[id]/[action]',
  'api/owner/projects/[id]/approvals',
  'api/owner/projects/[id]/approvals/[approval_id]/withdraw',
  'api/owner/projects/[id]/lists/[list_id]/commit',
  'api/owner/sessions',
  'api/platform-id/generate',
  'api/projects/[id]/payouts',
  'api/projects/[id]/quote',
  'api/projects/[id]/token',
  'api/queue/continue',
  'api/system/issue-tokens',
  'api/system/metrics',
  'api/system/process-transactions',
  'api/system/status',
  'api/system/trustline-monitor',
  'api/webhooks',
];

const ASSISTANT: Routes = ['api/ai-agent/chat', 'api/ai-agent/suggestions'];

/** Libraries that cost a cold start or a deployment noticeably, each with the routes that use it: no other may have it. */
export const HEAVY_LIBRARIES: Readonly<Record<string, Routes>> = {
  xrpl: LEDGER,
  undici: ['api/cron/process-payments', 'api/queue/continue', 'api/queue/deliver', 'api/webhooks/test'],
  openai: ['api/ai-agent/chat'],
  'mdast-util-from-markdown': ASSISTANT,
  'mdast-util-gfm': ASSISTANT,
  'mdast-util-to-markdown': ASSISTANT,
  'micromark-extension-gfm': ASSISTANT,
  'prom-client': ['api/system/metrics'],
  '@opentelemetry/exporter-metrics-otlp-proto': ['api/cron/process-payments', 'api/queue/continue'],
  '@opentelemetry/sdk-metrics': ['api/cron/process-payments', 'api/queue/continue'],
  'zod-openapi': [],
  'pino-pretty': [],
};

/** Libraries that many routes may come to use, and that a first answer must not wait for where it does not. */
export const LOADED_BY_USE = ['@upstash/redis', '@upstash/ratelimit', '@upstash/qstash'] as const;
