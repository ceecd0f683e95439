export type { RequestOpts } from '@oazapfts/runtime';
export { type Connection, ConnectionError, connect } from './connect.ts';
export * from './generated.ts';
export { all } from './pages.ts';
export { ProblemError } from './problem.ts';
export { type VerifyOptions, verifyWebhook, type WebhookEvent, WebhookVerificationError } from './webhook.ts';
