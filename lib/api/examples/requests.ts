import { exampleId } from './fields.ts';

const ACCOUNT = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
const PROJECT = exampleId('proj');

/** Bodies whose rules no schema tells, or that say more in a form of their own; all others are derived from their schema. */
export const REQUEST_EXAMPLES: Readonly<Record<string, unknown>> = {
  actOnPayout: { reason: 'The holder has set the trust line' },
  addAllowlistEntries: { entries: [{ wallet_address: ACCOUNT, cap_xrp: '1000.000000' }] },
  chatWithAssistant: { message: 'Which sales are open?' },
  continueJob: { job: 'process-payments', slice: 7 },
  createAllowlistFromPlatformIds: {
    min_level: 'silver',
    cap_xrp: '1000.000000',
    ledger_index: 90_210_000,
    reason: 'The round of the members, as the dry run showed it',
  },
  createApiKey: { wallet_address: ACCOUNT, name: 'Production receiver', expires_in_days: 365 },
  createProject: {
    name: 'Demo sale',
    token: { kind: 'iou', currency: 'DMO', issuer: ACCOUNT, decimals: 6 },
    distributor: ACCOUNT,
    deposit_address: ACCOUNT,
    tiers: [
      { price_per_token: '0.10', total_tokens: '1000000.000000' },
      { price_per_token: '0.20', total_tokens: '500000.000000' },
    ],
    ends_at: '2027-01-31T12:00:00Z',
  },
  createWalletChallenge: { wallet_address: ACCOUNT, action: 'create_key' },
  generatePlatformId: { wallet_address: ACCOUNT },
  issueTokens: { project_id: PROJECT, dry_run: true, reason: 'A look before the weekend' },
  patchProject: {
    description: 'A sale of demo tokens in two tiers',
    ends_at: '2027-02-28T12:00:00Z',
    reason: 'The owner asked for a month more',
  },
  processTransactions: {
    transaction_hashes: ['E3FE6EA3D48F0C2B639448020EA4F03D4F4F8FFDB243A852A0F59177921B4879'],
    dry_run: true,
    reason: 'An investor misses this payment',
  },
  releaseRaised: { amount_xrp: '250.000000', dry_run: true, reason: 'First part of what was raised' },
  retryPayouts: { project_id: PROJECT, waiting_reason: 'trust_line_missing', reason: 'Holders were told' },
  refundPayments: {
    held_reason: 'late_discovery',
    min_amount_xrp: '1',
    dry_run: true,
    reason: 'Too late for the sale',
  },
  revokeApiKey: { api_key: 'tr_live_8Zk2QpW7xN0aYh3uVtR8wZcQ1s5kLmTd1vXc9b' },
  startMaintenance: {
    message: 'The database is moved. Payments stay safe and are processed afterwards.',
    reason: 'Move to a larger database',
  },
  startReplay: { from: '2026-11-20T00:00:00Z', to: '2026-11-21T00:00:00Z' },
  updateWebhook: { events: ['investment.confirmed'], active: true },
};
