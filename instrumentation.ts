/** Next calls this once a process, before its first request. */
export async function register(): Promise<void> {
  // Next fills this in when it builds: what follows is in no bundle for its other runtime, which lacks Node's modules.
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  // A host may start what was built without reading next.config.ts.
  await import('#lib/base/require-node.cjs');
  const { env } = await import('#lib/base/env.ts');
  // Settings that are not valid end the start here, with every fault named.
  env();
  const [{ filterRequests }, { isReadingAction }] = await Promise.all([
    import('#lib/api/request-filter.ts'),
    import('#lib/api/server-action.ts'),
  ]);
  filterRequests();
  if (process.env.NODE_ENV === 'production') {
    const { logConsole } = await import('#lib/base/log.ts');
    // A form that cannot be read is the client's fault: no alarm, and nothing that fills the log.
    logConsole((level) => (isReadingAction() ? 'debug' : level));
  }
  const { checkKeysAtStart } = await import('#lib/payouts/check-keys-at-start.ts');
  // Beside the first request, which must not wait for it: whoever pays checks its own key again.
  void checkKeysAtStart();
}
