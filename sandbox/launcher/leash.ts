import { Socket } from 'node:net';

/**
 * Loaded before the program of every child (`node --import`). The launcher holds the other end of a pipe: when it is
 * killed and can stop nobody, the pipe ends, and the child takes its whole process group with it.
 */

/** File descriptor of the pipe. The variable is taken away, so that a child's own children do not look for one. */
const descriptor = process.env.TRANCHE_LEASH_FD;
delete process.env.TRANCHE_LEASH_FD;

if (descriptor !== undefined) {
  const leash = new Socket({ fd: Number(descriptor), readable: true, writable: false });
  leash.on('error', endGroup).on('close', endGroup).resume();
  // A child that has done its work ends, leash or not.
  leash.unref();
}

function endGroup(): void {
  try {
    process.kill(-process.pid, 'SIGKILL');
  } catch {
    process.exit(1);
  }
}
