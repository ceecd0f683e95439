import Link from 'next/link';
import type { Investor } from '#lib/sales/investments/list-investors.ts';
import { Xrp } from '../../../../_ui/amounts.tsx';
import { formatAmount, formatCount } from '../../../../_ui/format.ts';
import { Cell, Table } from '../../../../_ui/table.tsx';
import { Time } from '../../../../_ui/time.tsx';

/** Wallets that bought, each over all its payments. */
export const InvestorTable = ({ investors }: { investors: readonly Investor[] }) => (
  <Table caption="Investors" columns={['Wallet', 'Invested>', 'Tokens>', 'Payments>', 'Last payment']}>
    {investors.map(({ wallet, investedXrp, tokens, payments, lastPaidAt }) => (
      <tr key={wallet}>
        <Cell>
          <Link className="link font-mono text-xs" prefetch={false} href={`/wallets/${wallet}`}>
            {wallet}
          </Link>
        </Cell>
        <Cell isFigure>
          <Xrp isExact value={investedXrp} />
        </Cell>
        <Cell isFigure>{formatAmount(tokens)}</Cell>
        <Cell isFigure>{formatCount(payments)}</Cell>
        <Cell>
          <Time at={lastPaidAt} />
        </Cell>
      </tr>
    ))}
  </Table>
);
