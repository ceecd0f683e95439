import { LedgerFault } from '@tranche/verifier/errors.ts';
import { expect, test } from 'vitest';
import { lookUpAll, provesAbsence } from '#lib/xrpl/transactions.ts';

const info = {
  info: { complete_ledgers: '2-200', validated_ledger: { seq: 200, hash: 'A'.repeat(64) } },
};

/** A server whose answers to `tx` are given by the hash asked for. */
const answering = (answers: Record<string, () => unknown>) => ({
  url: 'test',
  request: async (command: object) => ('transaction' in command ? answers[String(command.transaction)]?.() : info),
});
const refuse = (code: string) => () => {
  throw new LedgerFault(code, '');
};

test('an answer that is refused or cannot be read proves nothing, and keeps no other from being found', async () => {
  const server = answering({
    odd: () => ({ validated: 'perhaps' }),
    refused: refuse('invalidParams'),
    absent: refuse('txnNotFound'),
  });
  const lookUps = await lookUpAll(server, ['odd', 'refused', 'absent']);
  expect(lookUps.map((lookUp) => lookUp.state === 'not_validated' && provesAbsence(lookUp.history, 100, 120))).toEqual([
    false,
    false,
    true,
  ]);
});

test('a server that is too busy to look up is no answer at all', async () => {
  await expect(lookUpAll(answering({ busy: refuse('tooBusy') }), ['busy'])).rejects.toThrow('tooBusy');
});
