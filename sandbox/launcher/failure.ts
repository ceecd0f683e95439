/** The sandbox can not start or go on. The message is for the person at the terminal: what happened and what to do. */
export class SandboxFailure extends Error {
  override name = 'SandboxFailure';
}
