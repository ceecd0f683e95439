/** What one call of a route brought, summed over all calls of its kind. */
export interface RouteUsage {
  calls: number;
  /** From the request's first byte to the answer's last, summed: calls at the same time count each. */
  durationMs: number;
  statements: number;
  redisCommands: number;
  /** Messages published, not requests: a batch holds several. */
  queueMessages: number;
}

/** What one instance has used since it started; everything only grows. */
export interface Usage {
  /** By route, the callback of background work by its job too. What belongs to no call stands under ''. */
  routes: Record<string, RouteUsage>;
  /** Milliseconds in which at least one call of the scheduler or the queue was under way. */
  busyMs: number;
  /** Of processor time. */
  cpuMs: number;
  rssBytes: number;
  /** The heap that is alive, after a collection; null unless it was asked for. */
  heapBytes: number | null;
}

export const NO_USAGE: RouteUsage = {
  calls: 0,
  durationMs: 0,
  statements: 0,
  redisCommands: 0,
  queueMessages: 0,
};

const KEYS = Object.keys(NO_USAGE) as (keyof RouteUsage)[];

const combine = (a: RouteUsage, b: RouteUsage, sign: 1 | -1): RouteUsage =>
  Object.fromEntries(KEYS.map((key) => [key, a[key] + sign * b[key]])) as unknown as RouteUsage;

function combineRoutes(a: Usage['routes'], b: Usage['routes'], sign: 1 | -1): Usage['routes'] {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return Object.fromEntries([...names].map((name) => [name, combine(a[name] ?? NO_USAGE, b[name] ?? NO_USAGE, sign)]));
}

/** What instances have used together. */
export const total = (usages: readonly Usage[]): Usage =>
  usages.reduce(
    (sum, each) => ({
      routes: combineRoutes(sum.routes, each.routes, 1),
      busyMs: sum.busyMs + each.busyMs,
      cpuMs: sum.cpuMs + each.cpuMs,
      rssBytes: sum.rssBytes + each.rssBytes,
      heapBytes: sum.heapBytes === null || each.heapBytes === null ? null : sum.heapBytes + each.heapBytes,
    }),
    { routes: {}, busyMs: 0, cpuMs: 0, rssBytes: 0, heapBytes: 0 },
  );

/** What was used between two looks. */
export const between = (before: Usage, after: Usage): Usage => ({
  ...after,
  routes: combineRoutes(after.routes, before.routes, -1),
  busyMs: after.busyMs - before.busyMs,
  cpuMs: after.cpuMs - before.cpuMs,
});

/** The sum over the routes whose name passes. */
export const ofRoutes = (usage: Usage, passes: (name: string) => boolean): RouteUsage =>
  Object.entries(usage.routes)
    .filter(([name]) => passes(name))
    .reduce((sum, [, each]) => combine(sum, each, 1), NO_USAGE);

/** True for what the scheduler and the queue call: nobody waits for it, and it is there with nobody on the pages. */
export const isWork = (name: string): boolean => /^\/api\/(?:cron\/|queue\/|system\/trustline-monitor)/.test(name);
