import { type DirectoryNode, UNTHREADED } from '../entries.ts';
import { directoryPageIndex, ownerDirectoryIndex } from '../keylets.ts';
import { type ReadView, read, type WriteView } from '../state.ts';

const PAGE_SIZE = 32;

const pageNumber = (hex: string | undefined): bigint => (hex ? BigInt(`0x${hex}`) : 0n);
const pageHex = (page: bigint): string => page.toString(16).toUpperCase();

function insertSorted(indexes: readonly string[], index: string): string[] {
  const at = indexes.findIndex((other) => other > index);
  return at < 0 ? [...indexes, index] : [...indexes.slice(0, at), index, ...indexes.slice(at)];
}

/** What tells a directory from others: the fields that stand on each of its pages. */
type DirectoryFields = Partial<DirectoryNode>;

/**
 * Adds an entry to the last page of a directory, or to a new page; returns the page's number in hex. Owners' directories
 * are sorted within a page, order books keep the order of arrival.
 */
function addEntry(
  view: WriteView,
  rootIndex: string,
  index: string,
  { fields, sorted }: { fields: DirectoryFields; sorted: boolean },
): string {
  const root = view.edit('DirectoryNode', rootIndex);
  const node = (indexes: readonly string[]): DirectoryNode => ({
    LedgerEntryType: 'DirectoryNode',
    Flags: 0,
    Indexes: indexes,
    RootIndex: rootIndex,
    ...fields,
    ...UNTHREADED,
  });
  if (!root) {
    view.create(rootIndex, node([index]));
    return '0';
  }
  const lastPage = pageNumber(root.IndexPrevious);
  const last = lastPage === 0n ? root : view.edit('DirectoryNode', directoryPageIndex(rootIndex, lastPage));
  if (last && last.Indexes.length < PAGE_SIZE) {
    last.Indexes = sorted ? insertSorted(last.Indexes, index) : [...last.Indexes, index];
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

/** Takes an entry out of a directory; pages left empty disappear, and the root once nothing is left, if it may. */
function removeEntry(view: WriteView, rootIndex: string, pageText: string, index: string, keepRoot: boolean): void {
  const page = pageNumber(pageText);
  const pageIndex = (number: bigint): string => directoryPageIndex(rootIndex, number);
  const node = view.edit('DirectoryNode', pageIndex(page));
  if (!node?.Indexes.includes(index)) return;
  node.Indexes = node.Indexes.filter((other) => other !== index);
  if (node.Indexes.length > 0) return;
  if (page === 0n) {
    if (pageNumber(node.IndexNext) === 0n && !keepRoot) view.erase(rootIndex);
    return;
  }
  const previousPage = pageNumber(node.IndexPrevious);
  const nextPage = pageNumber(node.IndexNext);
  const previous = view.edit('DirectoryNode', pageIndex(previousPage));
  if (previous) previous.IndexNext = pageHex(nextPage);
  const next = view.edit('DirectoryNode', pageIndex(nextPage));
  if (next) next.IndexPrevious = pageHex(previousPage);
  view.erase(pageIndex(page));
  const isAlone = previousPage === 0n && nextPage === 0n;
  if (isAlone && !keepRoot && previous?.Indexes.length === 0) view.erase(rootIndex);
}

/** Adds an entry to its owner's directory; returns the page it went to, as its OwnerNode shows it. */
export function addToDirectory(view: WriteView, owner: string, index: string): string {
  return addEntry(view, ownerDirectoryIndex(owner), index, { fields: { Owner: owner }, sorted: true });
}

/** Takes an entry out of its owner's directory, whose empty root stays where the type of the entry lets it. */
export function removeFromDirectory(
  view: WriteView,
  owner: string,
  ownerNode: string,
  index: string,
  keepRoot = false,
): void {
  removeEntry(view, ownerDirectoryIndex(owner), ownerNode, index, keepRoot);
}

/** Adds an offer behind the others of its price; returns the page it went to, as its BookNode shows it. */
export function addToBookDirectory(view: WriteView, directory: string, index: string, fields: DirectoryFields): string {
  return addEntry(view, directory, index, { fields, sorted: false });
}

/** Takes an offer out of the directory of its price. */
export function removeFromBookDirectory(view: WriteView, directory: string, bookNode: string, index: string): void {
  removeEntry(view, directory, bookNode, index, false);
}

/** The keys in a directory, in its order, from a page on. */
export function* directoryIndexes(
  view: ReadView,
  rootIndex: string,
  from = rootIndex,
): Generator<{ page: string; index: string }> {
  let pageIndex = from;
  for (;;) {
    const node = read(view, 'DirectoryNode', pageIndex);
    if (node?.RootIndex !== rootIndex) return;
    for (const index of node.Indexes) yield { page: pageIndex, index };
    const next = pageNumber(node.IndexNext);
    if (next === 0n) return;
    pageIndex = directoryPageIndex(rootIndex, next);
  }
}

/** The keys of everything an account owns, in directory order, page by page; `from` is the page to begin with. */
export function ownedIndexes(view: ReadView, owner: string, from?: string): Generator<{ page: string; index: string }> {
  return directoryIndexes(view, ownerDirectoryIndex(owner), from);
}

export function ownsNothing(view: ReadView, owner: string): boolean {
  const root = read(view, 'DirectoryNode', ownerDirectoryIndex(owner));
  return root === undefined || (root.Indexes.length === 0 && pageNumber(root.IndexNext) === 0n);
}

/** The directory page that an entry's OwnerNode, LowNode or HighNode names. */
export function pageOf(owner: string, nodeHex: string): string {
  return directoryPageIndex(ownerDirectoryIndex(owner), pageNumber(nodeHex));
}
