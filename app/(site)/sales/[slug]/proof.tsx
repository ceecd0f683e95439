import type { ProjectResource } from '#lib/sales/schemas.ts';
import { localLedgerUrl } from '#lib/sales/verification/get-verification.ts';
import { signersText } from '../../_data/custody-text.ts';
import { pageCtx } from '../../_data/page-ctx.ts';
import { readVerification } from '../../_data/public-reads.ts';
import { tokenUnit } from '../../_ui/amounts.tsx';
import { Badge, type Tone } from '../../_ui/badge.tsx';
import { Card } from '../../_ui/card.tsx';
import { Code } from '../../_ui/code.tsx';
import { formatCount } from '../../_ui/format.ts';
import { Digest, Hash } from '../../_ui/hash.tsx';
import { Time } from '../../_ui/time.tsx';
import { VerifyHere } from './verify/verify-here.tsx';

const VERDICTS: Record<string, { says: string; tone: Tone }> = {
  agrees: { says: 'Agrees', tone: 'good' },
  differs: { says: 'Differs', tone: 'bad' },
  unchecked: { says: 'Could not check all', tone: 'warn' },
};

/** Servers that anybody may ask and that hold the whole history, where there are such. */
const PUBLIC_SERVERS: Readonly<Record<number, string>> = {
  0: 'wss://xrplcluster.com, wss://s2.ripple.com',
  1: 'wss://s.altnet.rippletest.net:51233',
  2: 'wss://s.devnet.rippletest.net:51233',
};

const publicServers = (networkId: number): string => PUBLIC_SERVERS[networkId] ?? localLedgerUrl() ?? '';

/** A draft opens by its id alone. */
const termsName = ({ status, id, slug }: ProjectResource): string => (status === 'draft' ? id : slug);

/** What anyone needs to check the sale without trusting anybody here. */
export async function Proof({ project }: { project: ProjectResource }) {
  const { anchors, command, deposit_account, last_run } = await readVerification(await pageCtx(), project);
  const verdict = last_run === null ? null : VERDICTS[last_run.verdict];
  return (
    <Card
      id="verify"
      title="Verify this sale"
      lead="Replay the sale: a program reads the public ledger, applies the published rules, and compares every payment, token and refund with what is published."
    >
      {project.status !== 'draft' && (
        <VerifyHere
          projectId={project.id}
          slug={project.slug}
          unit={tokenUnit(project.token)}
          servers={publicServers(deposit_account.network_id)}
        />
      )}
      <p className="mt-4 mb-2 text-sm text-soft">
        The program in this page comes from this site. To trust nothing of ours, run it in a clone of the repository,
        after <code>npm ci</code>:
      </p>
      <Code text={command} label="the command that verifies this sale" />
      <p className="mt-3 text-sm">
        <a className="link" href="/docs/verification">
          How verification works
        </a>
      </p>
      <dl className="mt-4 space-y-3 text-sm">
        {project.terms_hash !== null && (
          <div>
            <dt className="text-soft">
              Terms (
              <a className="link" href={`/sales/${termsName(project)}/terms`}>
                read them
              </a>
              ), SHA-256
            </dt>
            <dd className="mt-0.5">
              <Digest text={project.terms_hash} />
            </dd>
          </div>
        )}
        {anchors.launch !== null && (
          <div>
            <dt className="text-soft">Anchored in ledger {formatCount(anchors.launch.ledger_index)} by</dt>
            <dd className="mt-0.5">
              <Hash hash={anchors.launch.transaction_hash} />
            </dd>
          </div>
        )}
        <div>
          <dt className="text-soft">
            Signed by (
            <a className="link" href="#about">
              who can move the money
            </a>
            )
          </dt>
          <dd className="mt-0.5">{signersText(project.custody)}</dd>
        </div>
        <div>
          <dt className="text-soft">Last run by the platform</dt>
          <dd className="mt-1 flex flex-wrap items-center gap-2">
            {last_run === null || verdict === undefined || verdict === null ? (
              'None yet: it runs once a day.'
            ) : (
              <>
                <Badge tone={verdict.tone}>{verdict.says}</Badge>
                <span>
                  up to ledger {formatCount(last_run.as_of_ledger)}, <Time at={last_run.ended_at} />
                </span>
              </>
            )}
          </dd>
        </div>
      </dl>
    </Card>
  );
}
