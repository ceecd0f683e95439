import { and, eq, ne } from 'drizzle-orm';
import { holderSyncs } from '#drizzle/schema/holders.ts';
import { projects } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/base/db.ts';
import { env } from '#lib/base/env.ts';
import { fieldError, PlatformError } from '#lib/base/errors.ts';
import { idPattern } from '#lib/base/ids.ts';
import { issuerOfIssuance, type LedgerToken, namedToken, tokenName } from '#lib/xrpl/token.ts';

/** The token of PLATFORM_TOKEN; null when none is set. Throws when the setting names no token of the ledger. */
export function platformToken(): LedgerToken | null {
  const given = env().PLATFORM_TOKEN;
  if (given === undefined) return null;
  const token = namedToken.safeParse(given);
  if (!token.success) throw new Error('PLATFORM_TOKEN is not a token: its currency code or its issuer is not valid');
  return token.data;
}

/** A token whose holders are synchronised. */
export interface TrackedToken {
  token: LedgerToken;
  /** Where it comes in a run: the platform's token first, the others by name. */
  position: string;
}

type ProjectToken = Pick<typeof projects.$inferSelect, 'tokenKind' | 'currency' | 'issuer' | 'issuanceId'>;

/** The database holds a project to either form (constraint `projects_token`). */
const tokenOfProject = ({ currency, issuer, issuanceId }: ProjectToken): LedgerToken =>
  issuanceId === null ? { kind: 'iou', currency: currency ?? '', issuer: issuer ?? '' } : { kind: 'mpt', issuanceId };

/** The platform's token and those of all projects that are no drafts, each once, in the order of a run. */
export async function trackedTokens(db: Db): Promise<TrackedToken[]> {
  const { tokenKind, currency, issuer, issuanceId } = projects;
  const rows = await db
    .selectDistinct({ tokenKind, currency, issuer, issuanceId })
    .from(projects)
    .where(ne(projects.status, 'draft'));
  const own = platformToken();
  const ownName = own === null ? null : tokenName(own);
  const others = rows
    .map(tokenOfProject)
    .map((token) => ({ token, position: `1 ${tokenName(token)}` }))
    .filter(({ token }) => tokenName(token) !== ownName)
    .toSorted((a, b) => (a.position < b.position ? -1 : 1));
  return own === null ? others : [{ token: own, position: `0 ${ownName}` }, ...others];
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

export interface TokenQuery {
  token?: LedgerToken | undefined;
  project_id?: string | undefined;
}

const SHOWN = 5;

/**
 * The name of the token that a question is about: the one it names, its project's, the platform's, or the only one that has
 * a snapshot. Throws `invalid_request`, `project_not_found` or `not_found`, each with what to do.
 */
export async function resolveToken(db: Db, { token, project_id: projectId }: TokenQuery): Promise<string> {
  if (token !== undefined && projectId !== undefined) throw fieldError('project_id', 'give it or token, not both');
  if (token !== undefined) return tokenName(token);
  if (projectId !== undefined) return projectToken(db, projectId);
  const own = platformToken();
  return own === null ? onlyToken(db) : tokenName(own);
}

const ID_FORM = idPattern('proj');

async function projectToken(db: Db, id: string): Promise<string> {
  const [project] = ID_FORM.test(id)
    ? await db
        .select()
        .from(projects)
        .where(and(eq(projects.id, id), ne(projects.status, 'draft')))
    : [];
  if (project === undefined) throw new PlatformError('project_not_found', 'There is no such project.');
  return tokenName(tokenOfProject(project));
}

async function onlyToken(db: Db): Promise<string> {
  const names = await db
    .selectDistinct({ token: holderSyncs.token })
    .from(holderSyncs)
    .where(eq(holderSyncs.status, 'complete'))
    .orderBy(holderSyncs.token)
    .limit(SHOWN + 1);
  const [first, ...others] = names.map(({ token }) => token);
  if (first === undefined) throw noSnapshot('No token’s holders');
  if (others.length === 0) return first;
  const shown = [first, ...others].slice(0, SHOWN).join(', ');
  throw fieldError('token', `several tokens have been synchronised; name one of them, such as ${shown}`);
}

/** `not_found` for a token without a snapshot. `whose` begins the sentence. */
export const noSnapshot = (whose: string): PlatformError =>
  new PlatformError(
    'not_found',
    `${whose} have been synchronised yet. The platform’s token (setting PLATFORM_TOKEN) and those of launched projects are, every hour; ask again after the next run, or name another token.`,
  );
