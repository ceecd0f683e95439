import type { Action } from '@tranche/rules/types.ts';
import { TEST_ADMIN_TOKEN } from '#tests/support/env.ts';
import type { Sale } from './sales.ts';

/** The status that an action brings about. */
const BRINGS: Partial<Record<Action, readonly string[]>> = {
  launch: ['active'],
  pause: ['paused'],
  resume: ['active'],
  end: [],
  cancel: [],
};
const OVER = ['completed', 'cancelled'];
const PATIENCE_MS = 8_000;

interface Releasable {
  status: string;
  releasable_xrp: string;
}

/** Somebody who makes the actions of a sale by the interface, and asks again for what did not come about. */
export class Operator {
  readonly #baseUrl: string;
  readonly #sale: Sale;
  #done = 0;
  #busy = false;
  #isReleased = false;
  /** Actions that were answered by 202. */
  accepted = 0;
  /** Releases of it that were asked for. */
  released = 0;

  constructor(baseUrl: string, sale: Sale) {
    this.#baseUrl = baseUrl;
    this.#sale = sale;
  }

  get isDone(): boolean {
    return this.#done >= this.#sale.script.length;
  }

  /** Looks how far the sale is and asks for the next action if none is under way. Never throws: it comes again. */
  async goOn(): Promise<void> {
    if (this.#busy || (this.isDone && this.#isReleased)) return;
    this.#busy = true;
    try {
      await (this.isDone ? this.#release() : this.#step());
    } catch {
      // The platform did not answer, or not in time.
    } finally {
      this.#busy = false;
    }
  }

  async #step(): Promise<void> {
    const { project, script } = this.#sale;
    const { status, pending_action: pending } = (await this.#call('GET', `/api/projects/${project.id}`)) as {
      status: string;
      pending_action: unknown;
    };
    const missedItsTime = status === 'draft' && project.ends_at !== null && Date.parse(project.ends_at) < Date.now();
    if (OVER.includes(status) || missedItsTime) this.#done = script.length;
    const action = script[this.#done];
    if (action === undefined || pending !== null) return;
    if (BRINGS[action]?.includes(status)) {
      this.#done += 1;
      return;
    }
    await this.#call('POST', `/api/admin/projects/${project.id}/${action}`, { reason: 'asked for by the campaign' });
    this.accepted += 1;
  }

  /** Has what is releasable then sent to the treasury, in the middle of everything; the same request is made once. */
  async #release(): Promise<void> {
    const path = `/api/admin/projects/${this.#sale.project.id}/release`;
    const { status, releasable_xrp: releasable } = (await this.#call('GET', path)) as Releasable;
    if (status === 'cancelled') this.#isReleased = true;
    if (status !== 'completed' || Number(releasable) === 0) return;
    await this.#call('POST', path, { release_id: 'first', reason: 'asked for by the campaign' });
    this.#isReleased = true;
    this.released += 1;
  }

  /** Has the rest released. Gives whether there was any. */
  async releaseRest(): Promise<boolean> {
    const path = `/api/admin/projects/${this.#sale.project.id}/release`;
    const { status, releasable_xrp: releasable } = (await this.#call('GET', path)) as Releasable;
    if (status !== 'completed' || Number(releasable) === 0) return false;
    await this.#call('POST', path, { reason: 'asked for by the campaign' });
    this.released += 1;
    return true;
  }

  async #call(method: string, path: string, body?: object): Promise<unknown> {
    const answer = await fetch(new URL(path, this.#baseUrl), {
      method,
      headers: { authorization: `Bearer ${TEST_ADMIN_TOKEN}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text);
  }
}
