import { beforeAll, describe, expect, test } from 'vitest';
import { CONTRACTS } from '#lib/api/contracts.ts';
import recordings from '#lib/api/examples/recorded.json' with { type: 'json' };
import { foldOpenapi } from '#lib/api/openapi.ts';
import { problemCodesOf } from '#lib/api/openapi-operation.ts';
import type { OpenapiDocument, OpenapiOperation } from '#lib/api/openapi-schema.ts';
import type { Contract } from '#lib/base/contract.ts';
import { applyEnv } from '#lib/base/env.ts';
import { ERROR_STATUS } from '#lib/base/errors.ts';
import { testEnv } from '#tests/support/env.ts';

let document: OpenapiDocument;
beforeAll(() => {
  applyEnv(testEnv());
  document = foldOpenapi(CONTRACTS);
});

const named = CONTRACTS.map((contract) => [contract.id, contract] as const);

/** The operation under both of its path forms. */
const operationsOf = (contract: Contract) =>
  [contract.path, contract.alias ?? contract.path].map(
    (path) => document.paths?.[path]?.[contract.method.toLowerCase() as 'get'] as OpenapiOperation,
  );

const mediaOf = (message: unknown) =>
  Object.entries(Object(message).content ?? {}) as [string, { example?: unknown }][];

describe('an example of the OpenAPI document', () => {
  test.each(named)('%s takes the body that it shows', (_, contract) => {
    expect(operationsOf(contract).length).toBeGreaterThan(0);
    for (const { requestBody } of operationsOf(contract)) {
      expect(mediaOf(requestBody)).toHaveLength(contract.body === undefined ? 0 : 1);
      for (const [, { example }] of mediaOf(requestBody)) {
        expect(example).toBeDefined();
        expect(contract.body?.safeParse(example).error?.issues ?? []).toEqual([]);
      }
    }
  });

  test.each(named)('%s takes the required parameters that it shows', (_, contract) => {
    for (const { parameters = [] } of operationsOf(contract)) {
      for (const part of ['path', 'query'] as const) {
        const given = parameters.flatMap((one) =>
          'name' in one && one.in === part && one.required === true ? [[one.name, one.example]] : [],
        );
        const schema = part === 'path' ? contract.params : contract.query;
        expect(schema?.safeParse(Object.fromEntries(given)).error?.issues ?? []).toEqual([]);
      }
    }
  });

  test.each(named)('%s may answer what it shows, under every success status and in every form', (_, contract) => {
    for (const { responses = {} } of operationsOf(contract)) {
      for (const [status, schema] of Object.entries(contract.responses)) {
        const forms = mediaOf(responses[status]).filter(([type]) => type !== 'application/problem+json');
        expect(forms.length, status).toBeGreaterThan(status === '204' ? -1 : 0);
        for (const [type, { example }] of forms) {
          if (type === 'text/csv') expect(example).toMatch(/^[\w,]+\r\n.+\r\n$/);
          else if (type === 'text/event-stream') expect(example).toMatch(/^(id: .+\n)?event: [\w.]+\ndata: .+\n\n/);
          else expect(schema.safeParse(example).error?.issues ?? [], status).toEqual([]);
        }
      }
    }
  });

  test.each(named)('%s shows a problem for each of its codes', (_, contract) => {
    for (const { responses = {} } of operationsOf(contract)) {
      for (const code of problemCodesOf(contract)) {
        const examples = Object(responses[ERROR_STATUS[code]]).content?.['application/problem+json']?.examples;
        expect(examples?.[code], code).toEqual({ $ref: `#/components/examples/${code}` });
        const shown = document.components?.examples?.[code];
        expect(shown !== undefined && 'value' in shown ? shown.value : null).toMatchObject({
          code,
          status: ERROR_STATUS[code],
        });
      }
    }
  });
});

describe('the examples are of one sale, and true together', () => {
  const answers = recordings as Record<string, { answers: Record<string, unknown> }>;
  const answerOf = (id: string) => Object(Object.values(answers[id]?.answers ?? {})[0]);

  test('what was raised is what its investments paid, and the tiers sold what they bought', () => {
    const { investments } = answerOf('listProjectInvestments') as {
      investments: { confirmed_amount_xrp: string; total_tokens: string }[];
    };
    const { progress, tiers } = answerOf('getProject');
    const sum = (amounts: string[]) => amounts.reduce((so, amount) => so + Number(amount), 0);
    expect(sum(investments.map((one) => one.confirmed_amount_xrp))).toBe(Number(progress.total_raised_xrp));
    expect(sum(investments.map((one) => one.total_tokens))).toBe(
      sum((tiers as { sold_tokens: string }[]).map((one) => one.sold_tokens)),
    );
    expect(progress.total_investors).toBe(investments.length);
  });

  test('ranks, holders and levels come from one snapshot, and the investor of one answer is the holder of the other', () => {
    const { holders, sync_id } = answerOf('listHolders');
    const statistics = answerOf('holderStats');
    expect(statistics).toMatchObject({ sync_id, holders: holders.length });
    expect(holders[0].account).toBe(answerOf('getInvestment').investor_account);
    expect(answerOf('getPlatformIdStatus')).toMatchObject({
      wallet_address: holders[0].account,
      balance: holders[0].balance,
    });
  });

  test('of the machine that they were recorded on, and of its keys, nothing is in them', () => {
    expect(JSON.stringify(recordings)).not.toMatch(/127\.0\.0\.1|localhost|tr_test_|admin_[\w-]{20}/);
  });
});

describe('a reader of the OpenAPI document', () => {
  test('learns what every group of operations is for', () => {
    const described = new Set((document.tags ?? []).map(({ name }) => name));
    expect(CONTRACTS.filter(({ tag }) => !described.has(tag))).toEqual([]);
    expect((document.tags ?? []).every(({ description }) => (description ?? '').length > 10)).toBe(true);
  });
});
