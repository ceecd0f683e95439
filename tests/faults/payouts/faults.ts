import type { Faults } from '@tranche/sandbox-ledger/index.ts';
import type { Draw } from '#tests/faults/draw.ts';
import type { Servers } from './servers.ts';

/** What may be wrong with a server for one round. */
const KINDS = ['lost_before', 'lost_after', 'lag', 'history', 'load', 'dropped', 'switched'] as const;
export type FaultKind = (typeof KINDS)[number] | 'delayed';

const HISTORY_LEDGERS = 12;

function changes(kind: FaultKind, draw: Draw, newest: number): Partial<Faults> {
  switch (kind) {
    case 'lost_before':
      return { loseSubmits: draw.between(1, 12) };
    case 'lost_after':
      return { loseSubmitAnswers: draw.between(1, 3) };
    case 'lag':
      return { lagLedgers: draw.between(1, 30) };
    case 'history': {
      const from = Math.max(1, newest - draw.between(0, HISTORY_LEDGERS));
      return { missingLedgers: [{ from, to: from + draw.between(0, HISTORY_LEDGERS) }] };
    }
    case 'load':
      // The last one asks for more than the highest fee that is paid.
      return { loadFactor: draw.pick([3, 100, 100_000]) };
    default:
      return {};
  }
}

/** Ends the faults of the round before and puts up to two new ones in force. Returns which. */
export function strikeServers(servers: Servers, draw: Draw, newest: number): FaultKind[] {
  for (const server of servers.faulty) server.faults.clear();
  const struck: FaultKind[] = [];
  for (let drawn = draw.between(0, 2); drawn > 0; drawn--) {
    const kind = draw.pick(KINDS);
    const [first, second] = servers.faulty;
    const server = draw.chance(0.7) ? first : second;
    struck.push(kind);
    server.faults.set(changes(kind, draw, newest));
    if (kind === 'switched') servers.relay.switchTo(server.port);
    if (kind === 'dropped') servers.relay.drop();
  }
  return struck;
}

export function endFaults(servers: Servers): void {
  for (const server of servers.faulty) server.faults.clear();
}
