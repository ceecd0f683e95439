import { PlatformError } from '#lib/base/errors.ts';
import { listWitnesses } from '#lib/ops/status/witnesses/list-witnesses.ts';
import type { AccountInForce } from '#lib/sales/projects/get-custody-in-force.ts';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import { orLedgerUnavailable } from '../../_data/or-ledger-unavailable.ts';
import { pageCtx } from '../../_data/page-ctx.ts';
import { readCustodyInForce } from '../../_data/public-reads.ts';
import { witnessState } from '../../_data/witness-state.ts';
import { Badge } from '../../_ui/badge.tsx';
import { formatCount } from '../../_ui/format.ts';
import { Notice } from '../../_ui/notice.tsx';

/** While the ledger is asked; all there is without scripts. */
export const CustodyNowAwaited = () => (
  <p className="text-soft">Whether the ledger shows these signers now is being read.</p>
);

/** Whether the ledger shows the signers of the terms and no other way in, as of a moment ago. */
export async function CustodyNow({ project }: { project: ProjectResource }) {
  const { status, custody_through_ledger: through } = project;
  if (through !== null) {
    return (
      <p>
        <Badge tone="neutral">Replaced</Badge>{' '}
        <span className="text-soft">
          These signers were replaced after everything of this sale was paid, in ledger {formatCount(through)}.
          Verification says whether they signed until then.
        </span>
      </p>
    );
  }
  const accounts = await readAccounts(project);
  if (accounts === null) {
    return (
      <Notice tone="warn" title="Could not be read now">
        The ledger did not answer, so nothing is said about who can sign for the accounts now. Reload the page in a
        moment.
      </Notice>
    );
  }
  const differing = accounts.filter(({ faults }) => faults.length > 0);
  if (differing.length === 0) {
    return (
      <p>
        <Badge tone="good">As the terms say</Badge>{' '}
        <span className="text-soft">
          A moment ago the ledger showed these signers for both accounts, their master keys disabled, and no other key
          that can sign.
        </span>
      </p>
    );
  }
  const isOver = status === 'completed' || status === 'cancelled';
  return (
    <Notice tone={isOver ? 'warn' : 'bad'} title="The ledger shows other signers than the terms">
      {differing.map(({ role, faults }) => `The ${role} ${faults.join('; it ')}.`).join(' ')}{' '}
      {isOver
        ? 'The sale is over: once all of it is paid, its accounts may have other signers. Verification says whether they had these until then.'
        : 'Do not pay before the sale’s operator has explained it.'}
    </Notice>
  );
}

async function readAccounts(project: ProjectResource): Promise<AccountInForce[] | null> {
  try {
    return await orLedgerUnavailable(readCustodyInForce(await pageCtx(), project));
  } catch (err) {
    if (err instanceof PlatformError) return null;
    throw err;
  }
}

/** How a witness is for the accounts of a sale: not why it is halted, and not where it listens. */
export async function WitnessNow({ witness, project }: { witness: string; project: ProjectResource }) {
  const { witnesses } = await listWitnesses(await pageCtx());
  const found = witnesses.find(({ key }) => key === witness);
  if (found === undefined) return <Badge tone="bad">not known</Badge>;
  const own = [project.deposit_address, project.distributor];
  const { said, tone } = witnessState({
    ...found,
    refusing: found.refusing.filter(({ account }) => own.includes(account)),
  });
  return <Badge tone={tone}>{said}</Badge>;
}
