import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorsOf, patch, termsOf } from './lock-terms.ts';
import { openStage, type Stage } from './stage.ts';
import { ENDS_AT, UNSOLD_UNTIL, unsoldDraft } from './unsold-sale.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.end());

describe('a draft that promises to lock what it does not sell', () => {
  it('says so in the project and in the terms, and one that does not has the terms of before', async () => {
    const sale = await unsoldDraft(stage);
    expect(sale.project.unsold_until).toBe(UNSOLD_UNTIL);
    expect((await termsOf(stage, sale)).unsold_until).toBe(UNSOLD_UNTIL);
    expect((await patch(stage, sale, { unsold_until: null })).unsold_until).toBeNull();
    expect(await termsOf(stage, sale)).not.toHaveProperty('unsold_until');
  });

  const afterEnd = (days: number, ms = 0) => new Date(Date.parse(ENDS_AT) + days * 86_400_000 + ms);

  it('takes a time from two days to ten years after its end, in whole seconds', async () => {
    const sale = await unsoldDraft(stage);
    for (const time of [afterEnd(2), afterEnd(3_650)])
      expect((await patch(stage, sale, { unsold_until: time })).unsold_until).toBe(time.toISOString());
    const faults = [];
    for (const time of [afterEnd(2, -1_000), afterEnd(3_650, 1_000), afterEnd(3, 1)]) {
      faults.push(...(await errorsOf(patch(stage, sale, { unsold_until: time }), 'invalid_request')));
    }
    expect(faults).toEqual([
      { field: 'unsold_until', message: 'must be at least 2 days after ends_at' },
      { field: 'unsold_until', message: 'must be at most 3650 days after ends_at' },
      { field: 'unsold_until', message: expect.stringContaining('must be a whole second') },
    ]);
  });

  it('needs an end, also when the end is taken away later', async () => {
    const message = expect.stringContaining('needs ends_at');
    expect(await errorsOf(unsoldDraft(stage, { ends_at: null }), 'invalid_request')).toEqual([
      { field: 'unsold_until', message },
    ]);
    const taken = patch(stage, await unsoldDraft(stage), { ends_at: null });
    expect(await errorsOf(taken, 'invalid_request')).toEqual([{ field: 'unsold_until', message }]);
  });

  it('needs a distributor that is not the issuer', async () => {
    const asked = stage.draft({ ends_at: ENDS_AT, unsold_until: UNSOLD_UNTIL });
    expect(await errorsOf(asked, 'invalid_request')).toEqual([
      { field: 'unsold_until', message: expect.stringContaining('a distributor that is not the issuer') },
    ]);
  });
});
