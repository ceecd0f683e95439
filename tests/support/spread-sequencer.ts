import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files of the system project wait for each other (in-turn.ts): so many others stand between two of them. */
const BETWEEN = 9;

/** The longest files first, as vitest has them, but for those that take turns: two in a row would keep a process waiting. */
export class SpreadSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const inTurn = sorted.filter(({ project }) => project.name === 'system');
    const others = sorted.filter(({ project }) => project.name !== 'system');
    const spread = others.flatMap((file, index) => (index % BETWEEN === 0 ? [...inTurn.splice(0, 1), file] : [file]));
    return [...spread, ...inTurn];
  }
}
