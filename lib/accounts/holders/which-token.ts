import { and, eq, ne } from 'drizzle-orm';
import { holderSyncs } from '#drizzle/schema/holders.ts';
import { projects } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { idPattern } from '#lib/base/ids.ts';
import { type LedgerToken, tokenName } from '#lib/xrpl/token-name.ts';
import { platformToken } from './platform-token.ts';
import { tokenOfProject } from './wanted-tokens.ts';

export interface TokenQuestion {
  token?: LedgerToken | undefined;
  project_id?: string | undefined;
}

const SHOWN = 5;

/**
 * The name of the token that a question is about: the one it names, its project's, the platform's, or the only one that has
 * a snapshot. Throws `invalid_request`, `project_not_found` or `not_found`, each with what to do.
 */
export async function whichToken(db: Db, { token, project_id: projectId }: TokenQuestion): Promise<string> {
  if (token !== undefined && projectId !== undefined) throw queryFault('project_id', 'give it or token, not both');
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
  throw queryFault('token', `several tokens have been synchronised; name one of them, such as ${shown}`);
}

const queryFault = (name: string, message: string): PlatformError =>
  new PlatformError('invalid_request', `${name}: ${message}`, { errors: [{ field: name, message }] });

/** `not_found` for a token without a snapshot. `whose` begins the sentence. */
export const noSnapshot = (whose: string): PlatformError =>
  new PlatformError(
    'not_found',
    `${whose} have been synchronised yet. The platform’s token (setting PLATFORM_TOKEN) and those of launched projects are, every hour; ask again after the next run, or name another token.`,
  );
