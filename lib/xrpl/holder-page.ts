import { z } from 'zod';
import type { LedgerServer } from './connection.ts';
import { ledgerUnavailable } from './fault.ts';
import { LINES_A_PAGE, sameCurrency } from './issued-lines.ts';
import type { LedgerToken } from './token-name.ts';
import type { HolderPage, HolderReading, TokenHolder } from './types.ts';

/** The most that Clio gives in one page. */
const MPTOKENS_A_PAGE = 100;

const answered = z.object({
  ledger_index: z.int(),
  validated: z.literal(true),
  marker: z.unknown().optional(),
});
/** As the ledger writes a value: digits, perhaps with an exponent. */
const linePage = answered.extend({
  lines: z.array(
    z.object({
      account: z.string(),
      balance: z.string().regex(/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/),
      currency: z.string(),
    }),
  ),
});
const mptokenPage = answered.extend({
  mptokens: z.array(z.object({ account: z.string(), mpt_amount: z.string().regex(/^\d+$/) })),
});

/** More than nothing: a digit other than 0 before any exponent. */
const isSomething = (value: string): boolean => /^[^eE]*[1-9]/.test(value);

/** The issuer sees what it owes as negative; a line on which the other side owes makes no holder. */
function holdersOn({ lines }: z.output<typeof linePage>, currency: string): TokenHolder[] {
  const holders: TokenHolder[] = [];
  for (const line of lines) {
    if (line.balance.startsWith('-') && isSomething(line.balance) && sameCurrency(line.currency, currency)) {
      holders.push({ account: line.account, balance: line.balance.slice(1) });
    }
  }
  return holders;
}

const holdersAmong = ({ mptokens }: z.output<typeof mptokenPage>, assetScale: number): TokenHolder[] =>
  mptokens
    .filter(({ mpt_amount: amount }) => isSomething(amount))
    .map(({ account, mpt_amount: amount }) => ({ account, balance: `${amount}e-${assetScale}` }));

/** One page of a token's holders in the reading's ledger, from the server that is asked. Without `marker` the first. */
export async function readHolderPage(
  server: LedgerServer,
  token: LedgerToken,
  reading: Omit<HolderReading, 'server'>,
  marker: unknown,
): Promise<HolderPage> {
  const place = { ledger_index: reading.ledgerIndex, ...(marker === undefined ? {} : { marker }) };
  if (token.kind === 'iou') {
    const page = linePage.parse(
      await server.request({ command: 'account_lines', account: token.issuer, limit: LINES_A_PAGE, ...place }),
    );
    return { holders: holdersOn(page, token.currency), marker: nextMarker(page, reading, marker) };
  }
  const { issuanceId } = token;
  const page = mptokenPage.parse(
    await server.request({ command: 'mpt_holders', mpt_issuance_id: issuanceId, limit: MPTOKENS_A_PAGE, ...place }),
  );
  return { holders: holdersAmong(page, reading.assetScale), marker: nextMarker(page, reading, marker) };
}

function nextMarker(
  answer: z.output<typeof answered>,
  { ledgerIndex }: Pick<HolderReading, 'ledgerIndex'>,
  asked: unknown,
): unknown {
  if (answer.ledger_index !== ledgerIndex) throw ledgerUnavailable('The ledger server answered of another ledger');
  const next = answer.marker ?? null;
  if (next !== null && JSON.stringify(next) === JSON.stringify(asked)) {
    throw ledgerUnavailable('The ledger server gives the same page again and again');
  }
  return next;
}
