import type { Outage } from './faults.ts';

/** What a campaign did, and everything that was wrong at its end. */
export interface Report {
  violations: string[];
  kills: Map<string, number>;
  /** Processes that hung until their claims had run out. */
  stops: number;
  outages: Map<Outage, number>;
}
