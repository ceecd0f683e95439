import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { runTool } from '#lib/assistant/run-tool.ts';
import { tools } from '#lib/assistant/tools/index.ts';
import { getProjectTool, listProjectsTool } from '#lib/assistant/tools/sale-reads.ts';
import { searchHelpTool } from '#lib/assistant/tools/search-help.ts';
import { openStage, type Sale, type Stage } from '#tests/integration/sales/stage.ts';

let stage: Stage;
let sale: Sale;
let hash: string;
beforeAll(async () => {
  stage = await openStage();
  sale = await stage.launched({ name: 'Solar Farm' });
  hash = await stage.pay(await stage.account(), sale, 25);
  await stage.settle(sale.deposit);
});
afterAll(() => stage?.end());

/** A proper input for every tool, by the names of its fields. */
const sampleOf = (field: string): string | boolean => {
  const values: Readonly<Record<string, string | boolean>> = {
    project_id: sale.project.id,
    wallet_address: sale.issuer.address,
    amount_xrp: '25',
    tokens: '10',
    transaction_hash: hash,
    query: 'verify a signature',
    for_investors: false,
    id: 'webhooks#retries',
  };
  const value = values[field];
  if (value === undefined) throw new Error(`No value for ${field}`);
  return value;
};

describe('the tools of the assistant', () => {
  test('have names of their own and a form that a language model can be given', () => {
    expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
    for (const { name, description, input } of tools) {
      expect(name).toMatch(/^[a-z_]{3,40}$/);
      expect(description.length).toBeGreaterThan(20);
      expect(z.toJSONSchema(input, { io: 'input' })).toMatchObject({ type: 'object' });
    }
  });

  test('each reads what it is for where nothing can be changed, as JSON without loss, with its sources', async () => {
    for (const tool of tools) {
      const fields = Object.keys(z.toJSONSchema(tool.input, { io: 'input' }).properties ?? {});
      const input = tool.input.parse(Object.fromEntries(fields.map((field) => [field, sampleOf(field)])));
      const { data, sources } = await runTool(stage.ctx, tool, input);
      expect(JSON.parse(JSON.stringify(data)), tool.name).toEqual(data);
      for (const { title, url } of sources) {
        expect(title, tool.name).not.toBe('');
        expect(url, tool.name).toMatch(
          /^http:\/\/127\.0\.0\.1:9\/(?:$|(?:api|sales|wallets|investments|reference|docs|holders|developers|status)\b)/,
        );
      }
    }
  });

  test('the issuer of the token is told apart from a wallet that is not ready', async () => {
    const tool = tools.find(({ name }) => name === 'token_setup');
    const input = { project_id: sale.project.id, wallet_address: sale.issuer.address };
    expect((await tool?.run(stage.ctx, input))?.data).toMatchObject({ wallet: { ready: false, problem: 'is_issuer' } });
  });

  test('guides and questions are found with the page of each, in the language that was asked in', async () => {
    const found = await runTool(stage.ctx, searchHelpTool, { query: '¿qué pasa si envío sin etiqueta de destino?' });
    const [question] = found.data.questions;
    expect(question?.answer).toMatch(/etiqueta/);
    const urls = found.sources.map(({ url }) => url);
    expect(urls).toEqual([...new Set(urls)]);
    for (const { url } of [...found.data.questions, ...found.data.passages]) expect(urls).toContain(url);
  });

  test('a sale that is over is listed without a tier that sells', async () => {
    const over = await stage.launched({ name: 'Over' });
    const tierOf = async () => {
      const { projects } = (await runTool(stage.ctx, listProjectsTool, {})).data;
      return projects.find(({ id }) => id === over.project.id)?.current_tier;
    };
    expect(await tierOf()).toMatchObject({ tier: 1 });
    await stage.act(over, 'end');
    await stage.settle(over.deposit);
    expect(await tierOf()).toBeNull();
  });

  test('a list of the whole sale is shown with each of its tiers', async () => {
    const { project } = await stage.draft({ name: 'Members only', access: 'allowlist' });
    expect(project.tiers.map(({ access }) => access)).toContain('open');
    const { data } = await runTool(stage.ctx, getProjectTool, { project_id: project.id });
    expect(data.tiers.map(({ access }) => access)).toEqual(data.tiers.map(() => 'allowlist'));
  });

  test('inputs that are none are refused before anything is read', () => {
    for (const { input, name } of tools) {
      expect(input.safeParse({ project_id: 'x', wallet_address: 'x', unknown: 1 }).success, name).toBe(false);
    }
  });
});
