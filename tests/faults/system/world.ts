import type { Run } from '#tests/faults/campaign.ts';
import type { Draw } from '#tests/faults/draw.ts';
import type { Ledgers } from '#tests/faults/ledgers.ts';
import type { Platform, Subscribed } from '#tests/faults/platform.ts';
import type { Weather } from '#tests/faults/weather.ts';
import type { Witnesses } from '#tests/faults/witnesses.ts';
import type { Environment } from './ground.ts';
import type { Operator } from './operator.ts';
import type { Sale } from './sales.ts';

export interface Flags {
  seeds: number;
  seconds: number;
  witnesses?: number;
}

/** Who co-signs what the first deposit account and the distributor send, and what happens to them. */
export interface Witnessed {
  witnesses: Witnesses;
  weather: Weather;
  draw: Draw;
}

/** Everything real but the time and the network outside: what one seed is played with. */
export interface World {
  run: Run<Flags>;
  platform: Platform;
  ledgers: Ledgers;
  ground: Environment;
  sales: readonly [Sale, ...Sale[]];
  operators: readonly Operator[];
  webhooks: readonly Subscribed[];
  /** The ledger before the first payment. */
  startLedger: number;
  draws: { strikes: Draw; crowd: Draw; faults: Draw };
  weather: Weather;
  /** Null where one key signs. */
  witnessed: Witnessed | null;
}
