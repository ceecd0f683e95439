import { sha512HalfHex } from './hashing.ts';

export type TreeItem = { readonly key: string; readonly leafHash: string };

const EMPTY = '0'.repeat(64);
const HEX_DIGITS = '0123456789ABCDEF';

function innerHash(items: readonly TreeItem[], depth: number): string {
  const branches = [...HEX_DIGITS].map((digit) => items.filter(({ key }) => key[depth] === digit));
  const children = branches.map((branch) => {
    const [only] = branch;
    if (!only) return EMPTY;
    return branch.length === 1 ? only.leafHash : innerHash(branch, depth + 1);
  });
  return sha512HalfHex('4D494E00', ...children);
}

/** Root hash of the ledger's radix-16 hash tree over items with distinct 256-bit keys; zeros for an empty tree. */
export function treeHash(items: readonly TreeItem[]): string {
  return items.length === 0 ? EMPTY : innerHash(items, 0);
}
