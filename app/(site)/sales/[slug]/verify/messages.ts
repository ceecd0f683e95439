import type { VerificationReport } from '@tranche/verifier/report.ts';

/** What the worker is asked for: one verification, which ends with the worker. */
export interface VerifyRequest {
  baseUrl: string;
  projectId: string;
  /** WebSocket addresses of ledger servers, the preferred one first. */
  servers: readonly string[];
}

/** How far it is; ledgers of the deposit account. */
export interface VerifyProgress {
  kind: 'progress';
  fromLedger: number;
  ledger: number;
  throughLedger: number;
  payments: number;
  payoutsFound: number;
  differences: number;
}

/** What it found, with the sums that it recomputed: decimal XRP and tokens. */
export interface VerifyResult {
  kind: 'result';
  report: VerificationReport;
  raisedXrp: string;
  soldTokens: string;
}

export type VerifyMessage = VerifyProgress | VerifyResult | { kind: 'fault'; text: string };
