import { ledgerReserveTool } from '../../tools/ledger-reserve.ts';
import { systemStatusTool } from '../../tools/system-status.ts';
import type { Answer } from '../asked.ts';
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

/** Fees of the ledger, and of the platform. */
export const answerFees: Answer = async (asked) => {
  const { base_fee_xrp, owner_reserve_xrp } = await asked.use(ledgerReserveTool, {});
  return paragraphs(
    `You pay the price of the tokens and the fee of the XRP Ledger, ${strong(`${base_fee_xrp} XRP`)} a transaction at its lowest; your wallet shows it. The platform takes nothing from your payment: all of it is invested, sent back, or held.`,
    `A trust line sets ${owner_reserve_xrp} XRP of your wallet aside; that is a reserve, no fee.`,
    'Whether the issuer charges a fee on transfers between holders I tell you when you ask “what can the issuer do”.',
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
