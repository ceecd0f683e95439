import type { Answer } from '../asked.ts';
import type { IntentName } from '../intents.ts';
import { answerCost, answerQuote } from './buying.ts';
import { answerAdvice, answerHello, answerSeed, answerSelf, answerThanks } from './courtesy.ts';
import { answerApiKey, answerSignature, answerWebhook, answerWebhookRetry } from './developers.ts';
import { answerApiDocs } from './documentation.ts';
import { answerHolders } from './holders.ts';
import { answerFees, answerReserve, answerStatus } from './ledger.ts';
import {
  answerCheckAddress,
  answerExchange,
  answerForgotTag,
  answerOtherMoney,
  answerPay,
  answerTag,
  answerTrustLine,
} from './paying.ts';
import { answerMine, answerWherePayment } from './payments.ts';
import { answerGetPlatformId, answerPlatformId } from './platform-id.ts';
import {
  answerAllowlist,
  answerMaximum,
  answerMinimum,
  answerRefund,
  answerSoftCap,
  answerSoldOut,
  answerTreasury,
  answerWhenTokens,
} from './rules.ts';
import { answerAbout, answerDates, answerProgress, answerProjects, answerTier } from './sale-state.ts';
import { answerIssuer, answerResale, answerVerifySale } from './token.ts';

/** An answer for everything that can be asked. */
export const ANSWERS: Readonly<Record<IntentName, Answer>> = {
  quote: answerQuote,
  cost: answerCost,
  tier: answerTier,
  pay: answerPay,
  tag: answerTag,
  forgot_tag: answerForgotTag,
  when_tokens: answerWhenTokens,
  trustline: answerTrustLine,
  where_payment: answerWherePayment,
  mine: answerMine,
  sold_out: answerSoldOut,
  minimum: answerMinimum,
  maximum: answerMaximum,
  refund: answerRefund,
  soft_cap: answerSoftCap,
  api_key: answerApiKey,
  signature: answerSignature,
  webhook_retry: answerWebhookRetry,
  webhook: answerWebhook,
  api_docs: answerApiDocs,
  platform_id: answerPlatformId,
  get_platform_id: answerGetPlatformId,
  status: answerStatus,
  holders: answerHolders,
  reserve: answerReserve,
  advice: answerAdvice,
  exchange: answerExchange,
  other_money: answerOtherMoney,
  issuer: answerIssuer,
  resale: answerResale,
  verify_sale: answerVerifySale,
  allowlist: answerAllowlist,
  dates: answerDates,
  progress: answerProgress,
  projects: answerProjects,
  about: answerAbout,
  treasury: answerTreasury,
  fees: answerFees,
  seed: answerSeed,
  check_address: answerCheckAddress,
  hello: answerHello,
  thanks: answerThanks,
  self: answerSelf,
};
