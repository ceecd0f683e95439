export * from './access.ts';
export * from './events.ts';
export * from './health.ts';
export * from './holders.ts';
export * from './jobs.ts';
export * from './payouts.ts';
export * from './sale.ts';
export * from './verifications.ts';
