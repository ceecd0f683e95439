import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HashTree, treeHash } from '../hashTree.ts';

const hash64 = fc.string({ unit: fc.constantFrom(...'0123456789ABCDEF'), minLength: 64, maxLength: 64 });
// Keys that share long beginnings, so that the tree grows deep and has to fold back.
const key = fc
  .tuple(fc.constantFrom('', 'A', 'AB', 'ABCDEF'), hash64)
  .map(([start, rest]) => (start + rest).slice(0, 64));

test('whatever was set, replaced and deleted before, the hash is that of the leaves alone', () => {
  const steps = fc.array(fc.tuple(key, fc.option(hash64)), { maxLength: 40 });
  fc.assert(
    fc.property(steps, (changes) => {
      const tree = new HashTree();
      const leaves = new Map<string, string>();
      for (const [at, leaf] of changes) {
        if (leaf === null) tree.delete(at);
        else tree.set(at, leaf);
        if (leaf === null) leaves.delete(at);
        else leaves.set(at, leaf);
      }
      for (const at of [...leaves.keys()].slice(0, leaves.size / 2)) {
        tree.delete(at);
        leaves.delete(at);
      }
      expect(tree.rootHash).toBe(treeHash([...leaves].map(([at, leafHash]) => ({ key: at, leafHash }))));
    }),
  );
});
