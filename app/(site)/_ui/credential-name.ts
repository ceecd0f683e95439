import type { ProjectResource } from '#lib/sales/schemas.ts';

type Credential = Pick<NonNullable<ProjectResource['tiers'][number]['credential']>, 'type' | 'credential_type'>;

/** A credential's type as people write it, in quotes, else as the ledger has it. */
export const credentialName = ({ type, credential_type }: Credential): string =>
  type === null ? credential_type : `“${type}”`;
