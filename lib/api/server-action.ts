import { AsyncLocalStorage } from 'node:async_hooks';

/** A form's request on its way to the server action that it names. */
interface ActionRequest {
  /** An action of ours runs: the request could be read, and what fails from here on is our fault. */
  hasBegun: boolean;
}

// Next.js bundles pages, routes and the instrumentation apart, each with modules of its own: they meet here.
const NAME = Symbol.for('tranche.action-request');
const shared = globalThis as { [NAME]?: AsyncLocalStorage<ActionRequest> };
shared[NAME] ??= new AsyncLocalStorage<ActionRequest>();
const requests = shared[NAME];

/** Handles a form's request; what happens within it can be asked for its state. */
export const handleActionRequest = <T>(request: ActionRequest, handle: () => T): T => requests.run(request, handle);

/** Every server action says so once it has read what was sent, before it does anything. */
export function beginAction(): void {
  const request = requests.getStore();
  if (request !== undefined) request.hasBegun = true;
}

/** True while Next.js reads a form's request: a failure then is of what the client sent. */
export const isReadingAction = (): boolean => requests.getStore()?.hasBegun === false;
