import type { Ledger, ServerState } from '#lib/xrpl/types.ts';
import { type CheckResult, check } from './check.ts';
import type { SystemStatus } from './contracts.ts';

type LedgerServer = SystemStatus['ledger']['servers'][number];

/** What a single server may take; a second one that hangs must not hold the whole answer up. */
const SERVER_TIMEOUT_MS = 2_500;

/** Hash of a validated ledger on one server; null when it does not show that ledger. */
async function hashAt(ledger: Ledger, state: ServerState | null, ledgerIndex: number): Promise<string | null> {
  if (state === null) return null;
  if (state.validatedIndex === ledgerIndex) return state.validatedHash;
  const { value } = await check(SERVER_TIMEOUT_MS, () => ledger.head(ledgerIndex));
  return value?.hash ?? null;
}

/**
 * How several servers stand to each other: how far each is behind the newest ledger that any of them shows, and whether it
 * has the same chain as the first one that answers, compared at the newest ledger that all of them have. Nothing for a
 * single server, which has nothing to be compared with. Never throws.
 */
export async function compareServers(ledgers: readonly Ledger[]): Promise<LedgerServer[]> {
  if (ledgers.length < 2) return [];
  const states = await Promise.all(ledgers.map((ledger) => check(SERVER_TIMEOUT_MS, () => ledger.serverState())));
  const indexes = states.flatMap(({ value }) => value?.validatedIndex ?? []);
  const newest = Math.max(...indexes);
  const common = Math.min(...indexes);
  const hashes = await Promise.all(
    ledgers.map((ledger, place) => hashAt(ledger, states[place]?.value ?? null, common)),
  );
  const known = hashes.filter((hash) => hash !== null);
  return states.map((state, place) => toServer(state, place, newest, agreement(hashes[place] ?? null, known)));
}

const agreement = (hash: string | null, known: readonly string[]): boolean | null =>
  hash === null || known.length < 2 ? null : hash === known[0];

function toServer(
  { status, latencyMs, value }: CheckResult<ServerState>,
  place: number,
  newest: number,
  agrees: boolean | null,
): LedgerServer {
  return {
    server: place + 1,
    status,
    latency_ms: latencyMs,
    validated_index: value?.validatedIndex ?? null,
    behind: value === null ? null : newest - value.validatedIndex,
    agrees,
  };
}
