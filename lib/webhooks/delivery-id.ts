import { ID_LENGTH } from '@tranche/rules/ids.ts';
import { type SQL, sql } from 'drizzle-orm';
import { MINUTE_DIGITS } from '#lib/base/ids.ts';

/** The id of a delivery that is derived from `subject`: like those of attempts it begins with a minute, that of `time`. */
export const deliveryIdAt = (time: SQL, subject: SQL): SQL => sql`(
  'del_' || lpad(to_hex(floor(extract(epoch from ${time}) / 60)::bigint), ${sql.raw(String(MINUTE_DIGITS))}, '0')
    || substr(translate(encode(sha256((${subject})::bytea), 'base64'), '+/', 'xy'), 1, ${sql.raw(String(ID_LENGTH - MINUTE_DIGITS))}))`;
