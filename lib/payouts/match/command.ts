import { rippleSecondsToMs } from '@tranche/rules/feed-entry.ts';
import type { Amount, Client, MPTAmount } from 'xrpl';
import { z } from 'zod';
import type { CommandOutput } from '#lib/base/command-output.ts';
import { parseDecimal, WIRE_TOKEN_DECIMALS, XRP_DECIMALS } from '#lib/base/money.ts';
import { guardKey } from '../restore-guard.ts';

/** What a user gives on the command line. */
export interface MatchOptions {
  baseUrl: string;
  /** A server that holds every ledger from `fromLedger` on. */
  ledger: string;
  fromLedger: number;
  /** Paying accounts beside those that the platform and Redis know. */
  accounts: readonly string[];
  withoutRedis: boolean;
  dryRun: boolean;
}

const problem = z.object({ detail: z.string() });
const payoutRow = z.object({
  id: z.string(),
  kind: z.string(),
  project_id: z.string().nullable(),
  status: z.string(),
  destination: z.string(),
  destination_tag: z.int().nullable(),
  amount_xrp: z.string().nullable(),
  tokens: z.string().nullable(),
  /** A platform from before locks does not say it. */
  locked_until: z.string().nullable().default(null),
  transaction_hash: z.string().nullable(),
  attempts: z.array(z.object({ status: z.string(), transaction_hash: z.string() })),
});
type Payout = z.output<typeof payoutRow>;
const token = z.union([z.object({ kind: z.literal('iou') }), z.object({ kind: z.literal('mpt'), decimals: z.int() })]);
const saleRow = z.object({ id: z.string(), deposit_address: z.string(), distributor: z.string(), token });
const accountRow = z.object({ address: z.string(), network_id: z.int() });

/** A platform's interface, as an administrator. */
class Platform {
  readonly #baseUrl: string;
  readonly #headers: Record<string, string>;

  constructor(baseUrl: string, adminToken: string) {
    this.#baseUrl = baseUrl;
    this.#headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' };
  }

