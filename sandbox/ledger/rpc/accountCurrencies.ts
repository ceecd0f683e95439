import { compare, negate } from '../amount.ts';
import { balanceFrom, limitOf, otherSide, sideOf } from '../engine/lines.ts';
import { account } from '../engine/view.ts';
import { currencyHex } from '../keylets.ts';
import { linesOf } from './accountLines.ts';
import { accountOrIdent, addressIn } from './fields.ts';
import { selectLedger } from './select.ts';
import { type Handler, RpcError } from './types.ts';

/** Currencies in the order of their 160-bit codes. */
const inOrder = (currencies: ReadonlySet<string>): string[] =>
  [...currencies].sort((a, b) => (currencyHex(a) < currencyHex(b) ? -1 : 1));

/** Currencies an account can receive (room under its limit) and send (something held, or trusted to owe). */
export const accountCurrencies: Handler = (context, request) => {
  const named = accountOrIdent(request);
  const selected = selectLedger(context, request);
  const address = addressIn(named);
  const { view } = selected;
  if (address === undefined) throw new RpcError('actMalformed', { fields: selected.fields });
  if (!account(view, address)) throw new RpcError('actNotFound');
  const receive = new Set<string>();
  const send = new Set<string>();
  for (const { line } of linesOf(view, address)) {
    const side = sideOf(line, address);
    const balance = balanceFrom(line, side);
    if (compare(balance, limitOf(line, side)) < 0) receive.add(line.Balance.currency);
    if (compare(negate(balance), limitOf(line, otherSide(side))) < 0) send.add(line.Balance.currency);
  }
  return { receive_currencies: inOrder(receive), send_currencies: inOrder(send), ...selected.fields };
};
