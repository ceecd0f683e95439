import type { ProjectResource } from '#lib/sales/schemas.ts';

/**
 * The sales that a wallet's page looks up on the ledger, `most` of them: those it has invested in come first, however many
 * others sell by now, then those that sell. Among equals the order stays.
 */
export const relevantSales = <Project extends Pick<ProjectResource, 'id' | 'status'>>(
  projects: readonly Project[],
  invested: ReadonlySet<string>,
  most: number,
): Project[] =>
  projects
    .filter(({ id, status }) => invested.has(id) || status === 'active')
    .toSorted((a, b) => Number(invested.has(b.id)) - Number(invested.has(a.id)))
    .slice(0, most);
