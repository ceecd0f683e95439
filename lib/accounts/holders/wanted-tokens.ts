import { and, eq, ne } from 'drizzle-orm';
import { projects } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/base/db.ts';
import { env } from '#lib/base/env.ts';
import { issuerOfIssuance } from '#lib/xrpl/issuance-id.ts';
import { type LedgerToken, tokenName } from '#lib/xrpl/token-name.ts';
import { platformToken } from './platform-token.ts';

/** A token whose holders are synchronised. */
export interface WantedToken {
  token: LedgerToken;
  /** Where it comes in a run: the platform's token first, the others by name. */
  place: string;
}

type ProjectToken = Pick<typeof projects.$inferSelect, 'tokenKind' | 'currency' | 'issuer' | 'issuanceId'>;

/** The database holds a project to either form (constraint `projects_token`). */
export const tokenOfProject = ({ currency, issuer, issuanceId }: ProjectToken): LedgerToken =>
  issuanceId === null ? { kind: 'iou', currency: currency ?? '', issuer: issuer ?? '' } : { kind: 'mpt', issuanceId };

/** The platform's token and those of all projects that are no drafts, each once, in the order of a run. */
export async function wantedTokens(db: Db): Promise<WantedToken[]> {
  const { tokenKind, currency, issuer, issuanceId } = projects;
  const rows = await db
    .selectDistinct({ tokenKind, currency, issuer, issuanceId })
    .from(projects)
    .where(ne(projects.status, 'draft'));
  const own = platformToken();
  const ownName = own === null ? null : tokenName(own);
  const others = rows
    .map(tokenOfProject)
    .map((token) => ({ token, place: `1 ${tokenName(token)}` }))
    .filter(({ token }) => tokenName(token) !== ownName)
    .toSorted((a, b) => (a.place < b.place ? -1 : 1));
  return own === null ? others : [{ token: own, place: `0 ${ownName}` }, ...others];
}

/**
 * Accounts that hold the token and count as no holders: its issuer, those of HOLDERS_EXCLUDED, and the distributors and
 * treasuries of its projects, whose tokens are not in circulation yet.
 */
export async function excludedAccounts(db: Db, token: LedgerToken): Promise<string[]> {
  const ofProjects = await db
    .selectDistinct({ distributor: projects.distributor, treasury: projects.treasury })
    .from(projects)
    .where(
      and(
        ne(projects.status, 'draft'),
        token.kind === 'iou'
          ? and(eq(projects.currency, token.currency), eq(projects.issuer, token.issuer))
          : eq(projects.issuanceId, token.issuanceId),
      ),
    );
  const issuer = token.kind === 'iou' ? token.issuer : issuerOfIssuance(token.issuanceId);
  const published = ofProjects.flatMap(({ distributor, treasury }) => [distributor, treasury ?? distributor]);
  return [...new Set([issuer, ...env().HOLDERS_EXCLUDED, ...published])];
}
