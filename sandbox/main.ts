import { parseOptions } from './launcher/options.ts';
import { runSandbox } from './launcher/run.ts';

process.exit(await runSandbox(parseOptions(process.argv)));
