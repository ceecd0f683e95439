import { gatherLogs } from '#tests/support/gather-logs.ts';
import { serveInterface } from './serve-interface.ts';

/** One operating-system process with the operations of /api, under the settings of its environment; prints its address. */
gatherLogs();
const { url } = await serveInterface();
process.stdout.write(`${url}\n`);
