import type { Credentials } from './credentials.ts';
import type { DepositBook } from './deposit-book.ts';
import type { Lists } from './lists.ts';

interface Sources {
  lists: Lists;
  credentials: Credentials;
}

/** Decides on what the feeds brought. Each that lacks an allowlist or a credential waits for it alone. */
export async function loadInputs(
  books: Iterable<DepositBook>,
  { lists, credentials }: Sources,
  within: { listsMs: number; credentialsMs: number },
): Promise<void> {
  const beganMs = performance.now();
  const left = (ms: number): number => Math.max(0, beganMs + ms - performance.now());
  await Promise.all(
    [...books].map(async (book) => {
      book.readsCredentials(credentials);
      for (let wanted = book.decideOn(); wanted !== null; wanted = book.decideOn()) {
        if (wanted.kind === 'credentials') {
          const refused = await credentials.read(wanted.questions, left(within.credentialsMs));
          if (refused !== null) return book.lacks(refused);
          continue;
        }
        const { projectId, hash } = wanted;
        const found = await lists.find({ projectId, hash }, left(within.listsMs));
        if ('failed' in found) {
          const detail = `The allowlist ${hash} of ${projectId} cannot be had: ${found.failed}`;
          return book.lacks({ reason: 'inputs_missing', detail });
        }
        book.putList(projectId, hash, found);
      }
    }),
  );
}
