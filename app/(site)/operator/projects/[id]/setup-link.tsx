import Link from 'next/link';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import { issuerOfIssuance } from '#lib/xrpl/token.ts';
import { plainAmount } from '../../../_ui/format.ts';
import { supplyOf } from '../../../sales/[slug]/wallet-setup.tsx';
import { placeOf, valuesOf } from '../../tokens/plan.ts';

export const SetupLink = ({ project }: { project: ProjectResource }) => (
  <Link className="link text-sm" prefetch={false} href={setupPlace(project)}>
    Set up the token step by step
  </Link>
);

/** The steps for the draft's own token. */
function setupPlace(project: ProjectResource): string {
  const { id, token, distributor } = project;
  const { values } = valuesOf({
    kind: token.kind,
    issuer: token.kind === 'iou' ? token.issuer : issuerOfIssuance(token.issuance_id),
    currency: token.kind === 'iou' ? token.currency : '',
    issuance_id: token.kind === 'mpt' ? token.issuance_id : '',
    decimals: String(token.decimals),
    distributor,
    supply: plainAmount(supplyOf(project)),
    project: id,
  });
  return placeOf(values);
}
