import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ALL } from '#tests/faults/custody/attacks.ts';
import { PLANTED, type Planted, placesOf } from '#tests/faults/custody/plant.ts';
import { play } from '#tests/faults/custody/play.ts';
import { Stage } from '#tests/faults/custody/stage.ts';
import { THREATS } from '#tests/faults/custody/threats.ts';

it('a thief with the platform’s key and one witness’s gets nothing beyond what is owed, and everything owed is paid once', async () => {
  const stage = await Stage.open();
  try {
    const report = await play(stage, 'spring', { rounds: 9 });
    expect(report.violations).toEqual([]);
    expect(report.figure('answers', 'signed')).toBeGreaterThan(20);
    expect(report.figure('paid', 'obligations')).toBeGreaterThan(10);
  } finally {
    await stage.close();
  }
});

it('each fault that the campaign plants has its place in the witness', () => {
  for (const planted of Object.keys(PLANTED) as Planted[]) expect(placesOf(planted).size).toBeGreaterThan(0);
});

it('each threat that the documentation lists is tried, and each attack is of a threat', () => {
  const documented = readFileSync('docs/custody.md', 'utf8').split('## Threat model')[1]?.split('\n## ')[0] ?? '';
  const rows = [...documented.matchAll(/^\| (.+?) \|/gm)].map(([, threat = '']) => threat.replaceAll("'", '’'));
  expect(rows.slice(1).filter((threat) => !(threat in THREATS))).toEqual([]);
  const tried = new Set<string>(Object.values(THREATS).flat());
  expect(Object.keys(ALL).filter((name) => !tried.has(name))).toEqual([]);
});
