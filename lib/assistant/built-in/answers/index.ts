import type { Answer } from '../asked.ts';
import type { Topic } from '../topics.ts';
import { answerCost } from './buying.ts';
import {
  answerHello,
  answerKey,
  answerOutside,
  answerSeed,
  answerSelf,
  answerSupport,
  answerThanks,
} from './courtesy.ts';
import { answerHolders } from './holders.ts';
import { answerFees, answerReserve, answerStatus } from './ledger.ts';
import {
  answerCheckAddress,
  answerDates,
  answerDelivery,
  answerDiscount,
  answerExchange,
  answerPay,
  answerPrice,
  answerProjects,
  answerQuote,
  answerRefund,
  answerTag,
} from './money.ts';
import { answerOtherMoney, answerPrepare, answerTrustLine, answerWallet } from './paying.ts';
import { answerWherePayment } from './payments.ts';
import { answerPlatformId } from './platform-id.ts';
import {
  answerAllowlist,
  answerHeld,
  answerMaximum,
  answerMinimum,
  answerOrder,
  answerRecipient,
  answerRisk,
  answerSoftCap,
  answerSoldOut,
  answerTreasury,
} from './rules.ts';
import { answerAbout, answerProgress, answerSite } from './sale-state.ts';
import { answerIssuer, answerResale, answerToken, answerVerifySale } from './token.ts';

/** An answer from live data for every topic. */
export const ANSWERS: Readonly<Record<Topic, Answer>> = {
  tag: answerTag,
  pay: answerPay,
  check_address: answerCheckAddress,
  exchange: answerExchange,
  wallet: answerWallet,
  payment: answerWherePayment,
  held: answerHeld,
  quote: answerQuote,
  cost: answerCost,
  price: answerPrice,
  discount: answerDiscount,
  minimum: answerMinimum,
  maximum: answerMaximum,
  refund: answerRefund,
  recipient: answerRecipient,
  order: answerOrder,
  sold_out: answerSoldOut,
  soft_cap: answerSoftCap,
  delivery: answerDelivery,
  dates: answerDates,
  about: answerAbout,
  prepare: answerPrepare,
  risk: answerRisk,
  token: answerToken,
  progress: answerProgress,
  projects: answerProjects,
  site: answerSite,
  trust_line: answerTrustLine,
  allowlist: answerAllowlist,
  issuer: answerIssuer,
  resale: answerResale,
  verify: answerVerifySale,
  fees: answerFees,
  reserve: answerReserve,
  other_money: answerOtherMoney,
  treasury: answerTreasury,
  holders: answerHolders,
  platform_id: answerPlatformId,
  key: answerKey,
  seed: answerSeed,
  status: answerStatus,
  hello: answerHello,
  self: answerSelf,
  thanks: answerThanks,
  outside: answerOutside,
  support: answerSupport,
};
