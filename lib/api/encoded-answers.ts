import { Server, type ServerResponse } from 'node:http';

/** In the place of `content-encoding`: Next.js takes that from the answers of a proxy and of routes, and compresses what is compressed. */
export const ENCODED_AS = 'x-encoded-as';
const HANDLED = Symbol.for('tranche.encoded-answers');

/** From here on this process sends what is compressed as such. */
export function handleEncodedAnswers(): void {
  Object.assign(Server.prototype, { [HANDLED]: true });
}

/** Elsewhere the host compresses. */
export const areEncodedAnswersHandled = (): boolean => HANDLED in Server.prototype;

export function sendEncodedAs(response: ServerResponse): void {
  const { setHeader } = response;
  response.setHeader = (name, value) =>
    Reflect.apply(setHeader, response, [name.toLowerCase() === ENCODED_AS ? 'content-encoding' : name, value]);
}
