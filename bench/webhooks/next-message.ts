import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** The next message of a process of the bench; throws when it ends instead, as one does that cannot be loaded. */
export async function nextMessage<Message>(child: ChildProcess, name: string): Promise<Message> {
  const either = new AbortController();
  const { signal } = either;
  const hasEnded = () => new Error(`The process of ${name} has ended; what it wrote above says why`);
  if (child.exitCode !== null || child.signalCode !== null) throw hasEnded();
  try {
    return await Promise.race([
      once(child, 'message', { signal }).then(([message]) => message as Message),
      once(child, 'exit', { signal }).then(() => Promise.reject(hasEnded())),
    ]);
  } finally {
    either.abort();
  }
}
