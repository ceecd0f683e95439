import type { Operation } from './operations.ts';
import type { Attempt } from './requests.ts';

interface Failure {
  count: number;
  example: string;
}

const shortened = (text: string): string => (text.length > 300 ? `${text.slice(0, 300)}… (${text.length})` : text);

/** Counts answers by operation and status, and groups what failed. */
export class Report {
  readonly #statuses = new Map<string, Map<string, number>>();
  readonly #failures = new Map<string, Failure>();
  #requests = 0;

  get requests(): number {
    return this.#requests;
  }

  get hasFailures(): boolean {
    return this.#failures.size > 0;
  }

  count(operation: Operation, outcome: string): void {
    this.#requests += 1;
    const counts = this.#statuses.get(operation.id) ?? new Map<string, number>();
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    this.#statuses.set(operation.id, counts);
  }

  fail(operation: Operation, fault: string, attempt: Attempt, text: string): void {
    const key = `${operation.id}: ${fault}`;
    const known = this.#failures.get(key);
    const { credential, target, headers, body } = attempt;
    const shown = `as ${credential}: ${operation.method} ${target} ${JSON.stringify(headers)} ${body?.toString() ?? ''}`;
    this.#failures.set(key, {
      count: (known?.count ?? 0) + 1,
      example: known?.example ?? `${shortened(shown)}\n    answered ${shortened(text)}`,
    });
  }

  lines(): string[] {
    const statuses = [...this.#statuses].map(([id, counts]) => {
      const shown = [...counts]
        .toSorted(([a], [b]) => a.localeCompare(b))
        .map(([status, count]) => `${status}: ${count}`);
      return `${id.padEnd(40)} ${shown.join('  ')}`;
    });
    const failures = [...this.#failures].map(
      ([key, { count, example }]) => `FAILED ${count} times ${key}\n    ${example}`,
    );
    return [...statuses, ...failures, `${this.#requests} requests, ${this.#failures.size} kinds of failure`];
  }
}
