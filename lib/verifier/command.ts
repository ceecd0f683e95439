import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { PlatformError } from '#lib/base/errors.ts';
import { openLedger } from '#lib/xrpl/ledger.ts';
import { httpSource } from './http-source.ts';
import { keepProgress, readProgress } from './kept-progress.ts';
import { patientLedger } from './patient-ledger.ts';
import type { Progress } from './progress.ts';
import { reportOf, type VerificationReport } from './report.ts';
import { reportText } from './report-text.ts';
import { verifySale } from './verify-sale.ts';

/** What a user gives on the command line. */
export interface CommandOptions {
  'base-url'?: string | undefined;
  project?: string | undefined;
  /** One address, or several with commas, the preferred one first. */
  ledger?: string | undefined;
  'as-of'?: string | undefined;
  /** File that keeps the place; the same command goes on from it. */
  state?: string | undefined;
  json?: boolean | undefined;
}

interface Voice {
  out: (text: string) => void;
  err: (text: string) => void;
}

export const USAGE = `Verifies a sale from the public ledger and what its platform publishes. It needs no secret.

npm run verify-sale -- --base-url <url> --project <proj_…> --ledger <ws url>[,<ws url>…] [--as-of <ledger>] [--json] [--state <file>]

  --base-url  the platform
  --project   the sale
  --ledger    XRP Ledger servers, the preferred one first
  --as-of     last ledger looked at; the last one that the platform has confirmed when left out
  --json      the report as JSON on standard output; how far it is goes to standard error
  --state     file that keeps the place: the same command goes on from there

Exit code 0: everything agrees; 1: something differs, and what; 2: something could not be checked, and what.`;
const EXIT: Record<VerificationReport['verdict'], number> = { agrees: 0, differs: 1, unchecked: 2 };
export const NOT_CHECKED = 2;

/** Verifies a sale from anywhere: 0 agrees, 1 differs, 2 could not be checked. Never throws. */
export async function runCommand(options: CommandOptions, say: Voice): Promise<number> {
  const { 'base-url': baseUrl, project: projectId, ledger: ledgerUrls, 'as-of': asOfText, state } = options;
  if (baseUrl === undefined || projectId === undefined || ledgerUrls === undefined) {
    say.err(USAGE);
    return NOT_CHECKED;
  }
  const asOf = asOfText === undefined ? null : Number(asOfText);
  if (asOf !== null && !(Number.isSafeInteger(asOf) && asOf > 0)) {
    say.err('--as-of must be a ledger index');
    return NOT_CHECKED;
  }
  const source = httpSource(baseUrl);
  let close = async (): Promise<void> => undefined;
  try {
    const { network_id: networkId } = await source.depositAccount(projectId);
    const ledger = openLedger({ urls: ledgerUrls.split(','), networkId });
    close = ledger.close;
    const kept = state === undefined ? null : readState(state, projectId);
    const { progress, inputs } = await verifySale({
      source,
      ledger: patientLedger(ledger),
      projectId,
      asOf,
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
    say.out(options.json === true ? JSON.stringify(report, null, 2) : reportText(report));
    if (state !== undefined) rmSync(state, { force: true });
    return EXIT[report.verdict];
  } catch (error) {
    const detail = error instanceof PlatformError || error instanceof Error ? error.message : String(error);
    say.err(`The sale could not be checked: ${detail}${state === undefined ? '' : '. Run the same command to go on'}`);
    return NOT_CHECKED;
  } finally {
    await close();
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
  writeFileSync(`${file}.new`, keepProgress(projectId, progress));
  renameSync(`${file}.new`, file);
}
