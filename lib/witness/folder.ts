import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type ParsedTerms, parseTerms } from '@tranche/verifier/terms.ts';
import * as z from 'zod';

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

/** The approved sales, in the order of their approval. Throws for a file that is damaged, or of unknown terms. */
export function readApprovals(folder: string): { terms: ParsedTerms; approvedAtMs: number }[] {
  const approvals = approvalFiles(folder)
    .map((file) => {
      const read = approval.parse(JSON.parse(readFileSync(file, 'utf8')));
      const hash = createHash('sha256').update(read.canonical).digest('hex');
      if (hash !== read.terms_hash) throw new Error(`${file}: the text has the hash ${hash}, not ${read.terms_hash}`);
      const terms = parseTerms(read.project, { canonical: read.canonical, sha256: hash, anchor: null });
      if (terms.terms.project !== read.project) throw new Error(`${file}: the terms are of ${terms.terms.project}`);
      return { terms, approvedAtMs: Date.parse(read.approved_at) };
    })
    .sort((a, b) => a.approvedAtMs - b.approvedAtMs);
  const tags = approvals.map(
    ({ terms: { terms } }) => `${terms.deposit_address} with the tag ${terms.destination_tag}`,
  );
  const twice = tags.find((tag, index) => tags.indexOf(tag) < index);
  if (twice !== undefined) throw new Error(`Two approved sales sell on ${twice}: revoke one of them`);
  return approvals;
}

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
