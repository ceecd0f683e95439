#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { runVerification } from './command.ts';

const USAGE = `Verifies a token sale from the public XRP Ledger and what its platform publishes. It needs no secret.

  tranche-verify --base-url <url> --project <id> --ledger <urls> [--as-of <ledger>] [--state <file>] [--json]

  --base-url <url>    the platform
  --project <id>      the sale (proj_…)
  --ledger <urls>     XRP Ledger servers (wss://…), comma separated, the preferred one first
  --as-of <ledger>    last ledger looked at; the last that the platform has confirmed when left out
  --state <file>      file that keeps how far it is: the same command goes on from there
  --json              write the report as JSON; how far it is goes to standard error

Exit code 0: everything agrees. 1: something differs, and what. 2: something could not be checked, and what.`;

/** The options; null when they are not those above. */
function readOptions() {
  const string = { type: 'string' } as const;
  try {
    const { values } = parseArgs({
      options: {
        'base-url': string,
        project: string,
        ledger: string,
        'as-of': string,
        state: string,
        json: { type: 'boolean', default: false },
      },
    });
    const { 'base-url': baseUrl, project, ledger, 'as-of': asOf, state, json } = values;
    if (baseUrl === undefined || project === undefined || ledger === undefined) return null;
    if (asOf !== undefined && !/^\d{1,10}$/.test(asOf)) return null;
    return {
      baseUrl,
      project,
      ledger: ledger.split(','),
      json,
      ...(asOf === undefined ? {} : { asOf: Number(asOf) }),
      ...(state === undefined ? {} : { state }),
    };
  } catch {
    return null;
  }
}

const out = (text: string) => void process.stdout.write(`${text}\n`);
const err = (text: string) => void process.stderr.write(`${text}\n`);

const options = readOptions();
if (options === null) {
  err(USAGE);
  process.exitCode = 2;
} else {
  process.exitCode = await runVerification(options, { out, err });
}
