import { runAppProcess } from '#tests/faults/process.ts';
import { serveApp } from '#tests/support/serve-app.ts';

/** One operating-system process of the app: it serves the routes that the queue and the scheduler call. */
await runAppProcess({ serve: () => serveApp() });
