import Link from 'next/link';
import { listWitnesses } from '#lib/ops/status/witnesses/list-witnesses.ts';
import type { AccountResource } from '#lib/sales/accounts/contracts.ts';
import { listAccounts } from '#lib/sales/accounts/list-accounts.ts';
import { type ProjectUnderCustody, projectsUnderCustody } from '#lib/sales/accounts/projects-under-custody.ts';
import { signersText } from '../../_data/custody-text.ts';
import { Badge } from '../../_ui/badge.tsx';
import { Card } from '../../_ui/card.tsx';
import { Empty } from '../../_ui/empty.tsx';
import { Fact, Facts } from '../../_ui/facts.tsx';
import { formatCount } from '../../_ui/format.ts';
import { Address } from '../../_ui/hash.tsx';
import { SignerList } from '../../_ui/signers.tsx';
import { operatorCtx } from '../session.ts';
import { WitnessView } from './witness-view.tsx';

const MOST_ACCOUNTS = 100;

/** Who must sign what each deposit account sends, and how the witnesses are, as they say themselves. */
export async function Custody() {
  const ctx = await operatorCtx();
  const [{ accounts }, { witnesses }, projects] = await Promise.all([
    listAccounts(ctx, { limit: MOST_ACCOUNTS }),
    listWitnesses(ctx),
    projectsUnderCustody(ctx.db),
  ]);
  return (
    <Card id="custody" title="Custody" lead="Who must sign what each deposit account and its distributors send.">
      {accounts.length === 0 && <Empty title="No account yet">The deposit accounts of projects stand here.</Empty>}
      <ul className="grid gap-8 lg:grid-cols-2">
        {accounts.map((account) => (
          <AccountCustody
            key={account.address}
            account={account}
            projects={projects.filter(({ depositAddress }) => depositAddress === account.address)}
          />
        ))}
      </ul>
      <h3 className="mt-8 mb-3 font-semibold">Witnesses</h3>
      {witnesses.length === 0 ? (
        <Empty title="No witnesses">
          The setting WITNESSES names no program that co-signs, and no account asks for one.
        </Empty>
      ) : (
        <ul className="grid gap-8 lg:grid-cols-2">
          {witnesses.map((witness) => (
            <WitnessView key={witness.key} witness={witness} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function AccountCustody({
  account: { address, custody },
  projects,
}: {
  account: AccountResource;
  projects: readonly ProjectUnderCustody[];
}) {
  const drafts = projects.filter(({ status }) => status === 'draft');
  const sales = projects.filter(({ status }) => status !== 'draft');
  return (
    <li className="min-w-0 space-y-3 text-sm">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Address address={address} />
        <Badge tone={custody === null ? 'warn' : 'good'}>{custody === null ? 'one key' : 'witnesses'}</Badge>
      </div>
      {custody === null ? (
        <p className="text-soft">
          One key signs for what is launched now. A thief with it could take everything.{' '}
          <Link className="link" prefetch={false} href="/operator/custody">
            Bring accounts under witnesses
          </Link>
        </p>
      ) : (
        <>
          <p>{signersText(custody)} must sign what is launched now.</p>
          <SignerList set={custody} />
        </>
      )}
      {(custody !== null || projects.length > 0) && (
        <Facts>
          {custody !== null && <Fact name="In force after ledger">{formatCount(custody.from_ledger)}</Fact>}
          <Fact name="Drafts with witnesses">
            <Names projects={drafts} />
          </Fact>
          <Fact name="Sales with witnesses">
            <Names projects={sales} />
          </Fact>
        </Facts>
      )}
    </li>
  );
}

const Names = ({ projects }: { projects: readonly ProjectUnderCustody[] }) =>
  projects.length === 0 ? (
    'None'
  ) : (
    <ul className="space-y-0.5">
      {projects.map(({ id, name }) => (
        <li key={id}>
          <Link className="link" prefetch={false} href={`/operator/projects/${id}`}>
            {name}
          </Link>
        </li>
      ))}
    </ul>
  );
