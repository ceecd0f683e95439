import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Document, Operation } from './operations.ts';
import type { Answer } from './send.ts';

/** Nothing is away while the fuzzer runs, so no operation may fail; one that is not there yet may say so. */
const NO_FAULT = 501;
/** Two exports may be written at a time, and earlier ones may not have been closed yet. */
const isBusyExport = (answer: Answer): boolean =>
  answer.status === 503 && answer.text.includes('exports are being written');

/** Ledgers that the servers do not have, or not yet: an operator asks again with others, or later. */
const isBeyondHistory = (answer: Answer): boolean =>
  answer.status === 503 && answer.text.includes('The ledger server lacks ledgers');

const escaped = (step: string): string => step.replaceAll('~', '~0').replaceAll('/', '~1');

const typeOf = (answer: Answer): string =>
  String(answer.headers['content-type'] ?? '')
    .split(';')[0]
    ?.trim() ?? '';

/** Tells what is wrong with answers, by nothing but the document. */
export class Judge {
  readonly #ajv = new Ajv2020({ strict: false, allErrors: false, validateSchema: false });
  readonly #validators = new Map<string, ValidateFunction>();

  readonly #mayFail: boolean;

  /** With `mayFail` a declared 5xx is an answer like any other: something is away, or broken on purpose. */
  constructor(document: Document, { mayFail = false } = {}) {
    this.#mayFail = mayFail;
    addFormats.default(this.#ajv);
    this.#ajv.addSchema({ ...document, $id: 'document' });
  }

  #validator(pointer: string): ValidateFunction {
    const found = this.#validators.get(pointer) ?? this.#ajv.compile({ $ref: `document#${pointer}` });
    this.#validators.set(pointer, found);
    return found;
  }

  /** The fault in a few words, the same for the same kind of fault; null when there is none. */
  faultOf(operation: Operation, answer: Answer): string | null {
    const { status } = answer;
    const isExpected = this.#mayFail || status === NO_FAULT || isBusyExport(answer) || isBeyondHistory(answer);
    if (status >= 500 && !isExpected) return `status ${status}`;
    const types = operation.statuses[status];
    if (types === undefined) return `undeclared status ${status}`;
    if (answer.headers['x-request-id'] === undefined) return `status ${status} names no request`;
    if (status === 204 || status === 304) return answer.text === '' ? null : `status ${status} with a body`;
    const type = typeOf(answer);
    if (!types.includes(type)) return `status ${status} in the undeclared form ${type}`;
    if (type.startsWith('text/')) return null;
    const pointer = [
      '/paths',
      escaped(operation.path),
      operation.method.toLowerCase(),
      'responses',
      status,
      'content',
      escaped(type),
      'schema',
    ].join('/');
    return this.#bodyFault(this.#validator(encodeURI(pointer)), type, answer);
  }

  /** The same for an answer of whoever's address it was: an operation's, a page's, a redirect to an address of ours, or a problem. */
  strayFaultOf({ status, headers, text }: Answer): string | null {
    if (status >= 500) return `status ${status}`;
    if (status === 308) return /^\/(?!\/)/.test(String(headers.location)) ? null : 'redirects to another site';
    if (status < 400 || typeOf({ status, headers, text }) === 'text/html') return null;
    if (headers['x-request-id'] === undefined) return `status ${status} names no request`;
    return this.#bodyFault(this.#validator('/components/schemas/Problem'), 'application/problem+json', {
      status,
      headers,
      text,
    });
  }

  #bodyFault(validate: ValidateFunction, type: string, answer: Answer): string | null {
    const texts = type === 'application/jsonl' ? answer.text.split('\n').filter((line) => line !== '') : [answer.text];
    for (const text of texts) {
      try {
        if (!validate(JSON.parse(text))) {
          const [first] = validate.errors ?? [];
          return `status ${answer.status} breaks its schema: ${first?.instancePath.replaceAll(/\d+/g, 'n')} ${first?.message}`;
        }
      } catch {
        return `status ${answer.status} is no JSON`;
      }
    }
    return null;
  }
}
