import { exactText } from '@tranche/rules/exact-decimal.ts';
import { sql } from 'drizzle-orm';
import { isValidClassicAddress } from 'ripple-address-codec';
import { z } from 'zod';
import { holderSyncs, holdersByRank } from '#drizzle/schema/holders.ts';
import { toIso } from '#lib/base/clock.ts';
import { readCursor, writeCursor } from '#lib/base/cursor.ts';
import type { Db } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { idPattern } from '#lib/base/ids.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { listHoldersContract } from './contracts.ts';
import { shareOf } from './finish-sync.ts';
import { noSnapshot, resolveToken, type TokenQuery } from './tokens.ts';

/** A rank or a position, with room for a page behind it. */
const number = z
  .int()
  .min(1)
  .max(2 ** 30);

const holderPosition = z.tuple([
  z.string().regex(idPattern('sync')),
  z
    .string()
    .max(250)
    .regex(/^\d+(?:\.\d+)?$/),
  z.string().refine(isValidClassicAddress),
  number,
  number,
]);

/** The last holder of a page: in which snapshot, with which balance, and as which of them all. */
interface HolderPosition {
  syncId: string;
  balance: string;
  account: string;
  rank: number;
  /** 1 for the first of the list; ranks skip, positions do not. */
  position: number;
}

const encodeHolderCursor = ({ syncId, balance, account, rank, position }: HolderPosition): string =>
  writeCursor([syncId, balance, account, rank, position]);

function decodeHolderCursor(cursor: string | undefined): HolderPosition | null {
  if (cursor === undefined) return null;
  const [syncId, balance, account, rank, position] = readCursor(cursor, holderPosition);
  return { syncId, balance, account, rank, position };
}

type Page = z.output<(typeof listHoldersContract)['responses'][200]>;
type Row = {
  id: string;
  ledger_index: number;
  ledger_closed_at: string;
  synced_at: string;
  supply: string;
  account: string | null;
  balance: string | null;
};

/**
 * Holders of a token's latest snapshot, the largest first; among equals by account, descending. Throws `gone` when the
 * cursor is of an earlier snapshot.
 */
export async function listHolders(
  ctx: Ctx,
  { cursor, limit, ...question }: TokenQuery & { cursor?: string | undefined; limit: number },
): Promise<Page> {
  const after = decodeHolderCursor(cursor);
  const token = await resolveToken(ctx.db, question);
  const rows = await readRows(ctx.db, token, after, limit + 1);
  const [snapshot] = rows;
  if (snapshot === undefined) throw noSnapshot(`No holders of ${token}`);
  if (after !== null && after.syncId !== snapshot.id) {
    throw new PlatformError(
      'gone',
      'A newer snapshot has taken the place of the cursor’s: begin again without cursor.',
    );
  }
  const positions = ranked(rows, after);
  const shown = positions.slice(0, limit);
  const last = shown.at(-1);
  return {
    token,
    sync_id: snapshot.id,
    holders: shown.map(({ rank, account, balance }) => ({
      rank,
      account,
      balance: exactText(balance),
      share: shareOf(balance, snapshot.supply),
    })),
    ledger_index: snapshot.ledger_index,
    ledger_closed_at: toIso(new Date(snapshot.ledger_closed_at)),
    synced_at: toIso(new Date(snapshot.synced_at)),
    next_cursor: positions.length > limit && last !== undefined ? encodeHolderCursor(last) : null,
  };
}

/** The snapshot in each row, with one holder; one row without a holder when none is left. */
async function readRows(db: Db, token: string, after: HolderPosition | null, limit: number): Promise<Row[]> {
  const position = after?.position ?? 0;
  const { rows } = await db.execute<Row>(sql`
    with latest as (
      select id, ledger_index, ledger_closed_at, completed_at, statistics ->> 'supply' as supply from ${holderSyncs}
      where token = ${token} and status = 'complete' order by completed_at desc limit 1)
    select l.id, l.ledger_index::float8 as ledger_index, l.ledger_closed_at::text as ledger_closed_at,
      l.completed_at::text as synced_at, l.supply, h.account, h.balance
    from latest as l left join lateral (
      select h.account, trim_scale(h.balance) as balance, r.first_position + h.n - 1 as position
      from ${holdersByRank} as r, unnest(r.accounts, r.balances) with ordinality as h(account, balance, n)
      where r.sync_id = l.id and r.first_position <= ${position + limit} and r.first_position >= (
          select max(first_position) from ${holdersByRank} where sync_id = l.id and first_position <= ${position + 1})
        and r.first_position > 0 and r.first_position + h.n - 1 > ${position}
      order by position limit ${limit}) as h on true
    order by h.position`);
  return rows;
}

/** Who holds as much as the one before shares its rank. */
function ranked(rows: readonly Row[], after: HolderPosition | null): HolderPosition[] {
  const positions: HolderPosition[] = [];
  let before = after;
  for (const { id: syncId, account, balance } of rows) {
    if (account === null || balance === null) continue;
    const position: number = (before?.position ?? 0) + 1;
    const rank: number = before?.balance === balance ? before.rank : position;
    before = { syncId, balance, account, rank, position };
    positions.push(before);
  }
  return positions;
}
