import { applyEnv } from '#lib/base/env.ts';
import { serveRoutes } from '#tests/integration/verifier/serve.ts';
import { testEnv } from '#tests/support/env.ts';

// The platform in a process of its own, as it is for whoever verifies it. Its settings come as one JSON argument.
applyEnv(testEnv(JSON.parse(process.argv[2] ?? '{}')));
const { url } = await serveRoutes();
process.stdout.write(`serving ${url}\n`);
