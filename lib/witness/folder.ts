import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type ParsedTerms, parseTerms } from '@tranche/verifier/terms.ts';
import * as z from 'zod';
import type { Refusal } from './protocol.ts';

// What a witness keeps in its folder beside its configuration: text that its operator can read.

export const KEY_FILE = 'witness.key';
const APPROVALS = 'approvals';
const HALT_FILE = 'halted.json';
export const LOG_FILE = 'witness.log.jsonl';
export const LISTS = 'lists';

const approval = z.strictObject({
  project: z.string().regex(/^proj_[0-9A-Za-z]{22}$/),
  terms_hash: z.string().regex(/^[0-9a-f]{64}$/),
  approved_at: z.string(),
  /** The text of the terms, whose hash the launch anchors. */
  canonical: z.string(),
});
export type Approval = z.output<typeof approval>;

/** A file is there whole or not at all. */
function writeWhole(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

export function writeApproval(folder: string, approved: Approval): string {
  const file = path.join(folder, APPROVALS, `${approval.parse(approved).project}.json`);
  writeWhole(file, `${JSON.stringify(approved, null, 2)}\n`);
  return file;
}

/** Which approvals there are, so that a running witness sees a new one. */
export function approvalsMark(folder: string): string {
  const files = approvalFiles(folder);
  return files.map((file) => `${file} ${statSync(file).mtimeMs} ${statSync(file).size}`).join('\n');
}

function approvalFiles(folder: string): string[] {
  const approvals = path.join(folder, APPROVALS);
  if (!existsSync(approvals)) return [];
  return readdirSync(approvals)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => path.join(approvals, name));
}

interface ReadApproval {
  terms: ParsedTerms;
  approvedAtMs: number;
}

/** An approval that counts for nothing, why, and the accounts that it names as far as that can be told. */
interface UnreadableApproval {
  file: string;
  refused: Refusal;
  accounts: string[];
}

/**
 * The approved sales, in the order of their approval. A file that is damaged or of unknown terms, and any two that share a
 * tag, stop the accounts that they name, and no others.
 */
export function readApprovals(folder: string): { approvals: ReadApproval[]; unreadable: UnreadableApproval[] } {
  const read: (ReadApproval & { file: string })[] = [];
  const unreadable: UnreadableApproval[] = [];
  for (const approvalFile of approvalFiles(folder)) {
    const file = path.basename(approvalFile);
    let text = '';
    try {
      text = readFileSync(approvalFile, 'utf8');
      read.push({ file, ...readApproval(text) });
    } catch (error) {
      const detail = `${file}: ${error instanceof Error ? error.message : String(error)}`;
      unreadable.push({ file, refused: { reason: 'rules_unknown', detail }, accounts: accountsIn(text) });
    }
  }
  const byTag = Map.groupBy(read, ({ terms: { terms } }) => `${terms.deposit_address} ${terms.destination_tag}`);
  for (const sharing of byTag.values()) {
    if (sharing.length < 2) continue;
    const ids = sharing.map(({ terms }) => terms.projectId).join(', ');
    for (const { file, terms } of sharing) {
      const detail = `${ids} sell on one account with one tag: revoke all but one`;
      const accounts = [terms.terms.deposit_address, terms.terms.distributor];
      unreadable.push({ file, refused: { reason: 'sale_not_approved', detail }, accounts });
    }
  }
  const bad = new Set(unreadable.map(({ file }) => file));
  const approvals = read
    .filter(({ file }) => !bad.has(file))
    .map(({ terms, approvedAtMs }) => ({ terms, approvedAtMs }))
    .sort((a, b) => a.approvedAtMs - b.approvedAtMs);
  return { approvals, unreadable };
}

function readApproval(text: string): ReadApproval {
  const read = approval.parse(JSON.parse(text));
  const hash = createHash('sha256').update(read.canonical).digest('hex');
  if (hash !== read.terms_hash) throw new Error(`the text has the hash ${hash}, not ${read.terms_hash}`);
  const terms = parseTerms(read.project, { canonical: read.canonical, sha256: hash, anchor: null });
  if (terms.terms.project !== read.project) throw new Error(`the terms are of ${terms.terms.project}`);
  if (terms.terms.custody === undefined) throw new Error('the terms name no witnesses');
  const approvedAtMs = Date.parse(read.approved_at);
  if (Number.isNaN(approvedAtMs)) throw new Error('it does not say when the sale was approved');
  return { terms, approvedAtMs };
}

/** The two accounts that pay for a sale, wherever its terms stand in a text that may be damaged. */
const accountsIn = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(/\\?"(?:deposit_address|distributor)\\?"\s*:\s*\\?"(r[1-9A-HJ-NP-Za-km-z]{24,34})\\?"/g)].map(
      ([, account = '']) => account,
    ),
  ),
];

/** Withdraws an approval. False when there is none. */
export function removeApproval(folder: string, project: string): boolean {
  const file = path.join(folder, APPROVALS, `${project}.json`);
  if (!/^proj_\w{22}$/.test(project) || !existsSync(file)) return false;
  rmSync(file);
  return true;
}

const halt = z.object({ since: z.string(), reason: z.string() });
export type Halt = z.output<typeof halt>;

/** Since when and why the witness is stopped; null when it is not. A file that cannot be read stops it, too. */
export function readHalt(folder: string): Halt | null {
  const file = path.join(folder, HALT_FILE);
  if (!existsSync(file)) return null;
  try {
    return halt.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return {
      since: new Date(statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0).toISOString(),
      reason: 'unreadable',
    };
  }
}

export const writeHalt = (folder: string, halted: Halt): void =>
  writeWhole(path.join(folder, HALT_FILE), `${JSON.stringify(halted)}\n`);

export const removeHalt = (folder: string): void => rmSync(path.join(folder, HALT_FILE), { force: true });