  async #ask(path: string, body?: object): Promise<{ isDone: boolean; answer: unknown }> {
    const response = await fetch(new URL(`/api/${path}`, this.#baseUrl), {
      method: body === undefined ? 'GET' : 'POST',
      headers: this.#headers,
      signal: AbortSignal.timeout(60_000),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { isDone: response.ok, answer: await response.json().catch(() => null) };
  }

  /** Every row of a list, page by page. */
  async rows<T>(path: string, field: string, row: z.ZodType<T>): Promise<T[]> {
    const rows: T[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const at = `${path}&limit=100${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
      const { isDone, answer } = await this.#ask(at);
      if (!isDone) throw new Error(`${path}: ${detailOf(answer)}`);
      const page = z.object({ [field]: z.array(row), next_cursor: z.string().nullable() }).parse(answer);
      rows.push(...(page[field] as T[]));
      cursor = page.next_cursor as string | null;
    }
    return rows;
  }

  /** Acts on a payout; gives why not, or null when it is done. */
  async act(payout: Payout, action: 'hold' | 'settle', more: object = {}): Promise<string | null> {
    const body = { reason: 'found on the ledger after a restore', ...more };
    const { isDone, answer } = await this.#ask(`admin/payouts/${payout.id}/${action}`, body);
    return isDone ? null : detailOf(answer);
  }
}

const detailOf = (answer: unknown): string => problem.safeParse(answer).data?.detail ?? 'it did not answer as expected';

type Token = z.output<typeof token>;

/** To whom, under which tag, and how much: the same text for a payout and for the payment that paid it. */
const keyOf = (to: string, tag: number | null | undefined, amount: string): string =>
  `${to} ${tag ?? 'no tag'} ${amount}`;

/** The same of a lock: an escrow of the account to itself. */
const keyOfLock = (account: string, untilMs: number, amount: string): string =>
  keyOf(account, null, `${amount} locked until ${new Date(untilMs).toISOString()}`);

const units = (text: string, decimals: number): bigint => parseDecimal(text, decimals) ?? -1n;

function keyOfPayout(payout: Payout, of?: Token): string {
  const { destination, destination_tag: tag, amount_xrp: xrp, tokens, locked_until: until } = payout;
  if (tokens === null) return keyOf(destination, tag, `${units(xrp ?? '', XRP_DECIMALS)} drops`);
  const scaled = units(tokens, WIRE_TOKEN_DECIMALS);
  const amount =
    of?.kind === 'mpt' ? `${scaled / 10n ** BigInt(WIRE_TOKEN_DECIMALS - of.decimals)} MPT` : `${scaled} tokens`;
  return until === null ? keyOf(destination, tag, amount) : keyOfLock(destination, Date.parse(until), amount);
}

function amountOf(delivered: Amount | MPTAmount | 'unavailable'): string {
  if (typeof delivered === 'string') return `${delivered} drops`;
  if ('mpt_issuance_id' in delivered) return `${delivered.value} MPT`;
  const scaled = parseDecimal(delivered.value, WIRE_TOKEN_DECIMALS);
  return scaled === null ? 'an amount that no payout has' : `${scaled} tokens`;
}

interface Payment {
  hash: string;
  key: string;
}

/** The successful payments that an account has sent since a ledger, and what it has locked, the oldest first. */
async function* sentBy(client: Client, account: string, fromLedger: number): AsyncGenerator<Payment> {
  let marker: unknown;
  do {
    const { result } = await client.request({
      command: 'account_tx',
      account,
      ledger_index_min: fromLedger,
      ledger_index_max: -1,
      forward: true,
      limit: 200,
      ...(marker === undefined ? {} : { marker }),
    });
    if (result.ledger_index_min > fromLedger) {
      throw new Error(
        `the ledger server holds no ledgers before ${result.ledger_index_min}: use one with full history`,
      );
    }
    for (const { tx_json: tx, hash = '', meta, validated } of result.transactions) {
      if (!validated || tx?.Account !== account) continue;
      if (typeof meta !== 'object' || meta.TransactionResult !== 'tesSUCCESS') continue;
      if (tx.TransactionType === 'EscrowCreate' && tx.Destination === account && tx.FinishAfter !== undefined) {
        yield { hash, key: keyOfLock(account, rippleSecondsToMs(tx.FinishAfter), amountOf(tx.Amount)) };
      }
      if (tx.TransactionType !== 'Payment') continue;
      const delivered = amountOf((meta.delivered_amount ?? 'unavailable') as Amount);
      yield { hash, key: keyOf(tx.Destination, tx.DestinationTag, delivered) };
    }
    marker = result.marker;
  } while (marker !== undefined);
}

/** Holds a payout that a payment may have paid and settles it with that; gives the payout, or null when none fits. */
async function settle(platform: Platform, { hash }: Payment, candidates: readonly Payout[], { out }: CommandOutput) {
  for (const payout of candidates) {
    if (payout.status !== 'held' && (await platform.act(payout, 'hold')) !== null) continue;
    payout.status = 'held';
    const refusal = await platform.act(payout, 'settle', { transaction_hash: hash });
    if (refusal === null) return payout;
    out(`${payout.id}: ${refusal}`);
  }
  return null;
}

interface Counts {
  matched: number;
  unexplained: number;
  onTheirWay: number;
}

/** Matches what one account has paid with what the platform owes from it. */
async function matchAccount(
  { platform, client, tokens, say }: Matching,
  account: string,
  { fromLedger, dryRun }: MatchOptions,
): Promise<Counts> {
  const rows = await platform.rows(`admin/payouts?status=all&account=${account}`, 'payouts', payoutRow);
  const attempts = rows.flatMap((row) =>
    row.attempts.filter(({ status }) => status === 'open' || status === 'validated'),
  );
  const known = new Set([...rows, ...attempts].map((row) => row.transaction_hash));
  // An unlock settles itself: the platform sees that its escrow is gone.
  const open = rows.filter(
    ({ kind, status }) => kind !== 'unlock' && !['validated', 'cancelled', 'submitted'].includes(status),
  );
  const owed = Map.groupBy(open, (row) => keyOfPayout(row, tokens.get(row.project_id ?? '')));
  const counts = { matched: 0, unexplained: 0, onTheirWay: rows.filter(({ status }) => status === 'submitted').length };
  for await (const payment of sentBy(client, account, fromLedger)) {
    if (known.has(payment.hash)) continue;
    const candidates = owed.get(payment.key) ?? [];
    const paid = dryRun ? (candidates[0] ?? null) : await settle(platform, payment, candidates, say);
    if (paid === null) {
      counts.unexplained += 1;
      say.out(`unexplained: ${account} paid ${payment.key} with ${payment.hash}`);
    } else {
      counts.matched += 1;
      candidates.splice(candidates.indexOf(paid), 1);
      say.out(`${paid.id}: ${dryRun ? 'would be settled' : 'settled'} with ${payment.hash}`);
    }
  }
  return counts;
}

interface Matching {
  platform: Platform;
  client: Client;
  /** By sale. */
  tokens: ReadonlyMap<string, Token>;
  say: CommandOutput;
}

const lacking = (name: string): Error => new Error(`${name} is not set`);

/**
 * After a restore: finds for each payment that the paying accounts have sent since the backup the payout that it paid, holds
 * it and settles it with that transaction (docs/operations.md#restoring-a-backup). The platform checks each on the ledger.
 * Gives the exit code: 0 when nothing is unexplained or on its way, 1 otherwise, 2 when it could not look. Never throws.
 */
export async function matchPayouts(
  options: MatchOptions,
  settings: Readonly<Record<string, string | undefined>>,
  say: CommandOutput,
): Promise<number> {
  const { Client } = await import('xrpl');
  const client = new Client(options.ledger);
  try {
    const { ADMIN_TOKEN, KV_REST_API_URL, KV_REST_API_TOKEN } = settings;
    if (ADMIN_TOKEN === undefined) throw lacking('ADMIN_TOKEN (of an operator)');
    const platform = new Platform(options.baseUrl, ADMIN_TOKEN);
    const sales = await platform.rows('projects?', 'projects', saleRow);
    const deposits = await platform.rows('admin/accounts?', 'accounts', accountRow);
    const accounts = new Set([
      ...sales.flatMap(({ deposit_address: deposit, distributor }) => [deposit, distributor]),
      ...deposits.map(({ address }) => address),
      ...options.accounts,
    ]);
    if (!options.withoutRedis) {
      if (KV_REST_API_URL === undefined) throw lacking('KV_REST_API_URL');
      if (KV_REST_API_TOKEN === undefined) throw lacking('KV_REST_API_TOKEN');
      const { Redis } = await import('@upstash/redis');
      const redis = new Redis({ url: KV_REST_API_URL, token: KV_REST_API_TOKEN });
      // `signed:<account>`, `settled:<account>`; all accounts are of one network.
      const fields = deposits[0] === undefined ? [] : await redis.hkeys(guardKey(deposits[0].network_id));
      for (const field of fields) accounts.add(field.split(':')[1] ?? '');
    }
    await client.connect();
    const tokens = new Map(sales.map((sale) => [sale.id, sale.token]));
    const all: Counts = { matched: 0, unexplained: 0, onTheirWay: 0 };
    for (const account of accounts) {
      const counts = await matchAccount({ platform, client, tokens, say }, account, options);
      for (const what of ['matched', 'unexplained', 'onTheirWay'] as const) all[what] += counts[what];
    }
    say.out(`${all.matched} matched, ${all.unexplained} unexplained, ${all.onTheirWay} on their way`);
    return all.unexplained + all.onTheirWay === 0 ? 0 : 1;
  } catch (error) {
    say.err(`Not all was matched: ${error instanceof Error ? error.message : String(error)}. Run it again.`);
    return 2;
  } finally {
    if (client.isConnected()) await client.disconnect();
  }
}
