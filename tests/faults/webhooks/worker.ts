import { runAppProcess } from '#tests/faults/app-process.ts';
import { serveApp } from '#tests/support/serve-app.ts';
import { boundaryOf, boundaryOfRequest } from './boundaries.ts';

/** One operating-system process of the app: it serves the routes that the queue and the scheduler call. */
await runAppProcess({ boundaryOf, boundaryOfRequest, serve: serveApp });
