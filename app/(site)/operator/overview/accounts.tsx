import { PlatformError } from '#lib/base/errors.ts';
import { examineAccounts } from '#lib/payouts/monitor/check-accounts.ts';
import type { AccountHealth } from '#lib/payouts/monitor/contracts.ts';
import type { AccountResource } from '#lib/sales/accounts/contracts.ts';
import { listAccounts } from '#lib/sales/accounts/list-accounts.ts';
import { Xrp } from '../../_ui/amounts.tsx';
import { Badge } from '../../_ui/badge.tsx';
import { Card } from '../../_ui/card.tsx';
import { Empty } from '../../_ui/empty.tsx';
import { Fact, Facts } from '../../_ui/facts.tsx';
import { formatCount } from '../../_ui/format.ts';
import { Address } from '../../_ui/hash.tsx';
import { Icon } from '../../_ui/icon.tsx';
import { Notice } from '../../_ui/notice.tsx';
import { ActionForm } from '../action-form.tsx';
import { operatorCtx } from '../session.ts';
import { halt, resume } from './actions.ts';

const MOST_ACCOUNTS = 100;
const TONES = { critical: 'text-bad', warning: 'text-warn', info: 'text-soft' } as const;

/** The accounts that take and pay, as the ledger shows them now, by the same look that the monitor takes each day. */
export async function Accounts() {
  const ctx = await operatorCtx();
  const [health, { accounts }] = await Promise.all([examined(), listAccounts(ctx, { limit: MOST_ACCOUNTS })]);
  const recordsOf = new Map(accounts.map((account) => [account.address, account]));
  return (
    <Card title="Paying accounts" lead="As the ledger shows them now: keys, trust lines, reserves, XRP and tokens.">
      {health === null && <Notice tone="warn">The ledger did not answer. This page asks again by itself.</Notice>}
      {health?.length === 0 && <Empty title="No account yet">The accounts of launched sales stand here.</Empty>}
      <ul className="grid gap-8 lg:grid-cols-2">
        {health?.map((account) => (
          <Account
            key={account.address}
            account={account}
            records={recordsOf.get(account.address)}
            mayAct={ctx.actor.role === 'operator'}
          />
        ))}
      </ul>
    </Card>
  );
}

function Account({
  account,
  records,
  mayAct,
}: {
  account: AccountHealth;
  records: AccountResource | undefined;
  mayAct: boolean;
}) {
  return (
    <li className="min-w-0 space-y-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="flex flex-wrap items-center gap-2 text-sm">
          <Address address={account.address} />
          {account.roles.map((role) => (
            <Badge key={role}>{role}</Badge>
          ))}
        </p>
        <span className="flex gap-2">
          {records?.halted === true && <Badge tone="bad">halted</Badge>}
          <Badge tone={account.healthy ? 'good' : 'bad'}>{account.healthy ? 'healthy' : 'needs attention'}</Badge>
        </span>
      </div>
      {account.findings.map((finding) => (
        <p key={`${finding.code}-${finding.token}`} className="flex gap-3 text-sm">
          <Icon
            name={finding.severity === 'info' ? 'info' : 'warn'}
            label={finding.severity}
            className={`mt-0.5 size-4 ${TONES[finding.severity]}`}
          />
          <span className="min-w-0 break-words">{finding.message}</span>
        </p>
      ))}
      <Facts>
        {account.spendable_xrp !== null && (
          <Fact name="Spendable above the reserve">
            <Xrp value={account.spendable_xrp} />
          </Fact>
        )}
        {account.needed_xrp !== null && (
          <Fact name="Required for open payouts">
            <Xrp value={account.needed_xrp} />
          </Fact>
        )}
        <Fact name="Open payouts">{formatCount(account.outstanding_payouts)}</Fact>
        {records !== undefined && records.lag !== null && <Fact name="Ledgers behind">{formatCount(records.lag)}</Fact>}
      </Facts>
      {records !== undefined && (
        <ActionForm
          action={records.halted ? resume : halt}
          label={records.halted ? 'Resume this account' : 'Halt this account'}
          look={records.halted ? 'primary' : 'danger'}
          hidden={{ address: account.address }}
          mayAct={mayAct}
          preview={
            records.halted
              ? 'Reading, confirming and paying continue where they stopped. Payments that arrived meanwhile keep their ledger position.'
              : `No payment is read, confirmed or paid out for any sale of this account until an operator resumes it: ${formatCount(account.outstanding_payouts)} payouts wait meanwhile. Nobody loses a claim, and transactions that were already submitted still take effect.`
          }
        />
      )}
    </li>
  );
}

async function examined(): Promise<AccountHealth[] | null> {
  try {
    return await examineAccounts(await operatorCtx());
  } catch (err) {
    if (err instanceof PlatformError && err.code === 'ledger_unavailable') return null;
    throw err;
  }
}
