import { openSecret } from '#lib/webhooks/secret.ts';
import type { Claimed } from './claim.ts';
import { type Signer, signerOf } from './signature.ts';

/** Signers of webhooks, opened once a slice: a secret that changed meanwhile is sealed anew, and so another one. */
export class Signers {
  readonly #opened = new Map<string, Signer>();

  /** Throws when a secret cannot be opened. */
  of({
    webhookId,
    sealedSecret,
    nextSealedSecret,
  }: Pick<Claimed, 'webhookId' | 'sealedSecret' | 'nextSealedSecret'>): Signer {
    const key = `${webhookId} ${sealedSecret} ${nextSealedSecret}`;
    const opened = this.#opened.get(key);
    if (opened !== undefined) return opened;
    const signer = signerOf({
      secret: openSecret(sealedSecret, webhookId),
      nextSecret: nextSealedSecret === null ? null : openSecret(nextSealedSecret, webhookId),
    });
    this.#opened.set(key, signer);
    return signer;
  }
}
