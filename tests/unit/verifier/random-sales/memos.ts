import { DEPOSIT, STRANGER } from './accounts.ts';

/** How an action may be sent, beside the way in which the platform sends it. Not all of these are actions. */
export const MEMO_FORMS = [
  'after_others',
  'before_another',
  'canonical_flag',
  'odd_type',
  'spaced',
  'other_version',
  'further_member',
  'null_member',
  'upper_case_hash',
  'byte_order_mark',
  'invalid_utf8',
  'a_list_of_actions',
  'other_flag',
  'set_flag',
  'clear_flag',
  'failed',
  'by_a_stranger',
  'by_a_delegate',
  'another_type',
] as const;
type MemoForm = (typeof MEMO_FORMS)[number] | 'plain';

type Said = Record<string, unknown>;
type Memo = { Memo: Record<string, string> };

/** The transaction that says `said`; `another` is an action that says something else. */
export function actionTransaction(form: MemoForm, said: Said, another: Said) {
  const tx_json = {
    TransactionType: form === 'another_type' ? 'TicketCreate' : 'AccountSet',
    Account: form === 'by_a_stranger' ? STRANGER : DEPOSIT,
    Memos: memosOf(form, said, another),
    ...(form === 'by_a_delegate' ? { Delegate: STRANGER } : {}),
    ...(form === 'canonical_flag' ? { Flags: 0x8000_0000 } : {}),
    ...(form === 'other_flag' ? { Flags: 0x8001_0000 } : {}),
    ...(form === 'set_flag' ? { SetFlag: 5 } : {}),
    ...(form === 'clear_flag' ? { ClearFlag: 5 } : {}),
  };
  return { tx_json, meta: { TransactionResult: form === 'failed' ? 'tecINSUF_RESERVE_LINE' : 'tesSUCCESS' } };
}

function memosOf(form: MemoForm, said: Said, another: Said): Memo[] {
  const text = JSON.stringify(said);
  switch (form) {
    case 'after_others':
      return [
        { Memo: { MemoType: hex('note') } },
        memo('not JSON'),
        memo('{"v":1}'),
        memo(JSON.stringify({ ...another, because: 'of a member too many' })),
        memo(text),
      ];
    case 'before_another':
      return [memo(text), memo(JSON.stringify(another))];
    case 'odd_type':
      return [{ Memo: { MemoType: hex('poem'), MemoFormat: hex('text/plain'), MemoData: hex(text) } }];
    case 'spaced':
      return [memo(` \n${JSON.stringify(said, null, 2)}\t`)];
    case 'other_version':
      return [memo(JSON.stringify({ ...said, v: 2 }))];
    case 'further_member':
      return [memo(JSON.stringify({ ...said, note: '' }))];
    case 'null_member':
      return [memo(JSON.stringify({ ...said, list_hash: null }))];
    case 'upper_case_hash':
      return [memo(JSON.stringify({ ...said, terms_hash: 'A'.repeat(64) }))];
    case 'byte_order_mark':
      return [memo(`\ufeff${text}`)];
    case 'invalid_utf8':
      return [{ Memo: { MemoData: `${hex(text)}FF` } }];
    case 'a_list_of_actions':
      return [memo(`[${text}]`)];
    default:
      return [memo(text)];
  }
}

const memo = (text: string): Memo => ({ Memo: { MemoData: hex(text) } });
const hex = (text: string): string => Buffer.from(text, 'utf8').toString('hex').toUpperCase();
