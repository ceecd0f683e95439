import { randomBytes } from 'node:crypto';

/** The two keys a receiver verifies with. Callbacks are signed with the current one. */
export class SigningKeys {
  #current: string;
  #next: string;

  constructor(current: string, next: string) {
    this.#current = current;
    this.#next = next;
  }

  get current(): string {
    return this.#current;
  }

  get next(): string {
    return this.#next;
  }

  /** The next key becomes the current one: receivers that know both go on without a change. */
  rotate(): void {
    this.#current = this.#next;
    this.#next = `sig_${randomBytes(18).toString('base64url')}`;
  }
}
