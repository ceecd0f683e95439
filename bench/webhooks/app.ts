import { putInForce } from '#lib/platform/env.ts';
import { serveApp } from '#tests/support/serve-app.ts';

/** A process of the app. It is told its settings, its own address excepted, and tells its port before. */
const { port } = await serveApp();
process.on('message', (settings: Record<string, string>) => {
  putInForce(settings);
  process.send?.('in force');
});
process.on('disconnect', () => process.exit());
process.send?.(port);
