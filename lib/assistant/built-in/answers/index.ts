import { ownUrl, saleSource } from '../../links.ts';
import type { Answer } from '../asked.ts';
import { saleMeant } from '../choose-project.ts';
import { link, paragraphs, plain } from '../markdown.ts';
import { say } from '../phrases.ts';
import {
  answerCheckAddress,
  answerCost,
  answerDates,
  answerDelivery,
  answerOtherMoney,
  answerPay,
  answerPrice,
  answerProjects,
  answerQuote,
  answerRefund,
  answerTag,
  answerVesting,
} from './money.ts';
import { answerWherePayment, answerWithLookUp } from './payments.ts';
import {
  answerAbout,
  answerAllowlist,
  answerCustody,
  answerMaximum,
  answerMinimum,
  answerProgress,
  answerSoftCap,
  answerSoldOut,
  answerTreasury,
} from './rules.ts';
import {
  answerHolders,
  answerIssuer,
  answerPlatformId,
  answerResale,
  answerReserve,
  answerStatus,
  answerToken,
  answerTrustLine,
  answerVerifySale,
} from './token.ts';

const after =
  (answer: Answer): Answer =>
  async (asked, text) =>
    paragraphs(text, await answer(asked, ''));

/** What a project alone can tell: its page. */
const answerProjectPage: Answer = async (asked, text) => {
  const project = asked.projects.find(({ id }) => id === saleMeant(asked));
  return paragraphs(
    text,
    say('ask_project', asked.language, {
      page:
        project === undefined
          ? link(new URL(ownUrl('/')).host, ownUrl('/'))
          : link(plain(project.name), saleSource(project).url),
    }),
  );
};

/** The investments of a wallet, or where they are seen. */
const answerWalletPage: Answer = async (asked, text) =>
  asked.wallet === null ? text : answerWherePayment(asked, text);

/** What entries of docs/faq add to their answers from live data, by the name after `Live`. */
export const LIVE: Readonly<Record<string, Answer>> = {
  about: answerAbout,
  allowlist: answerAllowlist,
  allowlist_after: after(answerAllowlist),
  check_address: answerCheckAddress,
  cost: answerCost,
  custody_after: answerCustody,
  dates: answerDates,
  dates_after: after(answerDates),
  delivery: answerDelivery,
  holders: answerHolders,
  issuer: answerIssuer,
  lookup: answerWithLookUp,
  maximum: answerMaximum,
  minimum: answerMinimum,
  other_money: answerOtherMoney,
  pay: answerPay,
  payment: answerWherePayment,
  platform_id: answerPlatformId,
  price: answerPrice,
  progress: answerProgress,
  project_page: answerProjectPage,
  projects: answerProjects,
  projects_after: after(answerProjects),
  quote: answerQuote,
  refund: answerRefund,
  resale: answerResale,
  reserve: answerReserve,
  soft_cap: answerSoftCap,
  sold_out: answerSoldOut,
  status: answerStatus,
  tag: answerTag,
  token: answerToken,
  treasury: answerTreasury,
  trust_line: answerTrustLine,
  trust_line_after: answerTrustLine,
  verify: answerVerifySale,
  vesting: answerVesting,
  wallet_page: answerWalletPage,
};
