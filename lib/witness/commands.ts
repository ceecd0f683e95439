import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { formatDrops, formatPrice } from '@tranche/rules/amounts.ts';
import { type CredentialRequirement, credentialTypeText } from '@tranche/rules/credentials.ts';
import { custodyFaults } from '@tranche/rules/custody.ts';
import { sha256Hex } from '@tranche/rules/sha256.ts';
import { REFUND_SOURCE_TAG } from '@tranche/rules/types.ts';
import { httpSource } from '@tranche/verifier/http-source.ts';
import { draftOf, type ParsedTerms, parseTerms } from '@tranche/verifier/terms.ts';
import { generateSeed } from 'ripple-keypairs';
import { audit } from './audit.ts';
import { type Config, type Key, parseConfig, readKey } from './config.ts';
import { untoldCredentials } from './credentials.ts';
import { Derivation } from './derive.ts';
import { isLaunched, unfinishedBefore, unknownBefore } from './earlier-period.ts';
import { readEnvironment } from './environment.ts';
import {
  KEY_FILE,
  LOG_FILE,
  readApprovals,
  readHalt,
  removeApproval,
  removeHalt,
  writeApproval,
  writeHalt,
} from './folder.ts';
import { readLog } from './log.ts';
import { openServers } from './read-ledger.ts';
import { startWitness } from './server.ts';
import { Witness } from './witness.ts';

/** Where a command writes, and how it asks its user; each gives the exit code. */
export interface Terminal {
  out: (text: string) => void;
  err: (text: string) => void;
  /** True when the user typed yes. */
  confirm: (question: string) => Promise<boolean>;
}

const DONE = 0;
const WRONG = 1;
const TELL_EVERY_MS = 1_000;

