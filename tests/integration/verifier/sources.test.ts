import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runVerification, type VerificationOptions } from '@tranche/verifier/command.ts';
import type { Progress } from '@tranche/verifier/progress.ts';
import { pack, unpack } from '@tranche/verifier/progress.ts';
import { reportOf } from '@tranche/verifier/report.ts';
import { verifySale } from '@tranche/verifier/verify-sale.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { databaseSource } from '#lib/sales/verification/database-source.ts';
import { openStage, type Stage } from '#tests/integration/sales/stage.ts';
import { fullScene, type Scene, verify } from './scene.ts';
import { type Served, serveRoutes } from './serve.ts';

let stage: Stage;
let served: Served;
let scene: Scene;
let folder: string;
beforeAll(async () => {
  stage = await openStage();
  served = await serveRoutes();
  scene = await fullScene(stage);
  folder = await mkdtemp(path.join(tmpdir(), 'verify-'));
});
afterEach(() => stage.desk.ledger.faults.clear());
afterAll(async () => {
  await served?.close();
  await stage?.end();
  await rm(folder, { recursive: true, force: true });
});

describe('a server with partial history', () => {
  it('is 2, and says exactly which ledgers it lacks', async () => {
    const { report } = await verify(stage, served, scene.sale);
    const from = report.checked.from_ledger;
    const gap = { from: from + 4, to: from + 6 };
    stage.desk.ledger.faults.set({ missingLedgers: [gap] });
    const partial = await verify(stage, served, scene.sale);
    expect(partial.code).toBe(2);
    expect(partial.report).toMatchObject({ verdict: 'unchecked', checked: { through_ledger: gap.from - 1 } });
    const account = scene.sale.deposit.address;
    expect(partial.report.unchecked).toMatchObject([
      { account, from_ledger: gap.from, through_ledger: gap.to, reason: expect.stringMatching(/does not hold/) },
      { account, from_ledger: gap.from, through_ledger: report.as_of_ledger },
      // Like a real one, it says nothing of what lies before its last gap.
      { account, from_ledger: from, through_ledger: gap.from - 1, reason: expect.stringMatching(/does not answer/) },
    ]);
  });

  it('that is behind says so for the ledgers that it has not got yet', async () => {
    stage.desk.ledger.faults.set({ lagLedgers: 3 });
    const { code, report } = await verify(stage, served, scene.sale);
    expect(code).toBe(2);
    expect(report.unchecked[0]).toMatchObject({ through_ledger: report.as_of_ledger });
  });
});

describe('what cannot be reached or is not asked rightly', () => {
  const said: string[] = [];
  const run = (over: Partial<VerificationOptions>) =>
    runVerification(
      { baseUrl: served.url, project: scene.sale.project.id, ledger: [stage.desk.ledger.wsUrl], ...over },
      { out: (text) => said.push(text), err: (text) => said.push(text) },
    );

  it('is 2 with a reason: no such sale, a ledger that is not confirmed', async () => {
    expect(await run({ project: 'proj_0000000000000000000000' })).toBe(2);
    expect(said.join('\n')).toMatch(/404/);
    expect(await run({ asOf: 999999 })).toBe(2);
    expect(said.join('\n')).toMatch(/last confirmed/);
  });

  it('reads for people as well as for machines', async () => {
    said.length = 0;
    expect(await run({})).toBe(0);
    expect(said.join('\n')).toMatch(/AGREES/);
    expect(said.join('\n')).toContain(scene.sale.project.id);
  });
});

describe('a verification that is interrupted', () => {
  it('goes on after every page of ledgers and finds the same, from a state that is text', async () => {
    const whole = await verify(stage, served, scene.sale);
    const asOf = whole.report.as_of_ledger;
    let kept: string | null = null;
    let pieces = 0;
    for (;;) {
      let pages = 0;
      const { progress, inputs } = await verifySale({
        source: databaseSource(stage.ctx),
        // A page is one ledger, so that there are many.
        ledger: {
          ...stage.ctx.ledger,
          readFeed: (request) =>
            stage.ctx.ledger.readFeed({
              ...request,
              throughLedger: Math.min(request.throughLedger, request.afterLedger + 1),
            }),
        },
        projectId: scene.sale.project.id,
        asOf,
        progress: kept === null ? null : (unpack(kept) as Progress),
        pageDone: async () => ++pages < 2,
      });
      pieces += 1;
      if (progress.phase === 'done') {
        expect(reportOf(progress, inputs)).toEqual(whole.report);
        break;
      }
      kept = pack(progress);
    }
    expect(pieces).toBeGreaterThan(5);
  });

  it('keeps its place in a file while it runs, and removes it at the end', async () => {
    const state = path.join(folder, 'state.json');
    const { code, said } = await verify(stage, served, scene.sale, { state });
    expect({ code, left: existsSync(state) }).toEqual({ code: 0, left: false });
    expect(said.length).toBeGreaterThan(2);
  });
});

describe('a platform that breaks off', () => {
  it('is asked again after the last row that arrived', async () => {
    served.breakNext(3);
    expect((await verify(stage, served, scene.sale)).code).toBe(0);
  });
});
