import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Wallet } from 'xrpl';
import type { FieldError } from '#lib/base/errors.ts';
import { getProject } from '#lib/sales/projects/get-project.ts';
import { getTerms } from '#lib/sales/projects/get-terms.ts';
import { patchProject } from '#lib/sales/projects/patch-project.ts';
import { call } from '#tests/integration/webhooks/call.ts';
import { testCtx } from '#tests/support/ctx.ts';
import { TEST_ADMIN_TOKEN } from '#tests/support/env.ts';
import { changeRows, rowsOf } from '#tests/support/rows.ts';
import * as route from '../../../app/api/admin/projects/[id]/route.ts';
import { issue } from './issuance.ts';
import { CURRENCY, openStage, type ProjectBody, type Sale, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.end());

const patch = (sale: Pick<Sale, 'project'>, body: Record<string, unknown>, apiKey = TEST_ADMIN_TOKEN) =>
  call(route, 'PATCH', { apiKey, params: { id: sale.project.id }, body: { reason: 'asked for', ...body } });
const faultsOf = ({ status, body }: { status: number; body: Record<string, unknown> }) => [
  status,
  body.code,
  ...((body.errors ?? []) as FieldError[]).map(({ field }) => field),
];
const read = (sale: Pick<Sale, 'project'>) => getProject(stage.ctx, sale.project.id);
const auditOf = async (sale: Pick<Sale, 'project'>) => {
  const rows = await rowsOf(stage.database.db, 'auditEntries', { subject: sale.project.id });
  return rows
    .filter(({ action }) => action === 'project.patch')
    .map(({ reason, before, after }) => ({ reason, before, after }));
};

const EVERYTHING = {
  name: 'Another sale',
  description: 'What it is for',
  website: 'https://sale.example/',
  logo: 'https://sale.example/logo.png',
  links: [{ label: 'Code', url: 'https://code.sale.example/' }],
  team: [{ name: 'Ada', role: 'Founder', url: null }],
  documents: [{ title: 'Paper', url: 'https://sale.example/paper.pdf', sha256: 'ab'.repeat(32) }],
  tiers: [{ price_per_token: '0.50', total_tokens: '40', access: 'allowlist', starts_at: '2100-01-02T00:00:00.000Z' }],
  starts_at: '2100-01-01T00:00:00.000Z',
  ends_at: '2100-02-01T00:00:00.000Z',
  min_investment_xrp: '1.000000',
  soft_cap_xrp: '10.000000',
  max_per_wallet_xrp: '15.000000',
  access: 'allowlist',
  distribution: 'at_end',
  vesting: { immediate_bps: 1_000, cliff_days: 30, period_days: 30, periods: 12 },
  claim_days: 30,
} satisfies Partial<ProjectBody>;

