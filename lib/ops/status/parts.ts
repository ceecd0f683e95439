import { HEALTH_PARTS, HEALTH_STATUSES } from '#lib/events/data/network-status.ts';

export const PARTS = HEALTH_PARTS;
export type Part = (typeof PARTS)[number];

export const STATUSES = HEALTH_STATUSES;
export type HealthStatus = (typeof STATUSES)[number];

/** The higher, the worse. */
export const HEALTH_RANK: Record<HealthStatus, number> = { operational: 0, degraded: 1, down: 2 };