function readConfig(file: string): { config: Config; folder: string } {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw new Error(`${file} cannot be read: init makes it`, { cause });
  }
  try {
    return { config: parseConfig(JSON.parse(text)), folder: path.dirname(path.resolve(file)) };
  } catch (cause) {
    throw new Error(`${file}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** The key from WITNESS_KEY, or from the file beside the configuration, which nobody else may read. */
export function findKey(folder: string): Key {
  const { key } = readEnvironment();
  if (key !== null) return readKey(key);
  const file = path.join(folder, KEY_FILE);
  if (!existsSync(file)) throw new Error(`Neither WITNESS_KEY nor ${file} is there`);
  if ((statSync(file).mode & 0o077) !== 0) throw new Error(`${file} can be read by others: chmod 600 ${file}`);
  return readKey(readFileSync(file, 'utf8'));
}

export interface InitOptions {
  config: string;
  name: string;
  networkId: number;
  ledger: string[];
  lists: string[];
  host: string;
  port: number;
  oneServer: boolean;
}

/** Makes a key, a token and a configuration, and says what the platform's operator needs of them. */
export function init(options: InitOptions, { out, err }: Terminal): number {
  const folder = path.dirname(path.resolve(options.config));
  const keyFile = path.join(folder, KEY_FILE);
  for (const file of [options.config, keyFile]) {
    if (!existsSync(file)) continue;
    err(`${file} is there already: nothing was changed`);
    return WRONG;
  }
  const token = randomBytes(32).toString('base64url');
  const settings = {
    name: options.name,
    network_id: options.networkId,
    ledger: options.ledger,
    ...(options.oneServer ? { one_server: true } : {}),
    lists: options.lists,
    tokens_sha256: [createHash('sha256').update(token).digest('hex')],
    listen: { host: options.host, port: options.port },
  };
  parseConfig(settings);
  const seed = generateSeed({ algorithm: 'ed25519' });
  mkdirSync(folder, { recursive: true });
  writeFileSync(keyFile, `${seed}\n`, { mode: 0o600 });
  chmodSync(keyFile, 0o600);
  writeFileSync(options.config, `${JSON.stringify(settings, null, 2)}\n`);
  const { address } = readKey(seed);
  err(`Wrote ${options.config} and ${keyFile}. Keep a copy of the key where nobody of the platform can read it.`);
  err('For the signer list and the terms, give the platform this address:');
  out(address);
  err(
    'For its setting WITNESSES, give it this line over a safe way, with your address in place of <url>. It is shown once:',
  );
  out(`${address}=<url>#${token}`);
  return DONE;
}

export interface ApproveOptions {
  config: string;
  project: string;
  termsHash: string;
  baseUrl?: string;
  termsFile?: string;
  yes: boolean;
  /** Its operator has verified the account's sales of before, which it has no approval of. */
  earlierVerified?: boolean;
}

/** Shows the terms of a sale in words, checks them, and writes the approval that its launch needs. */
export async function approve(options: ApproveOptions, { out, err, confirm }: Terminal): Promise<number> {
  const { config, folder } = readConfig(options.config);
  const { address } = findKey(folder);
  const canonical = await readTerms(options);
  const hash = sha256Hex(canonical);
  if (hash !== options.termsHash) {
    err(`The terms that were read have the hash ${hash}, and not ${options.termsHash}. Nothing was approved.`);
    return WRONG;
  }
  const terms = parseTerms(options.project, { canonical, sha256: hash, anchor: null });
  out(termsText(terms));
  const { approvals, unreadable } = readApprovals(folder);
  const approved = approvals.map((each) => each.terms);
  const faults = approvalFaults(terms, address, approved);
  const { deposit_address: deposit } = terms.terms;
  for (const { file, accounts } of unreadable) {
    // What it has approved of the account is not known then, so neither what is owed.
    const mayBeOfAccount = accounts.length === 0 || accounts.includes(deposit);
    if (mayBeOfAccount && file !== `${options.project}.json`)
      faults.push(`restore the approval ${file} first, or revoke it`);
  }
  if (faults.length === 0) faults.push(...(await untoldBy(config, terms)));
  if (faults.length === 0) faults.push(...(await unfinishedBefore(terms, approved, { config, folder })));
  if (faults.length === 0 && options.earlierVerified !== true) {
    const unknown = await unknownBefore(terms, approved, config);
    faults.push(
      ...unknown.map(
        (one) => `${one}: verify that the sales before agree and owe nothing, then say --earlier-verified`,
      ),
    );
  }
  for (const { refused } of unreadable) err(`An approval counts for nothing: ${refused.detail}`);
  for (const fault of faults) err(`Not to be approved: ${fault}`);
  if (faults.length > 0) return WRONG;
  const others = approved.filter(({ projectId }) => projectId !== options.project);
  const { stopped } = new Derivation([...others, terms]);
  for (const [account, { detail }] of stopped) err(`With it nothing is signed for ${account} any more: ${detail}.`);
  const before = approvals.find((each) => each.terms.projectId === options.project);
  if (before !== undefined && before.terms.hash !== hash) {
    err(
      `This replaces the approval of the terms ${before.terms.hash}. If they were launched, nothing is signed any more.`,
    );
  }
  if (!options.yes && !(await confirm('Approve the launch of this sale, within 30 days?'))) {
    err('Nothing was approved.');
    return WRONG;
  }
  const approvedAt = new Date().toISOString();
  const file = writeApproval(folder, {
    project: options.project,
    terms_hash: hash,
    approved_at: approvedAt,
    canonical,
  });
  err(`Wrote ${file}. A running witness sees it within seconds, and reads the accounts' histories anew.`);
  return DONE;
}

/** Why its servers do not tell the credentials that the tiers require. */
async function untoldBy(config: Config, terms: ParsedTerms): Promise<string[]> {
  const servers = openServers(config.ledger, config.network_id);
  try {
    return await untoldCredentials(terms, servers);
  } finally {
    for (const { ledger } of servers) ledger.close();
  }
}

async function readTerms({ project, baseUrl, termsFile }: ApproveOptions): Promise<string> {
  if (termsFile !== undefined) return readFileSync(termsFile, 'utf8').replace(/\n$/, '');
  if (baseUrl === undefined) throw new Error('Name the platform (--base-url) or a file with the terms (--terms-file)');
  return (await httpSource(baseUrl).terms(project)).canonical;
}

/** Why these terms must not be approved. */
function approvalFaults({ projectId, terms }: ParsedTerms, key: string, approved: readonly ParsedTerms[]): string[] {
  const { custody } = terms;
  const faults: string[] = [];
  if (terms.project !== projectId) faults.push(`they are of ${terms.project}`);
  if (custody === undefined) return [...faults, 'they name no witnesses'];
  if (!custody.witnesses.some(({ account }) => account === key)) faults.push(`they do not name the key ${key}`);
  for (const fault of custodyFaults(custody)) faults.push(`their signer set ${fault}`);
  if (terms.destination_tag === REFUND_SOURCE_TAG) faults.push('their destination tag is that of refunds');
  if (terms.ends_at !== null && terms.ends_at < Date.now()) faults.push('the sale has ended');
  for (const other of approved) {
    if (other.projectId === projectId || other.terms.deposit_address !== terms.deposit_address) continue;
    if (other.terms.destination_tag === terms.destination_tag) faults.push(`${other.projectId} has the same tag`);
    const isSamePeriod = other.terms.custody?.from_ledger === custody.from_ledger;
    if (isSamePeriod && JSON.stringify(other.terms.custody) !== JSON.stringify(custody)) {
      faults.push(`${other.projectId} of the same account has another custody`);
    }
  }
  return faults;
}

const credentialText = ({ credential_type: type, issuers }: CredentialRequirement): string =>
  `the credential ${type} (${credentialTypeText(type) ?? 'no plain text'}) of ${issuers.join(' or ')}`;

const date = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/** What a person has to look at before a launch. */
export function termsText(target: ParsedTerms): string {
  const { terms, shown, hash, projectId } = target;
  const { token, custody, vesting } = terms;
  const tokenText = token.kind === 'mpt' ? `MPT ${token.issuance_id}` : `${token.currency} of ${token.issuer}`;
  const tiers = terms.tiers.flatMap((tier) => [
    `  tier ${tier.tier}: ${tier.total_tokens} tokens at ${formatPrice(tier.price_per_token)} XRP, ${tier.access}, from ${date(tier.starts_at) ?? 'the launch'}`,
    ...(tier.credential === undefined ? [] : [`    to holders of ${credentialText(tier.credential)}`]),
  ]);
  const parts =
    vesting.periods === 0
      ? 'all at once'
      : `${vesting.immediate_bps / 100} % at once, the rest in ${vesting.periods} parts, each ${vesting.period_days} days, after ${vesting.cliff_days} days`;
  const witnesses = (custody?.witnesses ?? []).map(
    ({ name, operator, account, weight }) => `  ${weight}  ${account}  ${name}, run by ${operator}`,
  );
  return [
    `${String(shown.name ?? projectId)} (${projectId})`,
    `Terms             ${hash}`,
    `Token             ${tokenText}, ${token.decimals} decimals`,
    `Distributor       ${terms.distributor}`,
    `Deposit account   ${terms.deposit_address}, tag ${terms.destination_tag}`,
    `Treasury          ${terms.treasury ?? 'none: nothing can be released'}`,
    `Operating         ${terms.operating_accounts.join(', ') || 'none'}`,
    'Sold',
    ...tiers,
    `  in all ${formatDrops(draftOf(target).fullRaiseDrops)} XRP when everything is sold`,
    `Access            ${terms.access}`,
    `Sold from         ${date(terms.starts_at) ?? 'its launch'} until ${date(terms.ends_at) ?? 'it is sold out or ended'}`,
    `Soft cap          ${terms.soft_cap_xrp === null ? 'none' : `${formatDrops(terms.soft_cap_xrp)} XRP`}`,
    `Tokens are sent   ${terms.distribution === 'immediate' ? 'as they are bought' : 'after the end'}, ${parts}`,
    `Quorum            ${custody?.quorum ?? 'none'}, of`,
    `  ${custody?.platform.weight ?? 0}  ${custody?.platform.account ?? ''}  the platform`,
    ...witnesses,
    `Accounts watched  from ledger ${custody?.from_ledger ?? 0}`,
  ].join('\n');
}

/**
 * Withdraws an approval: a launch is not signed any more; if it was launched already, nothing is, and its operator is asked
 * first.
 */
export async function revoke(
  { config: file, project, yes }: { config: string; project: string; yes: boolean },
  { err, confirm }: Terminal,
): Promise<number> {
  const { config, folder } = readConfig(file);
  const approved = readApprovals(folder).approvals.find(({ terms }) => terms.projectId === project)?.terms;
  const launched = approved === undefined ? false : await isLaunched(approved, config);
  if (launched !== false && approved !== undefined) {
    const { deposit_address: deposit, distributor } = approved.terms;
    err(launched ? `${project} was launched.` : `Whether ${project} was launched cannot be read from the ledger.`);
    err(`Once a launched sale is revoked, this witness signs nothing for ${deposit} and ${distributor} any more.`);
    if (!yes && !(await confirm('Revoke it all the same?'))) {
      err('Nothing was revoked.');
      return WRONG;
    }
  }
  const removed = removeApproval(folder, project);
  err(removed ? `The approval of ${project} is withdrawn.` : `${project} is not approved.`);
  return removed ? DONE : WRONG;
}

/** Runs a witness until a signal ends it. */
export async function run({ config: file }: { config: string }, { err }: Terminal): Promise<number> {
  const { config, folder } = readConfig(file);
  const running = await startWitness({ folder, key: findKey(folder), settings: config });
  err(`${config.name} (${running.key}) answers at ${running.url}`);
  const telling = setInterval(tellFaults(running.witness, err), TELL_EVERY_MS);
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  clearInterval(telling);
  await running.stop();
  return DONE;
}

/** Says why nothing is signed, for all or for an account, once for each change. */
function tellFaults(witness: Witness, err: Terminal['err']): () => void {
  let told = '';
  return () => {
    const { accounts } = witness.status();
    const fault = witness.fault();
    const reasons =
      fault === null
        ? accounts.flatMap(({ account, refuses }) =>
            refuses === null ? [] : [`For ${account}: ${refuses.reason}: ${refuses.detail}`],
          )
        : [`${fault.reason}: ${fault.detail}`];
    const well = accounts.length === 0 ? 'No sale is approved: nothing is signed' : 'Signs what is owed';
    const text = reasons.join('\n') || well;
    if (text === told) return;
    told = text;
    err(`${new Date().toISOString()} ${text}`);
  };
}

export interface StatusOptions {
  config: string;
  json: boolean;
}

/** What a running witness says of itself; with its token all of it. */
export async function status({ config: file, json }: StatusOptions, { out, err }: Terminal): Promise<number> {
  const { config, folder } = readConfig(file);
  const { token } = readEnvironment();
  const base = `http://${config.listen.host}:${config.listen.port}`;
  const halt = readHalt(folder);
  const headers = token === null ? {} : { authorization: `Bearer ${token}` };
  const url = `${base}${token === null ? '/health' : '/v1/status'}`;
  let response: Response;
  try {
    response = await fetch(url, { headers, signal: AbortSignal.timeout(10_000) });
  } catch {
    err(`Nothing answers at ${base}${halt === null ? '' : `; it is halted since ${halt.since}: ${halt.reason}`}`);
    return WRONG;
  }
  const body: unknown = await response.json();
  if (!response.ok) {
    err(`${base} answers ${response.status}`);
    return WRONG;
  }
  out(json ? JSON.stringify(body) : JSON.stringify(body, null, 2));
  const isWell = token === null ? (body as { status: string }).status === 'ok' : halt === null;
  return isWell ? DONE : WRONG;
}

/** Compares the log with the ledger. */
export async function auditLog({ config: file }: { config: string }, { out, err }: Terminal): Promise<number> {
  const { config, folder } = readConfig(file);
  const logFile = path.join(folder, LOG_FILE);
  if (!existsSync(logFile)) {
    err(`${logFile} is not there: the witness has never run with this folder, or keeps its log elsewhere`);
    return WRONG;
  }
  const lines = readLog(logFile);
  // It reads like the running witness, and writes nothing into its log.
  const reader = new Witness({ ...config, log: 'none' }, findKey(folder), folder);
  try {
    do await reader.readOn();
    while (reader.isCatchingUp);
    const { status: state } = reader.health();
    if (state !== 'ok' && state !== 'halted') {
      err(`The ledger could not be read: ${reader.fault()?.detail ?? state}`);
      return 2;
    }
    const { faults, ...counts } = audit(lines, reader.derivation);
    const earlier = counts.earlier === 0 ? '' : ` ${counts.earlier} of an earlier custody period are not compared.`;
    out(
      `${lines.length} lines, unbroken. Signed ${counts.signed}: ${counts.validated} validated, ${counts.open} open, ${counts.dead} can no longer be validated. Refused ${counts.refused}.${earlier}`,
    );
    for (const fault of faults) out(fault);
    return faults.length === 0 ? DONE : WRONG;
  } finally {
    await reader.stop();
  }
}

/** Stops signing at once; survives restarts. */
export function halt({ config, reason }: { config: string; reason: string }, { err }: Terminal): number {
  const { folder } = readConfig(config);
  writeHalt(folder, { since: new Date().toISOString(), reason });
  err('The witness signs nothing from now on, until you run the command `resume`.');
  return DONE;
}

export function resume({ config }: { config: string }, { err }: Terminal): number {
  const { folder } = readConfig(config);
  if (readHalt(folder) === null) {
    err('The witness is not halted.');
    return WRONG;
  }
  removeHalt(folder);
  err('The witness signs again.');
  return DONE;
}
