import { expect, test } from 'vitest';
import { KeptAnswers } from '#lib/api/kept-answers.ts';

test('an answer that was made before the clock was set back is made anew', async () => {
  const kept = new KeptAnswers();
  let made = 0;
  const ask = async (nowMs: number) => {
    const { headers } = await kept.get('a', nowMs, async () => {
      made += 1;
      return {
        status: 200,
        headers: { 'cache-control': 'public, max-age=5', made: String(made) },
        body: null,
        etag: null,
      };
    });
    return headers.made;
  };
  expect([await ask(600_000), await ask(0), await ask(1)]).toEqual(['1', '2', '2']);
});
