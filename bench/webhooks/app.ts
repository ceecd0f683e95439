import { monitorEventLoopDelay } from 'node:perf_hooks';
import { applyEnv } from '#lib/base/env.ts';
import { serveApp } from '#tests/support/serve-app.ts';
import type { AppOrder, Usage } from './app-process.ts';

/** A process of the app. It is told its settings, its own address excepted, and tells its port before. */
const { port } = await serveApp();
/** On demand: it wakes the process each millisecond, which would count as work of the app. */
const loopDelay = monitorEventLoopDelay({ resolution: 1 });
let cpuBefore = process.cpuUsage();
let sinceMs = performance.now();

function takeUsage(): Usage {
  const { user, system } = process.cpuUsage(cpuBefore);
  const nowMs = performance.now();
  const usage = {
    cores: (user + system) / 1000 / (nowMs - sinceMs),
    cpuMs: (user + system) / 1000,
    rssMb: process.memoryUsage.rss() / 1_000_000,
    loopDelayP95Ms: loopDelay.percentile(95) / 1_000_000,
  };
  cpuBefore = process.cpuUsage();
  sinceMs = nowMs;
  loopDelay.reset();
  return usage;
}

process.on('message', (order: AppOrder) => {
  if (order.kind === 'settings') applyEnv(order.settings);
  else if (order.kind === 'watch-loop') loopDelay.enable();
  process.send?.(order.kind === 'usage' ? takeUsage() : 'in force');
});
process.on('disconnect', () => process.exit());
process.send?.(port);
