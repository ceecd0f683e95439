import { check as runWithin } from '#lib/ops/status/check.ts';
import { accountsCheck } from './checks/accounts.ts';
import { baseUrlCheck } from './checks/base-url.ts';
import { credentialsCheck } from './checks/credentials.ts';
import { cronsCheck } from './checks/crons.ts';
import { databaseCheck } from './checks/database.ts';
import { deploymentCheck } from './checks/deployment.ts';
import { jobsCheck } from './checks/jobs.ts';
import { keysCheck } from './checks/keys.ts';
import { ledgerCheck } from './checks/ledger.ts';
import { publicCredentialsCheck } from './checks/public-credentials.ts';
import { queueCheck } from './checks/queue.ts';
import { redisCheck } from './checks/redis.ts';
import { schedulesCheck } from './checks/schedules.ts';
import { concealer } from './conceal.ts';
import { reasonOf } from './reason.ts';
import { type ReadSettings, readSettings } from './settings.ts';
import { type Check, type Finding, fault, type World, warning } from './types.ts';

const CHECKS: readonly Check[] = [
  credentialsCheck,
  keysCheck,
  publicCredentialsCheck,
  deploymentCheck,
  databaseCheck,
  redisCheck,
  queueCheck,
  schedulesCheck,
  ledgerCheck,
  accountsCheck,
  baseUrlCheck,
  cronsCheck,
  jobsCheck,
];

/** What was found, the settings first. */
export interface Diagnosis {
  /** The worst of all findings. */
  status: Finding['status'];
  findings: Finding[];
}

/**
 * Checks settings and every service that they name, all at the same time, each within a time of its own. Changes nothing,
 * never throws, and shows no secret.
 */
export async function examine(source: Record<string, string | undefined>, world: World): Promise<Diagnosis> {
  const settings = readSettings(source);
  const conceal = concealer(source);
  const results = await Promise.all(CHECKS.map((one) => runCheck(one, settings, world)));
  const findings = [...settings.findings, ...results.flat()].map((finding) => ({
    ...finding,
    found: conceal(finding.found),
    advice: finding.advice === null ? null : conceal(finding.advice),
  }));
  const has = (status: Finding['status']) => findings.some((finding) => finding.status === status);
  return { status: has('fault') ? 'fault' : has('warning') ? 'warning' : 'ok', findings };
}

async function runCheck(one: Check, { values, faulty }: ReadSettings, world: World): Promise<Finding[]> {
  const missing = one.needs.filter((name) => faulty.has(name));
  if (missing.length > 0) {
    return [warning(one.name, `not checked: ${missing.join(', ')}`, 'Correct these settings first.')];
  }
  const { value, failure } = await runWithin(one.timeoutMs, () => one.run(values, world));
  return (
    value ?? [
      fault(one.name, reasonOf(failure), 'Run the doctor again; when it stays, look at the service’s own status page.'),
    ]
  );
}