describe('a draft', () => {
  it('can change in everything, and is then what it would be if it had been created so', async () => {
    const sale = await stage.draft();
    const [distributor, treasury] = await stage.desk.accounts(2);
    const slug = `patched-${randomBytes(4).toString('hex')}`;
    const token = { kind: 'iou', currency: 'OTH', issuer: (await stage.issuer()).address, decimals: 2 };
    const body = { ...EVERYTHING, slug, token, distributor: distributor?.address, treasury: treasury?.address };
    const { status, body: answer } = await patch(sale, body);
    expect(status).toBe(200);
    expect(answer).toMatchObject({
      ...body,
      tiers: [{ tier: 1, ...EVERYTHING.tiers[0], total_tokens: '40.000000', sold_tokens: '0.000000' }],
      status: 'draft',
      deposit_address: sale.project.deposit_address,
      destination_tag: sale.project.destination_tag,
      terms_hash: null,
    });
    expect(await read(sale)).toEqual(answer);
    expect(JSON.parse((await getTerms(stage.ctx, sale.project.id)).canonical)).toMatchObject({
      name: body.name,
      token,
    });
  });

  it('keeps what is left out, and null clears what is optional', async () => {
    const sale = await stage.draft({ ...EVERYTHING, access: 'open', distribution: 'at_end' });
    const kept = await patch(sale, { claim_days: 7 });
    expect(kept.body).toEqual({ ...sale.project, claim_days: 7 });
    const cleared = ['website', 'logo', 'starts_at', 'ends_at', 'min_investment_xrp', 'soft_cap_xrp'];
    const { status, body } = await patch(sale, {
      ...Object.fromEntries(cleared.map((field) => [field, null])),
      vesting: null,
    });
    expect(status).toBe(200);
    for (const field of cleared) expect(body[field], field).toBeNull();
    expect(body.vesting).toEqual({ immediate_bps: 10_000, cliff_days: 0, period_days: 0, periods: 0 });
    expect(body.max_per_wallet_xrp).toBe('15.000000');
  });

  it('can sell an MPT instead', async () => {
    const sale = await stage.draft();
    const token = { kind: 'mpt', issuance_id: await issue(stage, sale.issuer), decimals: 2 };
    const { status, body } = await patch(sale, { token });
    expect([status, body.token]).toEqual([200, token]);
    const back = { kind: 'iou', currency: CURRENCY, issuer: sale.issuer.address, decimals: 6 };
    expect((await patch(sale, { token: back })).body).toEqual(sale.project);
  });

  it('is checked whole: what stays must go with what changes', async () => {
    const sale = await stage.draft({ distribution: 'at_end', soft_cap_xrp: '1100', ends_at: '2100-01-01T00:00:00Z' });
    const before = await read(sale);
    for (const [body, field] of [
      [{ distribution: 'immediate' }, 'soft_cap_xrp'],
      [{ tiers: [{ price_per_token: '0.10', total_tokens: '1000' }] }, 'soft_cap_xrp'],
      [{ starts_at: '2100-01-02T00:00:00Z' }, 'ends_at'],
      [{ treasury: sale.deposit.address }, 'treasury'],
      [{ treasury: Wallet.generate().address }, 'treasury'],
      [{ min_investment_xrp: '0' }, 'min_investment_xrp'],
      [{ name: null }, 'name'],
      [{ destination_tag: 1 }, 'destination_tag'],
      [{ deposit_address: sale.issuer.address }, 'deposit_address'],
      [{ reason: ' ' }, 'reason'],
      [{}, 'body'],
    ] as const) {
      expect(faultsOf(await patch(sale, body))).toEqual([400, 'invalid_request', field]);
    }
    const fine = await stage.draft({ tiers: [{ price_per_token: '0.10', total_tokens: '0.5' }] });
    const coarse = { kind: 'iou', currency: CURRENCY, issuer: fine.issuer.address, decimals: 0 };
    expect(faultsOf(await patch(fine, { token: coarse }))).toEqual([400, 'invalid_request', 'tiers[0].total_tokens']);
    expect(await read(sale)).toEqual(before);
    expect(await auditOf(sale)).toEqual([]);
  });

  it('leaves who changed what, and why, in the audit', async () => {
    const sale = await stage.draft();
    const { links } = EVERYTHING;
    await patch(sale, { claim_days: 7, website: 'https://sale.example/', links, reason: 'the lawyers' });
    expect(await auditOf(sale)).toEqual([
      {
        reason: 'the lawyers',
        before: { claim_days: 90, website: null, links: [] },
        after: { claim_days: 7, website: 'https://sale.example/', links },
      },
    ]);
  });

  it('does not get a slug that is taken, also when two ask for it at once', async () => {
    const [first, second] = [await stage.draft(), await stage.draft()];
    const slug = `wanted-${randomBytes(4).toString('hex')}`;
    const answers = await Promise.all([patch(first, { slug }), patch(second, { slug })]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(faultsOf(refused!)).toEqual([409, 'conflict', 'slug']);
    const winner = answers[0]?.status === 200 ? first : second;
    // Its own slug is no other's.
    expect((await patch(winner, { slug })).status).toBe(200);
  });

  it('loses no change when two are made at once', async () => {
    const sale = await stage.draft();
    const answers = await Promise.all([patch(sale, { claim_days: 7 }), patch(sale, { name: 'Renamed' })]);
    const done = answers.map(({ status }) => status);
    expect(done).toContain(200);
    const { claim_days, name } = await read(sale);
    expect([claim_days === 7, name === 'Renamed']).toEqual(done.map((status) => status === 200));
  });

  it('is changed by operators only, and read by administrators', async () => {
    const sale = await stage.draft();
    expect((await patch(sale, { name: 'x' }, 'wrong')).status).toBe(401);
    expect((await call(route, 'GET', { apiKey: 'wrong', params: { id: sale.project.id } })).status).toBe(401);
    const { body } = await call(route, 'GET', { apiKey: TEST_ADMIN_TOKEN, params: { id: sale.project.id } });
    expect(body).toEqual(sale.project);
    const nobody = { project: { ...sale.project, id: `proj_${'0'.repeat(22)}` } };
    expect(faultsOf(await patch(nobody, { name: 'x' }))).toEqual([404, 'project_not_found']);
  });

  it('does not change in its terms without the ledger', async () => {
    const sale = await stage.draft();
    const change = (fields: object) =>
      patchProject(stage.cutOff, { id: sale.project.id, patch: fields, reason: 'asked for' });
    await expect(change({ name: 'Renamed' })).rejects.toMatchObject({ code: 'ledger_unavailable' });
    expect(await change({ description: 'Told anew' })).toEqual({ ...sale.project, description: 'Told anew' });
  });
});

describe('a launch', () => {
  it('lets nothing change while it is on its way', async () => {
    const sale = await stage.draft();
    const launching = await stage.act(sale, 'launch');
    for (const body of [{ name: 'Renamed' }, { description: 'Told anew' }]) {
      expect(faultsOf(await patch(sale, body))).toEqual([409, 'conflict']);
    }
    expect(await read(sale)).toEqual(launching);
    await stage.settle(sale.deposit);
    expect((await read(sale)).status).toBe('active');
  });

  it('fixes everything but what no terms hold for good', async () => {
    const sale = await stage.launched();
    const terms = await getTerms(stage.ctx, sale.project.id);
    const lists = { links: EVERYTHING.links, team: [], documents: EVERYTHING.documents };
    const free = { description: 'Told anew', website: 'https://sale.example/', logo: null, ...lists };
    expect((await patch(sale, free)).body).toMatchObject({ ...free, status: 'active' });
    for (const [field, value] of Object.entries({ ...EVERYTHING, slug: 'x' })) {
      if (field in free) continue;
      const answer = await patch(sale, { [field]: value, description: 'Not this' });
      expect(faultsOf(answer)).toEqual([409, 'conflict', `${field}`]);
      expect(answer.body.detail).toBe(
        'The project is active: its terms are fixed. Only description, website, logo, links, team, documents can still change.',
      );
    }
    expect((await read(sale)).description).toBe('Told anew');
    expect(await getTerms(stage.ctx, sale.project.id)).toEqual(terms);
    await stage.act(sale, 'end');
    await stage.settle(sale.deposit);
    expect((await patch(sale, { description: 'It is over' })).status).toBe(200);
    expect(faultsOf(await patch(sale, { name: 'Renamed' }))).toEqual([409, 'conflict', 'name']);
  });

  it('that expired gives way to other terms, whose hash the next one anchors', async () => {
    const sale = await stage.draft();
    await changeRows(
      stage.database.db,
      'projects',
      { id: sale.project.id },
      { terms: '{}', termsHash: '0'.repeat(64) },
    );
    expect((await patch(sale, { name: 'Renamed' })).body).toMatchObject({ name: 'Renamed', terms_hash: null });
    const { sha256, canonical } = await getTerms(stage.ctx, sale.project.id);
    expect(JSON.parse(canonical)).toMatchObject({ name: 'Renamed' });
    await stage.act(sale, 'launch');
    await stage.settle(sale.deposit);
    expect(await read(sale)).toMatchObject({ status: 'active', terms_hash: sha256 });
  });

  it('never anchors terms that were changed while it was signed', async () => {
    const sale = await stage.draft();
    const { ledger } = stage.ctx;
    let changes = 0;
    const slow = testCtx({
      db: stage.database.db,
      overrides: {
        // The sequence is asked for between the first check and the persisted action.
        ledger: {
          ...ledger,
          async nextSequence(address) {
            changes += 1;
            expect((await patch(sale, { claim_days: 7 })).status).toBe(200);
            return ledger.nextSequence(address);
          },
        },
      },
    });
    await expect(stage.act(sale, 'launch', slow)).rejects.toMatchObject({ code: 'conflict' });
    expect(changes).toBe(1);
    expect(await read(sale)).toEqual({ ...sale.project, claim_days: 7 });
  });
});
