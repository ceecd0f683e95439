import { sideOf } from '../engine/lines.ts';
import { account } from '../engine/view.ts';
import { has, LINE, LSF } from '../entries.ts';
import type { Json, JsonObject } from '../json.ts';
import { linesOf } from './accountLines.ts';
import { asBool, asText, invalidField, missingField, requireBoolean, requiredText } from './fields.ts';
import { pageLimit, selectAccount, selectLedger } from './select.ts';
import { type Handler, RpcError } from './types.ts';

const LIMITS = { least: 10, usual: 300, most: 400 };
const TF_SET_NO_RIPPLE = 0x00020000;
const TF_CLEAR_NO_RIPPLE = 0x00040000;
const ASF_DEFAULT_RIPPLE = 8;

type Role = 'gateway' | 'user';

function roleOf(request: JsonObject): Role {
  const role = asText(request.role);
  if (role !== 'gateway' && role !== 'user') throw invalidField('role');
  return role;
}

/** `noripple_check`: settings that an issuer or a user had better change, and the transactions that would. */
export const noRippleCheck: Handler = (context, request) => {
  for (const name of ['account', 'role']) if (!(name in request)) throw missingField(name);
  requiredText(request, 'account');
  const role = roleOf(request);
  const limit = pageLimit(request, LIMITS);
  const wantsTransactions = asBool(request.transactions);
  if (context.apiVersion > 1) requireBoolean(request, 'transactions');
  const selected = selectLedger(context, request);
  // The server has begun its list by then.
  const begun = wantsTransactions ? { transactions: [] } : {};
  const address = selectAccount(request, { ...begun, ...selected.fields });
  const root = account(selected.view, address);
  if (!root) throw new RpcError('actNotFound');
  const problems: string[] = [];
  const transactions: Json[] = [];
  let sequence = root.Sequence;
  const propose = (fields: JsonObject): void => {
    transactions.push({
      ...fields,
      Account: address,
      Fee: Number(context.chain.rules.baseFeeDrops),
      Sequence: sequence,
    });
    sequence += 1;
  };
  const ripples = has(root.Flags, LSF.defaultRipple);
  if (ripples && role === 'user') {
    problems.push(
      'You appear to have set your default ripple flag even though you are not a gateway. This is not recommended unless you are experimenting',
    );
  } else if (!ripples && role === 'gateway') {
    problems.push('You should immediately set your default ripple flag');
    propose({ TransactionType: 'AccountSet', SetFlag: ASF_DEFAULT_RIPPLE });
  }
  const advice = role === 'gateway' ? 'You should clear' : 'You should probably set';
  let found = 0;
  for (const { line } of linesOf(selected.view, address)) {
    if (found === limit) break;
    const side = sideOf(line, address);
    if (has(line.Flags, LINE[side].noRipple) !== (role === 'gateway')) continue;
    found += 1;
    const [own, peer] = side === 'low' ? [line.LowLimit, line.HighLimit] : [line.HighLimit, line.LowLimit];
    problems.push(`${advice} the no ripple flag on your ${own.currency} line to ${peer.issuer}`);
    propose({
      TransactionType: 'TrustSet',
      Flags: role === 'gateway' ? TF_CLEAR_NO_RIPPLE : TF_SET_NO_RIPPLE,
      LimitAmount: { ...own, issuer: peer.issuer },
    });
  }
  return { problems, ...(wantsTransactions ? { transactions } : {}), ...selected.fields };
};
