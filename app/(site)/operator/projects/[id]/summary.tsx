import Link from 'next/link';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import { deliveryText } from '../../../_data/delivery-text.ts';
import { Xrp } from '../../../_ui/amounts.tsx';
import { Card } from '../../../_ui/card.tsx';
import { Fact, Facts } from '../../../_ui/facts.tsx';
import { formatAmount, formatCount } from '../../../_ui/format.ts';
import { Address, Digest } from '../../../_ui/hash.tsx';
import { Cell, Table } from '../../../_ui/table.tsx';
import { Time } from '../../../_ui/time.tsx';

/** The project as it stands; `path` is where the console shows it. */
export function Summary({ project, path }: { project: ProjectResource; path: string }) {
  return (
    <Card title="The sale">
      <Table caption="Tiers" columns={['Tier', 'Price>', 'Sold>', 'Of>']}>
        {project.tiers.map((tier) => (
          <tr key={tier.tier}>
            <Cell>{tier.tier}</Cell>
            <Cell isFigure>{formatAmount(tier.price_per_token)}</Cell>
            <Cell isFigure>{formatAmount(tier.sold_tokens)}</Cell>
            <Cell isFigure>{formatAmount(tier.total_tokens)}</Cell>
          </tr>
        ))}
      </Table>
      <div className="mt-4">
        <Facts>
          <Fact name="Raised">
            <Xrp isExact value={project.progress.total_raised_xrp} />
          </Fact>
          {project.progress.cancelled_xrp !== '0.000000' && (
            <Fact name="Refunded">
              <Xrp isExact value={project.progress.cancelled_xrp} />
            </Fact>
          )}
          <Fact name="Investors">
            <Link className="link" prefetch={false} href={`${path}/investors`}>
              {formatCount(project.progress.total_investors)}
            </Link>
          </Fact>
          <Fact name="Deposit address">
            <Address address={project.deposit_address} />
          </Fact>
          <Fact name="Destination tag">{project.destination_tag}</Fact>
          <Fact name="Distributor">
            <Address address={project.distributor} />
          </Fact>
          <Fact name="Eligible buyers">{project.access === 'open' ? 'Everybody' : 'Wallets of the allowlist'}</Fact>
          <Fact name="Tokens are sent">{deliveryText(project)}</Fact>
          {project.starts_at !== null && (
            <Fact name="Start">
              <Time at={project.starts_at} />
            </Fact>
          )}
          {project.ends_at !== null && (
            <Fact name="End">
              <Time at={project.ends_at} />
            </Fact>
          )}
          {project.soft_cap_xrp !== null && (
            <Fact name="Soft cap">
              <Xrp isExact value={project.soft_cap_xrp} />
            </Fact>
          )}
          {project.terms_hash !== null && (
            <Fact name="Terms, as anchored">
              <Digest text={project.terms_hash} />
            </Fact>
          )}
          <Fact name="Project id">
            <span className="font-mono text-xs">{project.id}</span>
          </Fact>
        </Facts>
      </div>
    </Card>
  );
}
