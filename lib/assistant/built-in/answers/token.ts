import {
  holderStatisticsTool,
  ledgerReserveTool,
  platformIdStatusTool,
  systemStatusTool,
} from '../../tools/platform-reads.ts';
import { getProjectTool, issuerPowersTool, verifySaleTool } from '../../tools/sale-reads.ts';
import { type TokenSetup, tokenSetupTool } from '../../tools/token-setup.ts';
import type { Answer, Asked } from '../asked.ts';
import { aboutSale } from '../choose-project.ts';
import { bullets, code, counted, dateText, paragraphs, plain, strong } from '../markdown.ts';
import { say } from '../phrases.ts';

const can = (what: string, yes: boolean): string => `${what}: ${strong(yes ? 'yes' : 'no')}`;

/** What the issuer can still do, as the ledger shows it. */
export const answerIssuer = aboutSale(async (asked, projectId, text) => {
  const { token } = await asked.use(issuerPowersTool, { project_id: projectId });
  const isIou = token.kind === 'iou';
  return paragraphs(
    token.issuer_black_holed
      ? `Nobody can sign for the issuer ${code(token.issuer)} any more: it can do nothing further.`
      : `The issuer is ${code(token.issuer)}. As the ledger shows it (ledger ${token.ledger_index}), it can:`,
    bullets([
      can(isIou ? 'freeze tokens' : 'lock tokens', isIou ? token.can_freeze : token.can_lock),
      can('claw tokens back', token.can_claw_back),
      can('mint more', token.can_mint),
      can('require that it authorises each holder', token.requires_authorization),
      `fee on transfers between holders now: ${strong(`${token.transfer_fee_percent} %`)}`,
      isIou
        ? can('raise that fee', token.can_charge_transfer_fee)
        : `most tokens there can be: ${token.maximum_tokens}`,
      isIou && token.global_freeze ? strong('All holders are frozen at the moment.') : null,
      !isIou && token.locked ? strong('The token is locked for all holders at the moment.') : null,
    ]),
    text,
  );
});

/** Passing tokens on. */
export const answerResale = aboutSale(async (asked, projectId, text) => {
  const { token } = await asked.use(issuerPowersTool, { project_id: projectId });
  const fee =
    token.transfer_fee_percent > 0 ? `with a fee of ${token.transfer_fee_percent} %` : 'without a transfer fee';
  return paragraphs(
    (token.kind === 'iou' ? token.default_ripple : token.can_transfer)
      ? `On the ledger ${strong('holders can pass the token on')} to each other, ${fee}.`
      : `On the ledger ${strong('holders cannot pass the token on')} to each other as things stand.`,
    token.kind === 'iou' ? null : can('it may be traded on the ledger’s own exchange', token.can_trade),
    text,
  );
});

/** How anyone checks a sale: as the entry says, and what of this one is anchored and was found. */
export const answerVerifySale = aboutSale(async (asked, projectId, text) => {
  const found = await asked.use(verifySaleTool, { project_id: projectId });
  const { terms_sha256, anchor, command, last_run: last } = found;
  return paragraphs(
    text,
    `\`\`\`sh\n${command}\n\`\`\``,
    bullets([
      `SHA-256 of the terms: ${code(terms_sha256)}`,
      anchor === null
        ? 'they are not anchored yet: that happens with the launch'
        : `anchored on the ledger by transaction ${code(anchor.transaction_hash)} in ledger ${anchor.ledger_index}`,
      last === null
        ? 'the platform’s own check, which runs each day, has not run for this sale yet'
        : `the platform’s own last check (ledger ${last.as_of_ledger}): ${strong(last.verdict)}, ${last.payments} payments, ${last.payouts} payouts, ${last.differences} differences`,
    ]),
  );
});

/** What the token is called, and who issues it. */
export const answerToken = aboutSale(async (asked, projectId, text) => {
  const { name, token, token_name, total_tokens } = await asked.use(getProjectTool, { project_id: projectId });
  return paragraphs(
    `${plain(name)} sells ${strong(token_name)}, ${total_tokens} of them in all its tiers.`,
    bullets([
      token.kind === 'iou' ? `currency: ${code(token.currency)}` : `issuance id: ${code(token.issuance_id)}`,
      token.kind === 'iou' ? `issuer: ${code(token.issuer)}` : null,
      `decimals: ${token.decimals}`,
    ]),
    text,
  );
});

/** Ready to receive the token: as the entry says, what to enter for this one, and whether the wallet that is named is ready. */
export const answerTrustLine = aboutSale(async (asked, projectId, text) => {
  const setup = await asked.use(tokenSetupTool, {
    project_id: projectId,
    ...(asked.wallet === null ? {} : { wallet_address: asked.wallet }),
  });
  const { token } = setup;
  return paragraphs(
    walletText(setup),
    text,
    token.kind === 'iou'
      ? bullets([`currency: ${code(token.currency)}`, `issuer: ${code(token.issuer)}`])
      : bullets([`MPTokenAuthorize: ${code(token.issuance_id)}`]),
  );
});

function walletText({ wallet, token_name: token, claim_days }: TokenSetup): string | null {
  if (wallet === null) return null;
  const who = `Your wallet ${code(wallet.wallet_address)}`;
  if (wallet.ready) {
    const limit = wallet.limit === null ? '' : `, limit ${wallet.limit}`;
    return `${who} ${strong('is ready')} for ${token}: it holds ${wallet.balance ?? '0'}${limit}.`;
  }
  switch (wallet.problem) {
    case 'not_funded':
      return `${who} is not on the ledger yet: it needs its reserve in XRP first.`;
    case 'is_issuer':
      return `${who} is the issuer of ${token} itself: it cannot hold them.`;
    case 'not_authorized':
      return `${who} has accepted ${token}, but the issuer has not authorised it yet. Only the issuer can do that.`;
    case 'frozen':
      return `${who} cannot receive ${token}: the issuer has frozen it there.`;
    default:
      return `${who} ${strong('is not ready')}: it does not accept ${token} yet. What you bought waits for it; after ${claim_days} days the operators are told.`;
  }
}

