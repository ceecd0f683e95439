import Link from 'next/link';
import type { ApprovalResource } from '#lib/sales/approvals/contracts.ts';
import { Xrp } from '../../../_ui/amounts.tsx';
import { Code } from '../../../_ui/code.tsx';
import { Fact, Facts } from '../../../_ui/facts.tsx';
import { Address, Digest } from '../../../_ui/hash.tsx';
import { Time } from '../../../_ui/time.tsx';

export const NOUNS: Record<ApprovalResource['action'], string> = { launch: 'the launch', release: 'the release' };

/** Exactly what a request asks for. */
export const RequestFacts = ({ approval }: { approval: ApprovalResource }) => (
  <>
    <Facts>
      <Fact name="Reason">{approval.reason}</Fact>
      {approval.release !== null && (
        <>
          <Fact name="Amount">
            <Xrp isExact value={approval.release.amount_xrp} className="font-semibold" />
          </Fact>
          <Fact name="To the treasury">
            <Address address={approval.release.destination} />
          </Fact>
        </>
      )}
      {approval.launch !== null && (
        <>
          <Fact name="Terms (SHA-256)">
            <Digest text={approval.launch.terms_hash} />
          </Fact>
          <Fact name="The sale's page">
            <Link className="link" prefetch={false} href={`/sales/${approval.project_id}`}>
              Preview of the draft
            </Link>
          </Fact>
        </>
      )}
      <Fact name="Asked">
        <Time at={approval.created_at} />
      </Fact>
      <Fact name="Lapses">
        <Time at={approval.expires_at} />
      </Fact>
    </Facts>
    {approval.launch !== null && (
      <details>
        <summary className="link cursor-pointer text-sm">All terms that the launch would anchor</summary>
        <div className="mt-3">
          <Code label="terms" text={JSON.stringify(JSON.parse(approval.launch.canonical), null, 2)} />
        </div>
      </details>
    )}
  </>
);

/** What became of requests. */
export const ClosedRequests = ({ closed }: { closed: readonly ApprovalResource[] }) =>
  closed.length === 0 ? null : (
    <ul className="space-y-3 text-sm text-soft">
      {closed.map((approval) => (
        <li key={approval.id} className="break-words">
          <ClosedRequest approval={approval} />
        </li>
      ))}
    </ul>
  );

function ClosedRequest({ approval }: { approval: ApprovalResource }) {
  const noun = NOUNS[approval.action];
  const asked = `${approval.requested_by.name} asked for ${noun}`;
  if (approval.closed_by === null) return `${asked}: lapsed. ${approval.closed_reason ?? ''}`;
  return (
    <>
      {asked}: {approval.status} by {approval.closed_by.name},{' '}
      {approval.closed_at !== null && <Time at={approval.closed_at} />}. {approval.closed_reason}
    </>
  );
}
