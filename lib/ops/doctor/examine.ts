import { type Env, envSchema } from '#lib/base/env.ts';
import { redactText } from '#lib/base/log.ts';
import { check as runWithin } from '#lib/ops/status/check.ts';
import { databaseCheck, jobsCheck } from './checks/database.ts';
import { baseUrlCheck, cronsCheck } from './checks/deployment.ts';
import { accountsCheck, ledgerCheck } from './checks/ledger.ts';
import { queueCheck, schedulesCheck } from './checks/queue.ts';
import { redisCheck } from './checks/redis.ts';
import { credentialsCheck, deploymentCheck, keysCheck, publicCredentialsCheck } from './checks/settings.ts';
import { witnessesCheck } from './checks/witnesses.ts';
import { type Check, type Finding, fault, reasonOf, type World, warning } from './finding.ts';

interface ReadSettings {
  /** The valid ones; defaults included. */
  values: Partial<Env>;
  findings: Finding[];
  /** Names of those that are missing or not valid. */
  faulty: ReadonlySet<string>;
}

/** Reads each setting by itself, so that one fault hides no other. An empty value counts as not set. Values are never quoted. */
function readSettings(source: Record<string, string | undefined>): ReadSettings {
  const findings: Finding[] = [];
  const faulty = new Set<string>();
  const values: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(envSchema().shape)) {
    const given = source[name] === '' ? undefined : source[name];
    const read = schema.safeParse(given);
    if (read.success) {
      values[name] = read.data;
      continue;
    }
    faulty.add(name);
    const found =
      given === undefined ? 'is not set' : [...new Set(read.error.issues.map(({ message }) => message))].join(', ');
    findings.push(fault(`setting ${name}`, found, `Set ${name}: ${schema.description}.`));
  }
  return { values, findings, faulty };
}

const SECRET_SETTINGS = [
  'KV_REST_API_TOKEN',
  'QSTASH_TOKEN',
  'QSTASH_CURRENT_SIGNING_KEY',
  'QSTASH_NEXT_SIGNING_KEY',
  'CRON_SECRET',
];
/** Shorter ones would blot out ordinary words. */
const SHORTEST = 6;

function passwordIn(url: string | undefined): string[] {
  if (url === undefined || !URL.canParse(url)) return [];
  const { password } = new URL(url);
  return [password, decodeURIComponent(password)];
}

/** Redacts in a text what these settings keep secret, and what looks like a secret. */
function concealer(source: Record<string, string | undefined>): (text: string) => string {
  const secrets = [
    ...SECRET_SETTINGS.map((name) => source[name] ?? ''),
    ...passwordIn(source.POSTGRES_URL),
    ...passwordIn(source.POSTGRES_URL_NON_POOLING),
    ...passwordIn(source.WEBHOOK_PROXY),
    ...(source.WITNESSES ?? '').split(',').map((entry) => entry.split('#').at(-1) ?? ''),
    ...(source.SIGNING_KEYS ?? '').split(',').map((entry) => entry.split(':').at(-1) ?? ''),
    ...(source.WEBHOOK_ENCRYPTION_KEYS ?? '').split(',').map((entry) => entry.split(':').at(-1) ?? ''),
  ].filter((secret) => secret.length >= SHORTEST);
  return (text) => redactText(secrets.reduce((shown, secret) => shown.replaceAll(secret, '[redacted]'), text));
}

const CHECKS: readonly Check[] = [
  credentialsCheck,
  keysCheck,
  publicCredentialsCheck,
  deploymentCheck,
  witnessesCheck,
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

const MARKS: Record<Finding['status'], string> = { ok: 'ok     ', warning: 'warning', fault: 'FAULT  ' };
const VERDICTS: Record<Finding['status'], string> = {
  ok: 'Everything is well.',
  warning: 'It works; the warnings say what could be better.',
  fault: 'Something is wrong: each fault says what to do.',
};

/** The diagnosis for people: a line a finding, with what to do beneath. */
export function reportText({ status, findings }: Diagnosis): string {
  const lines = findings.flatMap(({ status: mark, check, found, advice }) => [
    `${MARKS[mark]} ${check}: ${found}`,
    ...(advice === null ? [] : [`        ${advice}`]),
  ]);
  return [...lines, '', VERDICTS[status]].join('\n');
}
