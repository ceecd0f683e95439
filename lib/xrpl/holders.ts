import { rippleSecondsToMs } from '@tranche/rules/feed-entry.ts';
import { isUnexpectedAnswer, LedgerFault, lacksCommand } from '@tranche/verifier/errors.ts';
import { z } from 'zod';
import { PlatformError } from '#lib/base/errors.ts';
import type { LedgerServer, LedgerServers } from './connection.ts';
import { isFault, ledgerUnavailable } from './fault.ts';
import type { LedgerToken } from './token.ts';
import { LINES_A_PAGE, sameCurrency } from './trust-lines.ts';
import type { HolderPage, HolderReading, OpenedHolders, TokenHolder } from './types.ts';

/** The most that Clio gives in one page. */
const MPTOKENS_A_PAGE = 100;

const answered = () =>
  z.object({
    ledger_index: z.int(),
    validated: z.literal(true),
    marker: z.unknown().optional(),
  });
/** As the ledger writes a value: digits, perhaps with an exponent. */
const linePage = z.lazy(() =>
  answered().extend({
    lines: z.array(
      z.object({
        account: z.string(),
        balance: z.string().regex(/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/),
        currency: z.string(),
      }),
    ),
  }),
);
const mptokenPage = z.lazy(() =>
  answered().extend({
    mptokens: z.array(z.object({ account: z.string(), mpt_amount: z.string().regex(/^\d+$/) })),
  }),
);

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
async function readHolderPage(
  server: LedgerServer,
  token: LedgerToken,
  reading: Omit<HolderReading, 'server'>,
  marker: unknown,
): Promise<HolderPage> {
  const position = { ledger_index: reading.ledgerIndex, ...(marker === undefined ? {} : { marker }) };
  if (token.kind === 'iou') {
    const page = linePage.parse(
      await server.request({ command: 'account_lines', account: token.issuer, limit: LINES_A_PAGE, ...position }),
    );
    return { holders: holdersOn(page, token.currency), marker: nextMarker(page, reading, marker) };
  }
  const { issuanceId } = token;
  const page = mptokenPage.parse(
    await server.request({ command: 'mpt_holders', mpt_issuance_id: issuanceId, limit: MPTOKENS_A_PAGE, ...position }),
  );
  return { holders: holdersAmong(page, reading.assetScale), marker: nextMarker(page, reading, marker) };
}

function nextMarker(
  answer: z.output<ReturnType<typeof answered>>,
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

const newest = z.lazy(() =>
  z.object({
    ledger_index: z.int(),
    ledger_hash: z.string(),
    validated: z.literal(true),
    ledger: z.object({ close_time: z.int() }),
  }),
);
const issuance = z.lazy(() => z.object({ node: z.object({ AssetScale: z.int().default(0) }) }));

/** The reading begins where a server gives its first page: one that lacks the command for MPTs cannot begin it. */
export async function openHolders(servers: LedgerServers, token: LedgerToken): Promise<OpenedHolders> {
  try {
    return await servers.use((server) => open(server, token));
  } catch (error) {
    const { cause } = error instanceof PlatformError ? error : {};
    if (!(cause instanceof AggregateError) || !cause.errors.every(lacksCommand)) throw error;
    throw new PlatformError(
      'service_unavailable',
      'mpt_holders is unsupported by the server: configure a Clio server in XRPL_URLS to read who holds an MPT.',
      { cause: error },
    );
  }
}

async function open(server: LedgerServer, token: LedgerToken): Promise<OpenedHolders> {
  const head = newest.parse(await server.request({ command: 'ledger', ledger_index: 'validated' }));
  const { ledger_index: ledgerIndex, ledger_hash: hash, ledger } = head;
  try {
    const assetScale = token.kind === 'iou' ? 0 : await assetScaleOf(server, token.issuanceId, ledgerIndex);
    const first = await readHolderPage(server, token, { ledgerIndex, assetScale }, undefined);
    const closedAtMs = rippleSecondsToMs(ledger.close_time);
    return { server: server.url, ledgerIndex, hash, closedAtMs, assetScale, first };
  } catch (error) {
    if (!isFault(error, 'actNotFound', 'entryNotFound', 'objectNotFound')) throw error;
    const missing = token.kind === 'iou' ? `The issuer ${token.issuer}` : `The issuance ${token.issuanceId}`;
    throw new PlatformError('not_found', `${missing} is not in ledger ${ledgerIndex}.`, { cause: error });
  }
}

async function assetScaleOf(server: LedgerServer, issuanceId: string, ledgerIndex: number): Promise<number> {
  const entry = await server.request({ command: 'ledger_entry', mpt_issuance: issuanceId, ledger_index: ledgerIndex });
  return issuance.parse(entry).node.AssetScale;
}

/**
 * Any error about its own marker means that it no longer knows it, or the ledger; only when it has too much
 * to do is the place still good.
 */
export async function nextHolderPage(
  servers: LedgerServers,
  token: LedgerToken,
  reading: HolderReading,
  marker: unknown,
): Promise<HolderPage | null> {
  try {
    return await servers.at(reading.server, (server) => readHolderPage(server, token, reading, marker));
  } catch (error) {
    if (isFault(error, 'slowDown', 'tooBusy')) throw ledgerUnavailable('The ledger server has too much to do', error);
    if (isUnexpectedAnswer(error) || error instanceof LedgerFault) return null;
    throw error;
  }
}
