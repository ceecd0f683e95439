import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { sharesSandbox } from './sandbox.ts';

/** Files that share the sandbox of the run wait for each other (in-turn.ts): so many others stand between two of them. */
const BETWEEN = 9;

/**
 * The longest files of a project first, as vitest has them, but for those that take turns: two in a row would keep a process
 * waiting. And one project after the other, since a process serves one alone.
 */
export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const byProject = Map.groupBy(sorted, ({ project }) => project.name);
    return [...byProject.values()].flatMap(spread);
  }
}

function spread(sorted: readonly TestSpecification[]): TestSpecification[] {
  const inTurn = sorted.filter(({ moduleId }) => sharesSandbox(moduleId));
  const others = sorted.filter(({ moduleId }) => !sharesSandbox(moduleId));
  const between = others.flatMap((file, index) => (index % BETWEEN === 0 ? [...inTurn.splice(0, 1), file] : [file]));
  return [...between, ...inTurn];
}
