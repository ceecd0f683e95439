import { type DirectoryNode, UNTHREADED } from '../entries.ts';
import { directoryPageIndex, ownerDirectoryIndex } from '../keylets.ts';
import { type ReadView, read } from '../state.ts';
import type { TransactionView } from './view.ts';

const PAGE_SIZE = 32;

const pageNumber = (hex: string | undefined): bigint => (hex ? BigInt(`0x${hex}`) : 0n);
const pageHex = (page: bigint): string => page.toString(16).toUpperCase();

function insertSorted(indexes: readonly string[], index: string): string[] {
  const at = indexes.findIndex((other) => other > index);
  return at < 0 ? [...indexes, index] : [...indexes.slice(0, at), index, ...indexes.slice(at)];
}

/** Adds an entry to its owner's directory; returns the page it went to, as its OwnerNode shows it. */
export function addToDirectory(view: TransactionView, owner: string, index: string): string {
  const rootIndex = ownerDirectoryIndex(owner);
  const root = view.edit('DirectoryNode', rootIndex);
  const node = (indexes: readonly string[]): DirectoryNode => ({
    LedgerEntryType: 'DirectoryNode',
    Flags: 0,
    Indexes: indexes,
    Owner: owner,
    RootIndex: rootIndex,
    ...UNTHREADED,
  });
  if (!root) {
    view.create(rootIndex, node([index]));
    return '0';
  }
  const lastPage = pageNumber(root.IndexPrevious);
  const last = lastPage === 0n ? root : view.edit('DirectoryNode', directoryPageIndex(rootIndex, lastPage));
  if (last && last.Indexes.length < PAGE_SIZE) {
    last.Indexes = insertSorted(last.Indexes, index);
    return pageHex(lastPage);
  }
  const page = lastPage + 1n;
  if (last) last.IndexNext = pageHex(page);
  root.IndexPrevious = pageHex(page);
  view.create(directoryPageIndex(rootIndex, page), {
    ...node([index]),
    ...(page === 1n ? {} : { IndexPrevious: pageHex(page - 1n) }),
  });
  return pageHex(page);
}

function link(node: DirectoryNode, field: 'IndexNext' | 'IndexPrevious', page: bigint): void {
  if (page === 0n) delete node[field];
  else node[field] = pageHex(page);
}

/**
 * Takes an entry out of an account's directory; empty pages disappear, and the root once nothing is left, unless the
 * type of the entry lets an empty root stay.
 */
export function removeFromDirectory(
  view: TransactionView,
  owner: string,
  ownerNode: string,
  index: string,
  keepRoot = false,
): void {
  const rootIndex = ownerDirectoryIndex(owner);
  const page = pageNumber(ownerNode);
  const nodeIndex = directoryPageIndex(rootIndex, page);
  const node = view.edit('DirectoryNode', nodeIndex);
  if (!node) return;
  node.Indexes = node.Indexes.filter((other) => other !== index);
  if (node.Indexes.length > 0) return;
  if (page !== 0n) {
    const previousPage = pageNumber(node.IndexPrevious);
    const nextPage = pageNumber(node.IndexNext);
    const previous = view.edit('DirectoryNode', directoryPageIndex(rootIndex, previousPage));
    if (previous) link(previous, 'IndexNext', nextPage);
    const next = view.edit('DirectoryNode', directoryPageIndex(rootIndex, nextPage));
    if (next) link(next, 'IndexPrevious', previousPage);
    view.erase(nodeIndex);
  }
  if (keepRoot) return;
  const root = view.edit('DirectoryNode', rootIndex);
  if (root && root.Indexes.length === 0 && !root.IndexNext) view.erase(rootIndex);
}

/** The keys of everything an account owns, in directory order, page by page; `from` is the page to begin with. */
export function* ownedIndexes(
  view: ReadView,
  owner: string,
  from?: string,
): Generator<{ page: string; index: string }> {
  const rootIndex = ownerDirectoryIndex(owner);
  let pageIndex = from ?? rootIndex;
  for (;;) {
    const node = read(view, 'DirectoryNode', pageIndex);
    if (node?.RootIndex !== rootIndex) return;
    for (const index of node.Indexes) yield { page: pageIndex, index };
    if (!node.IndexNext) return;
    pageIndex = directoryPageIndex(rootIndex, pageNumber(node.IndexNext));
  }
}

export function ownsNothing(view: ReadView, owner: string): boolean {
  const root = read(view, 'DirectoryNode', ownerDirectoryIndex(owner));
  return root === undefined || (root.Indexes.length === 0 && !root.IndexNext);
}

/** The directory page that an entry's OwnerNode, LowNode or HighNode names. */
export function pageOf(owner: string, nodeHex: string): string {
  return directoryPageIndex(ownerDirectoryIndex(owner), pageNumber(nodeHex));
}
