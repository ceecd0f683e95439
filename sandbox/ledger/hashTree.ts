import { sha512HalfHex } from './hashing.ts';

/** Hash of a tree, or place in it, that holds nothing. */
export const EMPTY_HASH = '0'.repeat(64);
const INNER_PREFIX = '4D494E00';

type Leaf = { readonly key: string; readonly hash: string };
/** `hash` is undefined while a change below is not yet hashed. */
type Inner = { readonly children: (Inner | Leaf | undefined)[]; hash: string | undefined };

const isLeaf = (node: Inner | Leaf): node is Leaf => 'key' in node;
const branchOf = (key: string, depth: number): number => Number.parseInt(key.charAt(depth), 16);
const emptyInner = (): Inner => ({ children: new Array(16).fill(undefined), hash: undefined });

function hashOf(node: Inner | Leaf | undefined): string {
  if (!node) return EMPTY_HASH;
  if (isLeaf(node)) return node.hash;
  node.hash ??= sha512HalfHex(INNER_PREFIX, ...node.children.map(hashOf));
  return node.hash;
}

/**
 * The ledger's hash tree: a radix-16 tree over 256-bit keys (upper-case hex), each leaf as high as it can stand. After
 * a change only the way from the leaf to the root is hashed again, and that not before the root is asked for.
 */
export class HashTree {
  private root = emptyInner();
  private size = 0;

  /** Sets or replaces the leaf of a key. */
  set(key: string, hash: string): void {
    let node = this.root;
    for (let depth = 0; ; depth++) {
      node.hash = undefined;
      const branch = branchOf(key, depth);
      const child = node.children[branch];
      if (!child || (isLeaf(child) && child.key === key)) {
        if (!child) this.size += 1;
        node.children[branch] = { key, hash };
        return;
      }
      if (isLeaf(child)) {
        // Two keys share the branch: the leaf already there moves one level down.
        const inner = emptyInner();
        inner.children[branchOf(child.key, depth + 1)] = child;
        node.children[branch] = inner;
        node = inner;
      } else node = child;
    }
  }

  /** Removes the leaf of a key, if there is one. */
  delete(key: string): void {
    const path: Inner[] = [];
    let node = this.root;
    for (let depth = 0; ; depth++) {
      path.push(node);
      const branch = branchOf(key, depth);
      const child = node.children[branch];
      if (!child) return;
      if (isLeaf(child)) {
        if (child.key !== key) return;
        node.children[branch] = undefined;
        this.size -= 1;
        break;
      }
      node = child;
    }
    for (const each of path) each.hash = undefined;
    this.collapse(path, key);
  }

  /** A node left with nothing but one leaf gives its place to that leaf. */
  private collapse(path: readonly Inner[], key: string): void {
    for (let depth = path.length - 1; depth > 0; depth--) {
      const left = path[depth]?.children.filter((child) => child !== undefined) ?? [];
      const [only] = left;
      if (left.length > 1 || (only && !isLeaf(only))) return;
      const parent = path[depth - 1];
      if (parent) parent.children[branchOf(key, depth - 1)] = only;
    }
  }

  /** Root hash; zeros for an empty tree. */
  get rootHash(): string {
    return this.size === 0 ? EMPTY_HASH : hashOf(this.root);
  }
}

/** Root hash over items with distinct keys. */
export function treeHash(items: readonly { readonly key: string; readonly leafHash: string }[]): string {
  const tree = new HashTree();
  for (const { key, leafHash } of items) tree.set(key, leafHash);
  return tree.rootHash;
}
