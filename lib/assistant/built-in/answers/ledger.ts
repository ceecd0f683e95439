import { ledgerReserveTool } from '../../tools/ledger-reserve.ts';
import { platformIdStatusTool } from '../../tools/platform-id-status.ts';
import { systemStatusTool } from '../../tools/system-status.ts';
import type { Answer, Asked } from '../asked.ts';
import { bullets, code, counted, dateText, paragraphs, plain, strong } from '../markdown.ts';

/** What the ledger keeps back of every account's XRP. */
export const answerReserve: Answer = async (asked) => {
  const reserve = await asked.use(ledgerReserveTool, asked.wallet === null ? {} : { wallet_address: asked.wallet });
  const { wallet } = reserve;
  return paragraphs(
    `Every account on the XRP Ledger keeps ${strong(`${reserve.base_reserve_xrp} XRP`)} that it cannot spend (the base reserve), and ${strong(`${reserve.owner_reserve_xrp} XRP`)} more for each object it owns, such as a trust line (the owner reserve).`,
    wallet === null
      ? null
      : wallet.funded
        ? `Your wallet ${code(wallet.wallet_address)} has ${wallet.balance_xrp} XRP and owns ${counted(wallet.owned_objects ?? 0, 'object')}: its reserve is ${strong(`${wallet.reserve_xrp} XRP`)}, so it can spend ${strong(`${wallet.spendable_xrp} XRP`)} less the fee.`
        : `Your wallet ${code(wallet.wallet_address)} is not on the ledger yet: a first payment of at least ${reserve.base_reserve_xrp} XRP opens it.`,
    'The reserve is no fee: it stays yours. The owner reserve comes free when the object is removed, such as an empty trust line. The validators of the ledger set the figures; these are read from it now.',
    wallet === null ? 'Give me your wallet address, and I reckon what you can spend.' : null,
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
