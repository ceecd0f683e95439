import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { httpSource } from './http-source.ts';
import { openLedger } from './ledger-client.ts';
import { encodeProgress, type Progress, readProgress } from './progress.ts';
import { reportOf, reportText, type VerificationReport } from './report.ts';
import { verifySale } from './verify-sale.ts';

/** What a user gives on the command line. */
export interface VerificationOptions {
  baseUrl: string;
  project: string;
  /** Addresses of servers, the preferred one first. */
  ledger: string[];
  asOf?: number;
  /** File that keeps how far it is; the same command goes on from it. */
  state?: string;
  json?: boolean;
}

interface CommandOutput {
  out: (text: string) => void;
  err: (text: string) => void;
}

const EXIT: Record<VerificationReport['verdict'], number> = { agrees: 0, differs: 1, unchecked: 2 };
const NOT_CHECKED = 2;

/** Verifies a sale from anywhere: 0 agrees, 1 differs, 2 could not be checked. Never throws. */
export async function runVerification(
  { baseUrl, project: projectId, ledger: urls, asOf, state, json }: VerificationOptions,
  say: CommandOutput,
): Promise<number> {
  const source = httpSource(baseUrl);
  let close = (): void => undefined;
  try {
    const { network_id: networkId } = await source.depositAccount(projectId);
    const ledger = openLedger({ urls, networkId });
    close = ledger.close;
    const kept = state === undefined ? null : readState(state, projectId);
    const { progress, inputs } = await verifySale({
      source,
      ledger,
      projectId,
      asOf: asOf ?? null,
      progress: kept,
      pageDone: async (reached) => {
        if (state !== undefined) writeState(state, projectId, reached);
        const { counts, differencesTotal } = reached.findings;
        say.err(
          `${reached.phase}: ledger ${reached.deposit.afterLedger} of ${reached.through}, ${counts.payments} payments, ${counts.payouts_validated} payouts found, ${differencesTotal} differences`,
        );
        return true;
      },
    });
    const report = reportOf(progress, inputs);
    say.out(json === true ? JSON.stringify(report, null, 2) : reportText(report));
    if (state !== undefined) rmSync(state, { force: true });
    return EXIT[report.verdict];
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    say.err(`The sale could not be checked: ${detail}${state === undefined ? '' : '. Run the same command to go on'}`);
    return NOT_CHECKED;
  } finally {
    close();
  }
}

function readState(file: string, projectId: string): Progress | null {
  if (!existsSync(file)) return null;
  try {
    return readProgress(readFileSync(file, 'utf8'), projectId);
  } catch (cause) {
    throw new Error(`${file} cannot be gone on with: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}

/** Whole or not at all, so that a run that is killed leaves the page before. */
function writeState(file: string, projectId: string, progress: Progress): void {
  writeFileSync(`${file}.new`, encodeProgress(projectId, progress));
  renameSync(`${file}.new`, file);
}
