import { expect, test } from 'vitest';
import { resolveToken } from '#lib/accounts/holders/tokens.ts';
import type { Ctx } from '#lib/ctx.ts';
import { findPayment } from '#lib/sales/held/payment-resource.ts';
import { getInvestment } from '#lib/sales/investments/read-investments.ts';
import { getProject, getProjectByName } from '#lib/sales/projects/get-project.ts';

const away = new Proxy({} as Ctx['db'], {
  get: () => {
    throw new Error('The database was asked');
  },
});
const ctx = { db: away } as Ctx;

// What may stand in an address: a seed, a forged line of a log, a null character.
test.each(['sEdTM1uX8pu2do5XvTnutH6HsouMaM2', 'x%0a{"level":"error"}', 'x\n', 'proj_\0', 'proj_x', 'inv_', 'Sale', ''])(
  'what has no form of an id or a slug (%j) is in no table, and no query carries it',
  async (named) => {
    await expect(getProject(ctx, named)).rejects.toMatchObject({ code: 'project_not_found' });
    await expect(getProjectByName(ctx, named)).rejects.toMatchObject({ code: 'project_not_found' });
    await expect(getInvestment(ctx, named)).rejects.toMatchObject({ code: 'investment_not_found' });
    await expect(findPayment(away, named)).rejects.toMatchObject({ code: 'not_found' });
    await expect(resolveToken(away, { project_id: named })).rejects.toMatchObject({ code: 'project_not_found' });
  },
);

test('what has the form is looked for', async () => {
  await expect(getProjectByName(ctx, 'demo-sale')).rejects.toThrow('The database was asked');
  await expect(getInvestment(ctx, 'inv_0000000000000000000000')).rejects.toThrow('The database was asked');
});
