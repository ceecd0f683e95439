import { PlatformError } from '#lib/base/errors.ts';
import type { ProjectToken } from '#lib/sales/projects/get-token.ts';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import { orLedgerUnavailable } from '../../_data/or-ledger-unavailable.ts';
import { pageCtx } from '../../_data/page-ctx.ts';
import { readToken } from '../../_data/public-reads.ts';
import { Badge, type Tone } from '../../_ui/badge.tsx';
import { Address } from '../../_ui/hash.tsx';
import { Notice } from '../../_ui/notice.tsx';

type Token = ProjectToken['token'];
type Power = { name: string; says: string; tone: Tone };

const yesNo = (name: string, isSo: boolean, yes = 'Yes', no = 'No'): Power => ({
  name,
  says: isSo ? yes : no,
  tone: isSo ? 'warn' : 'good',
});

function powersOf(token: Token): Power[] {
  const fee: Power = {
    name: 'Fee on transfers',
    says: token.transfer_fee_percent === 0 ? 'None' : `${token.transfer_fee_percent}%`,
    tone: token.transfer_fee_percent === 0 ? 'good' : 'warn',
  };
  const shared = [
    yesNo('Make more tokens', token.can_mint),
    yesNo('Take tokens back', token.can_claw_back),
    yesNo('Must authorise each holder', token.requires_authorization),
    fee,
  ];
  return token.kind === 'iou'
    ? [
        yesNo('Freeze holders', token.can_freeze),
        ...(token.global_freeze ? [yesNo('Everything is frozen now', true)] : []),
        ...shared,
      ]
    : [
        yesNo('Lock holders', token.can_lock),
        ...(token.locked ? [yesNo('Everything is locked now', true)] : []),
        ...shared,
      ];
}

/** While the ledger is asked; all there is without scripts. */
export const IssuerPowersAwaited = ({ projectId }: { projectId: string }) => (
  <>
    <p className="text-sm text-soft">Being read from the ledger.</p>
    <a className="link text-sm" href={`/api/projects/${projectId}/token`}>
      The same as JSON
    </a>
  </>
);

/** What the issuer can still do to holders, as the ledger shows it now. */
export async function IssuerPowers({ project }: { project: ProjectResource }) {
  const token = await tokenOnLedger(project);
  if (token === null) return <Notice tone="warn">The ledger did not answer. Reload the page in a moment.</Notice>;
  return (
    <>
      <p className="mb-2 text-sm text-soft">Read from the ledger a moment ago.</p>
      <ul className="divide-y divide-line text-sm">
        {powersOf(token).map(({ name, says, tone }) => (
          <li key={name} className="flex items-baseline justify-between gap-4 py-2.5">
            <span className="text-soft">{name}</span>
            <Badge tone={tone}>{says}</Badge>
          </li>
        ))}
      </ul>
      <p className="mt-3 text-sm text-soft">
        {token.issuer_black_holed
          ? 'Nobody holds the issuer’s keys any more: none of this can change.'
          : 'The issuer’s keys are in use: what is possible may still be done.'}
      </p>
      <p className="mt-2 text-sm text-soft">
        Issuer <Address address={token.issuer} />
      </p>
    </>
  );
}

/** Null where the ledger does not answer. */
export async function tokenOnLedger(project: ProjectResource): Promise<Token | null> {
  try {
    return (await orLedgerUnavailable(readToken(await pageCtx(), project)))?.token ?? null;
  } catch (err) {
    if (err instanceof PlatformError) return null;
    throw err;
  }
}
