import { DEMO_CURRENCY, type SaleAccounts } from './accounts.ts';

/** Of the line `Demo Sale: white paper`: names under `.example` lead nowhere. */
const WHITE_PAPER_SHA256 = '20c1de6a5d4cf8467cb819dec6003078518d00fd967597b0958f609c1441609b';

/** What `POST /api/admin/projects` is sent for the demo sale. */
export function demoProjectBody({ deposit, distributor, issuer }: SaleAccounts) {
  return {
    name: 'Demo Sale',
    slug: 'demo-sale',
    description: 'A sale on the stand-in ledger of the sandbox. Nothing here has any value.',
    website: 'https://demo-sale.example/',
    links: [
      { label: 'Source code', url: 'https://code.demo-sale.example/' },
      { label: 'Community forum', url: 'https://forum.demo-sale.example/' },
    ],
    team: [
      { name: 'Ada Example', role: 'Founder', url: 'https://demo-sale.example/ada' },
      { name: 'Ben Sample', role: 'Engineering', url: null },
    ],
    documents: [
      { title: 'White paper', url: 'https://demo-sale.example/paper.pdf', sha256: WHITE_PAPER_SHA256 },
      { title: 'Audit of the token', url: 'https://demo-sale.example/audit.pdf', sha256: null },
    ],
    token: { kind: 'iou', currency: DEMO_CURRENCY, issuer: issuer.address, decimals: 6 },
    distributor: distributor.address,
    deposit_address: deposit.address,
    // The crowd pays about 40 XRP a second for two minutes, which fill the first tier and most of the second; then about 4,
    // so that the sale lasts for some two hours.
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
