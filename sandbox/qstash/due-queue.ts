import type { Message } from './message.ts';

function isBefore(a: Message, b: Message): boolean {
  return a.dueAtMs === b.dueAtMs ? a.sequence < b.sequence : a.dueAtMs < b.dueAtMs;
}

/** Messages by due time, then by age: a binary heap, because thousands may wait while hundreds a second pass. */
export class DueQueue {
  readonly #heap: Message[] = [];

  peek(): Message | undefined {
    return this.#heap[0];
  }

  push(message: Message): void {
    let index = this.#heap.push(message) - 1;
    while (index > 0) {
      const parentIndex = (index - 1) >> 1;
      const parent = this.#heap[parentIndex];
      if (parent === undefined || !isBefore(message, parent)) break;
      this.#heap[index] = parent;
      index = parentIndex;
    }
    this.#heap[index] = message;
  }

  pop(): Message | undefined {
    const first = this.#heap[0];
    const last = this.#heap.pop();
    if (last !== undefined && this.#heap.length > 0) this.#sink(last);
    return first;
  }

  #sink(message: Message): void {
    let index = 0;
    for (;;) {
      const left = this.#heap[2 * index + 1];
      const right = this.#heap[2 * index + 2];
      if (left === undefined) break;
      const isRight = right !== undefined && isBefore(right, left);
      const child = isRight ? right : left;
      if (!isBefore(child, message)) break;
      this.#heap[index] = child;
      index = 2 * index + (isRight ? 2 : 1);
    }
    this.#heap[index] = message;
  }
}
