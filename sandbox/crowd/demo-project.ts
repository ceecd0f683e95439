import { DEMO_CURRENCY, type SaleAccounts } from './accounts.ts';

/** What `POST /api/admin/projects` is sent for the demo sale. */
export function demoProjectBody({ deposit, distributor, issuer }: SaleAccounts) {
  return {
    name: 'Demo Sale',
    slug: 'demo-sale',
    description: 'A sale on the stand-in ledger of the sandbox. Nothing here has any value.',
    token: { kind: 'iou', currency: DEMO_CURRENCY, issuer: issuer.address, decimals: 6 },
    distributor: distributor.address,
    deposit_address: deposit.address,
    // The crowd pays about 40 XRP a second: it fills the first tier in some 15 seconds, all of them in about a quarter
    // of an hour.
    tiers: [
      { tier: 1, price_per_token: '0.10', total_tokens: '5000.000000' },
      { tier: 2, price_per_token: '0.125', total_tokens: '40000.000000' },
      { tier: 3, price_per_token: '0.15', total_tokens: '200000.000000' },
    ],
    min_investment_xrp: '1.000000',
    access: 'open',
    distribution: 'immediate',
    treasury: issuer.address,
  };
}
