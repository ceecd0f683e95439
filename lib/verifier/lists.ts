import { parseDecimal, XRP_DECIMALS } from '@tranche/rules/amounts.ts';
import { newSha256 } from '@tranche/rules/sha256.ts';
import type { AllowList, ProjectState, SaleAction, SaleState } from '@tranche/rules/types.ts';
import * as z from 'zod';
import { addDifference } from './findings.ts';
import type { Inputs } from './inputs.ts';
import type { Progress } from './progress.ts';
import type { Decision } from './reduce-steps.ts';
import type { PublishedSource } from './types.ts';

/** Allowlists by project and hash, as far as they were read. */
export type LoadedLists = Map<string, Map<string, AllowList>>;

/**
 * Gives the state the lists that are in force or that an action among the entries puts in force. A version whose bytes are not
 * those that the action anchors is a difference; it is used all the same, so that nothing else is blamed for it.
 */
export async function putLists(
  source: PublishedSource,
  inputs: Inputs,
  progress: Progress,
  loaded: LoadedLists,
  actions: readonly SaleAction[],
): Promise<SaleState> {
  const projects = new Map<number, ProjectState>();
  for (const [tag, project] of progress.sale.projects) {
    const own = loaded.get(project.id) ?? new Map<string, AllowList>();
    loaded.set(project.id, own);
    const wanted = new Map<string, SaleAction | null>();
    if (project.listHash !== null) wanted.set(project.listHash, null);
    for (const action of actions) {
      if (action.projectId === project.id && action.action === 'list' && action.listHash !== null)
        wanted.set(action.listHash, action);
    }
    for (const hash of own.keys()) if (!wanted.has(hash)) own.delete(hash);
    for (const [hash, action] of wanted) {
      if (own.has(hash)) continue;
      const id = inputs.lists.get(project.id)?.get(hash);
      if (id === undefined) {
        // Under custody its bytes do not tell whether it is in force.
        if (project.custody === null) listNotPublished(progress, hash, action);
        continue;
      }
      const list = await loadList(source.listText(project.id, id));
      own.set(hash, list.entries);
      if (list.hash !== hash) listDiffers(progress, { id, anchored: hash, published: list.hash }, action);
    }
    projects.set(tag, { ...project, lists: new Map(own) });
  }
  return { ...progress.sale, projects };
}

/** Under custody an action puts a list in force also when nobody has published it (docs/verification.md, section 4). */
export function checkListsInForce(inputs: Inputs, progress: Progress, decisions: readonly Decision[]): void {
  for (const decision of decisions) {
    if (decision.type !== 'action_applied' || decision.action.action !== 'list') continue;
    const { projectId, listHash } = decision.action;
    if (listHash === null || inputs.lists.get(projectId)?.has(listHash)) continue;
    listNotPublished(progress, listHash, decision.action);
  }
}

/** A list in force is looked at with every page, and read again by every slice: it is named once. */
function wasReported({ listsReported }: Progress, hash: string): boolean {
  const before = listsReported.has(hash);
  listsReported.add(hash);
  return before;
}

function listNotPublished(progress: Progress, hash: string, action: SaleAction | null): void {
  if (wasReported(progress, hash)) return;
  addDifference(progress.findings, {
    kind: 'list_not_published',
    subject: hash,
    ledger_index: action?.ledgerIndex ?? null,
    expected: hash,
    message: `The ledger puts the allowlist ${hash} in force, and no published version has this hash`,
  });
}

function listDiffers(
  progress: Progress,
  { id, anchored, published }: { id: string; anchored: string; published: string },
  action: SaleAction | null,
): void {
  if (wasReported(progress, anchored)) return;
  addDifference(progress.findings, {
    kind: 'list_differs',
    subject: id,
    ledger_index: action?.ledgerIndex ?? null,
    field: 'hash',
    expected: anchored,
    found: published,
    message: `${id}: the published wallets have the hash ${published}, and the ledger anchors ${anchored}`,
  });
}

/** The state without lists and credentials, as it is kept. */
export const withoutInputs = ({ credentials: _, ...state }: SaleState): SaleState => ({
  ...state,
  projects: new Map([...state.projects].map(([tag, project]) => [tag, { ...project, lists: new Map() }])),
});

const line = z.object({
  wallet_address: z.string(),
  cap_xrp: z
    .string()
    .nullable()
    .transform((text) => (text === null ? null : parseDecimal(text, XRP_DECIMALS))),
});

/** Reads a published allowlist and the SHA-256 of its bytes. */
export async function loadList(text: AsyncIterable<string>): Promise<{ hash: string; entries: AllowList }> {
  const hash = newSha256();
  const entries = new Map<string, bigint | null>();
  let rest = '';
  for await (const chunk of text) {
    hash.update(chunk);
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const each of lines) {
      const entry = line.parse(JSON.parse(each));
      entries.set(entry.wallet_address, entry.cap_xrp);
    }
  }
  return { hash: hash.hex(), entries };
}
