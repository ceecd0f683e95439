import type { Contract } from '#lib/base/contract.ts';

/** What each group of operations is for; in this order they are shown. */
export const TAG_DESCRIPTIONS: Readonly<Record<Contract['tag'], string>> = {
  projects: 'Sales as everyone sees them: terms, tiers, progress, quotes, and all that it takes to check them.',
  investments: 'What became of a payment: its allocation, payouts and refunds.',
  'platform-id': 'Identity and profile of a wallet.',
  'api-keys': 'Keys for developers. A wallet proof makes a key the wallet’s own.',
  webhooks: 'Signed events to an address of yours, with a delivery log, resending and replay.',
  assistant: 'The AI assistant.',
  system: 'Health of the platform, and this document.',
  admin:
    'For administrators: creating and running sales. Every action is audited with its reason. Refused to API keys.',
  internal: 'For the scheduler, the queue and administrators: the work behind the scenes. Refused to API keys.',
};