/** Of a share from 0 to 1, to the digits that it has. */
const percent = (share: number | null): string =>
  share === null ? 'unknown' : `${Number((share * 100).toFixed(4))} %`;

/** Who holds the token. */
export const answerHolders = aboutSale(async (asked, projectId) => {
  const snapshot = await asked.use(holderStatisticsTool, { project_id: projectId });
  if (!snapshot.synced) {
    return paragraphs(
      `The holders of this token ${strong('have not been read from the ledger yet')}, so I have no figures. It happens every hour for the tokens of launched sales; please ask again later.`,
      'Until then “how much has been raised” tells you the number of investors of the sale.',
    );
  }
  const { change } = snapshot;
  return paragraphs(
    `The token has ${strong(snapshot.holders === 1 ? '1 holder' : `${snapshot.holders} holders`)} with ${snapshot.supply}${snapshot.holders === 1 ? '' : ' together'} (ledger ${snapshot.ledger_index}, read at ${dateText(snapshot.synced_at)}).`,
    bullets([
      `the ten largest have ${percent(snapshot.top_10_share)} (share ${snapshot.top_10_share ?? 'unknown'}), the hundred largest ${percent(snapshot.top_100_share)}`,
      snapshot.median === null ? null : `half of the holders have ${snapshot.median} or less (median)`,
      snapshot.gini === null ? null : `Gini coefficient: ${snapshot.gini} (0 when all hold the same)`,
      change === null ? null : `since ${dateText(change.since)}: ${change.added} came, ${change.removed} left`,
      ...snapshot.largest.map(({ rank, account, balance }) => `place ${rank}: ${code(account)} with ${balance}`),
    ]),
    'These are accounts, not people: the ledger shows no names. Accounts of the issuer and the platform are not counted.',
  );
});

/** What the ledger keeps back of every account's XRP, as it is now. */
export const answerReserve: Answer = async (asked, text) => {
  const reserve = await asked.use(ledgerReserveTool, asked.wallet === null ? {} : { wallet_address: asked.wallet });
  const { wallet } = reserve;
  return paragraphs(
    say('reserve_now', asked.language, {
      base: reserve.base_reserve_xrp,
      each: reserve.owner_reserve_xrp,
      fee: reserve.base_fee_xrp,
    }),
    wallet === null
      ? null
      : wallet.funded
        ? `Your wallet ${code(wallet.wallet_address)} has ${wallet.balance_xrp} XRP and owns ${counted(wallet.owned_objects ?? 0, 'object')}: its reserve is ${strong(`${wallet.reserve_xrp} XRP`)}, so it can spend ${strong(`${wallet.spendable_xrp} XRP`)} less the fee.`
        : `Your wallet ${code(wallet.wallet_address)} is not on the ledger yet: a first payment of at least ${reserve.base_reserve_xrp} XRP opens it.`,
    text,
  );
};

const STATES = {
  operational: 'Yes: everything works.',
  degraded:
    'It works with limits: payments may be late, but they are safe on the ledger and will be counted in its order.',
  down: 'No: the platform is down at the moment. Payments are safe on the ledger and will be counted in its order.',
} as const;

/** Whether the platform works. */
export const answerStatus: Answer = async (asked) => {
  const { status, checks, ledger, maintenance, network, time } = await asked.use(systemStatusTool, {});
  const parts = Object.entries(checks).map(([part, check]) => `${part}: ${check.status}`);
  return paragraphs(
    `${strong(STATES[status])} Status: ${code(status)} (network ${network}, ${dateText(time)}).`,
    bullets([
      ...parts,
      ledger.validated_index === null
        ? 'the ledger cannot be read at the moment'
        : `newest validated ledger: ${ledger.validated_index}${ledger.age_seconds === null ? '' : `, ${ledger.age_seconds} seconds old`}`,
      ledger.processed_index === null
        ? null
        : `payments are read up to ledger ${ledger.processed_index}${ledger.lag === null ? '' : ` (${ledger.lag} behind)`}`,
    ]),
    maintenance === null
      ? 'No maintenance is announced.'
      : `Announced maintenance since ${dateText(maintenance.started_at)}: “${plain(maintenance.message)}”${maintenance.expected_end_at === null ? '' : `, expected to end at ${dateText(maintenance.expected_end_at)}`}.`,
  );
};

async function statusText(asked: Asked, wallet: string): Promise<string> {
  const status = await asked.use(platformIdStatusTool, { wallet_address: wallet });
  const who = `The wallet ${code(wallet)}`;
  if (status.platform_id !== null) {
    const level = status.level === null ? '' : `; its level is ${strong(status.level)}`;
    return `${who} has the Platform ID ${strong(status.platform_id)}${level}.`;
  }
  const held = status.balance === null ? '' : ` It held ${status.balance} platform tokens by the last snapshot.`;
  return status.eligible
    ? `${who} ${strong('may have a Platform ID')} and has none yet.${held} ${status.next_step ?? ''}`
    : `${who} ${strong('may not have a Platform ID')} yet: ${status.explanation ?? ''}${held} ${status.next_step ?? ''}`;
}

/** What a Platform ID is, how to get one, and whether the wallet may. */
export const answerPlatformId: Answer = async (asked, text) =>
  paragraphs(
    asked.wallet === null ? null : await statusText(asked, asked.wallet),
    text,
    asked.wallet === null ? 'Give me your wallet address, and I look whether it has one or may have one.' : null,
  );
