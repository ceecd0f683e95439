import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStage, type Stage } from '#tests/integration/sales/stage.ts';
import { fullScene, named, type Scene, verify } from './scene.ts';
import { type Served, serveRoutes } from './serve.ts';

let stage: Stage;
let served: Served;
let scene: Scene;
beforeAll(async () => {
  stage = await openStage();
  served = await serveRoutes();
  scene = await fullScene(stage);
});
afterAll(async () => {
  await served?.close();
  await stage?.end();
});

describe('an honest sale', () => {
  it('agrees, over HTTP and from the public ledger alone', async () => {
    const verified = await verify(stage, served, scene.sale);
    expect(named(verified)).toEqual([]);
    expect(verified.code).toBe(0);
    expect(verified.report).toMatchObject({
      verdict: 'agrees',
      checked: { payments: 5, payouts_owed: 0, payouts_cancelled: 0 },
      exceptions: { assign: 1, late_discovery: 1 },
      unchecked: [],
    });
    expect(verified.report.checked.payouts_validated).toBe(verified.report.checked.payouts);
    expect(verified.report.anchors.lists).toHaveLength(1);
  });
});
