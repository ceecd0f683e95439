import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cleanBlock } from '#lib/assistant/safety/clean-block.ts';
import { library, search, shownOf } from '#lib/assistant/search/search.ts';
import { KEYWORDS } from '#lib/assistant/search/vocabulary.ts';
import { putInForce } from '#lib/base/env.ts';
import { testEnv } from '#tests/support/env.ts';
import { GUIDE_QUESTIONS } from './guide-questions.ts';

beforeAll(() => putInForce(testEnv({ BASE_URL: 'https://tranche.test' })));
afterAll(() => putInForce(testEnv()));

const sectionOf = (id: string): string => id.replace(/ \d+$/, '');

/** The nearest sections to a question, and whether the first is given as its answer. */
async function nearestTo(question: string): Promise<{ nearest: string[]; isSure: boolean }> {
  const { found, isSure } = await search(question, 4);
  return { nearest: found.map(({ passage }) => sectionOf(passage.id)), isSure };
}

describe('questions of developers and operators', () => {
  test('are answered by the right section, or it is one of the two that are shown; hardly one is answered by another', async () => {
    const searched = { all: 0, right: 0, near: 0 };
    const elsewhere: string[] = [];
    for (const line of GUIDE_QUESTIONS.trim().split('\n')) {
      const [question = '', wanted = ''] = line.split(' || ');
      const accepted = wanted.split(',');
      if (!accepted.every((one) => one.includes('#'))) continue;
      const { nearest, isSure } = await nearestTo(question);
      searched.all += 1;
      const isRight = accepted.includes(nearest[0] ?? '?');
      if (isRight && isSure) searched.right += 1;
      else if (isSure) elsewhere.push(`${question} → ${nearest[0]}`);
      else if (nearest.slice(0, 2).some((one) => accepted.includes(one))) searched.near += 1;
    }
    expect(elsewhere.length / searched.all, elsewhere.join('\n')).toBeLessThanOrEqual(0.03);
    expect(searched.right / searched.all).toBeGreaterThanOrEqual(0.72);
    expect((searched.right + searched.near) / searched.all).toBeGreaterThanOrEqual(0.88);
  });

  test.each([
    ['how do i get on the list'],
    ['what is this site'],
    ['when will it continue'],
    ['does the order matter if me and another guy pay in the same second'],
    ['so do i keep the tokens or what'],
    ['whats going on, why is it on hold'],
    ['my two wallets, can you merge them'],
  ])('%s: no guide for developers or operators is given as its answer', async (question) => {
    expect((await nearestTo(question)).isSure).toBe(false);
  });
});

describe('what is shown of a section', () => {
  const shownFor = async (question: string) => {
    const { found } = await search(question, 1);
    const [best] = found;
    if (best === undefined) throw new Error('Nothing was found');
    return { id: sectionOf(best.passage.id), ...(await shownOf(best.passage, question)) };
  };

  test.each([
    ['while Redis is away, what happens to rate limits', 'operations#rate-limits', 'The classes and numbers are in'],
    ['how do i put it on vercel', 'deploying#on-vercel', '1. **Project.**'],
    ['rotate webhook secret with zero downtime', 'webhooks#rotate-the-secret', 'No receiver breaks'],
    ['move raised xrp to treasury', 'operations#releasing-what-was-raised', 'XRP leaves a deposit account'],
    ['delivery status cancelled, cancelled_reason', 'webhooks#the-log', '`GET /webhooks/{webhook_id}/deliveries`'],
  ])('%s: it begins with what makes it understandable', async (question, section, beginning) => {
    const { id, text } = await shownFor(question);
    expect(id).toBe(section);
    expect(text.startsWith(beginning), text.slice(0, 200)).toBe(true);
  });

  test.each([
    ['which ports can my webhook endpoint use', 'webhooks#limits', 'ports 443 and 8443'],
    ['do you follow redirects when delivering', 'webhooks#receive', 'Redirects are not followed'],
  ])('%s: where it is not sure, the hint is the line that says most of it', async (question, section, says) => {
    const { found } = await search(question, 2);
    const one = found.find(({ passage }) => sectionOf(passage.id) === section);
    if (one === undefined) throw new Error('It is not among the nearest');
    expect((await shownOf(one.passage, question)).snippet).toContain(says);
  });

  test('a short one is shown whole, with its lists and tables', async () => {
    const { text, isWhole } = await shownFor('what are the retry delays of webhooks');
    expect(isWhole).toBe(true);
    for (const delay of ['5 s', '25 s', '2 min', '10 min', '1 h', '6 h']) expect(text).toContain(delay);
  });

  test('of a long one it is said that there is more, and nothing that leads nowhere ends it', async () => {
    const { text, isWhole } = await shownFor('how do I restore a backup');
    expect(isWhole).toBe(false);
    expect(text).toContain('**Take the keys away**');
    expect(text).not.toMatch(/:\s*$/);
  });
});

test('every keyword belongs to a section that is there', async () => {
  const { passages } = await library();
  for (const id of Object.keys(KEYWORDS)) expect(passages.has(id), id).toBe(true);
});

test('no passage loses an address when it is shown, but two that name hosts of others', async () => {
  const { passages } = await library();
  const lost = [...passages.values()].filter(({ text }) => cleanBlock(text).markdown.includes('[link removed]'));
  // A variable of nginx in place of a host, and a server of the ledger's test network.
  expect(lost.map(({ id }) => id)).toEqual(['deploying#the-proxy', 'README#try-it 2']);
});
