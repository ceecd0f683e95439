import { type Json, type JsonDraft, noteDouble } from '../json.ts';

/**
 * Reads JSON as the server reads it, which is not quite as JSON.parse does: comments are skipped, whatever follows the
 * first value is ignored, a name may stand only once in an object, integers have 32 bits, strings end at a NUL, and
 * nothing nests deeper than the limit.
 */

/** How deep values may nest in the one that is read. */
const NEST_LIMIT = 25;
const MAX_UINT32 = 4_294_967_295;
const MIN_INT32 = -2_147_483_648;
const NUMBER_START = /[-0-9]/;
const NUMBER_REST = /[-+.0-9eE]*/y;
const INTEGER = /^-?[0-9]+$/;
const LEADING_DOUBLE = /^[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?/;
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['/', '/'],
  ['\\', '\\'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

/** Text that is no JSON to the server; the message is what it says over HTTP. */
export class JsonSyntaxError extends Error {}

const LITERALS = [
  ['true', true],
  ['false', false],
  ['null', null],
] as const;

type Token =
  | { readonly kind: '{' | '}' | '[' | ']' | ',' | ':' | 'comment' | 'end' | 'error'; readonly start: number }
  | { readonly kind: 'string' | 'number'; readonly start: number; readonly text: string }
  | { readonly kind: 'literal'; readonly start: number; readonly value: boolean | null };

class Reader {
  private readonly text: string;
  private at = 0;
  /** Whether the last number was spelled with a point or an exponent. */
  private lastWasDouble = false;

  constructor(text: string) {
    this.text = text;
  }

  read(): Json {
    const value = this.value(0);
    if (typeof value === 'object') return value;
    throw this.error('A valid JSON document must be either an array or an object value.', 0);
  }

  private error(message: string, at: number, detail?: number): JsonSyntaxError {
    const see = detail === undefined ? '' : `See ${this.place(detail)} for detail.\n`;
    return new JsonSyntaxError(`* ${this.place(at)}\n  ${message}\n${see}`);
  }

  private place(at: number): string {
    const lines = this.text.slice(0, at).split(/\r\n|\r|\n/);
    return `Line ${lines.length}, Column ${(lines.at(-1) ?? '').length + 1}`;
  }

  private token(): Token {
    const { text } = this;
    while (this.at < text.length && ' \t\r\n'.includes(text.charAt(this.at))) this.at += 1;
    const start = this.at;
    if (start >= text.length) return { kind: 'end', start };
    const first = text.charAt(start);
    this.at += 1;
    switch (first) {
      case '{':
      case '}':
      case '[':
      case ']':
      case ',':
      case ':':
        return { kind: first, start };
      case '\0':
        return { kind: 'end', start };
      case '"':
        return this.string(start);
      case '/':
        return this.comment(start);
    }
    if (NUMBER_START.test(first)) {
      NUMBER_REST.lastIndex = this.at;
      this.at += NUMBER_REST.exec(text)?.[0].length ?? 0;
      return { kind: 'number', start, text: text.slice(start, this.at) };
    }
    for (const [word, value] of LITERALS) {
      if (!text.startsWith(word, start)) continue;
      this.at = start + word.length;
      return { kind: 'literal', start, value };
    }
    return { kind: 'error', start };
  }

  /** The next token that is no comment. */
  private pastComments(): Token {
    for (;;) {
      const token = this.token();
      if (token.kind !== 'comment') return token;
    }
  }

  private comment(start: number): Token {
    const { text } = this;
    const second = text.charAt(this.at);
    this.at += 1;
    if (second === '/') {
      while (this.at < text.length && !'\r\n'.includes(text.charAt(this.at))) this.at += 1;
      return { kind: 'comment', start };
    }
    const end = second === '*' ? text.indexOf('*/', this.at) : -1;
    if (end < 0) return { kind: 'error', start };
    this.at = end + 2;
    return { kind: 'comment', start };
  }

  private string(start: number): Token {
    const { text } = this;
    let quote = text.indexOf('"', this.at);
    while (quote >= 0 && this.isEscaped(quote, start)) quote = text.indexOf('"', quote + 1);
    if (quote < 0) {
      this.at = text.length;
      return { kind: 'error', start };
    }
    this.at = quote + 1;
    return { kind: 'string', start, text: text.slice(start + 1, quote) };
  }

  /** Whether an odd number of backslashes stands before a quote. */
  private isEscaped(quote: number, start: number): boolean {
    let at = quote;
    while (at - 1 > start && this.text.charAt(at - 1) === '\\') at -= 1;
    return (quote - at) % 2 === 1;
  }

  private value(depth: number): Json {
    const token = this.pastComments();
    if (depth > NEST_LIMIT) throw this.error('Syntax error: maximum nesting depth exceeded', token.start);
    switch (token.kind) {
      case '{':
        return this.object(depth);
      case '[':
        return this.array(depth);
      case 'literal':
        return token.value;
      case 'string':
        return this.decoded(token.text, token.start);
      case 'number':
        return this.number(token.text, token.start);
      default:
        throw this.error('Syntax error: value, object or array expected.', token.start);
    }
  }

  private object(depth: number): Json {
    const object: JsonDraft = {};
    let name = '';
    for (;;) {
      const key = this.pastComments();
      // A comma before the brace is wrong, but not behind an empty name.
      if (key.kind === '}' && name === '') return object;
      if (key.kind !== 'string') throw this.error("Missing '}' or object member name", key.start);
      name = this.decoded(key.text, key.start);
      const colon = this.token();
      if (colon.kind !== ':') throw this.error("Missing ':' after object member name", colon.start);
      if (Object.hasOwn(object, name)) throw this.error(`Key '${name}' appears twice.`, key.start);
      const value = this.value(depth + 1);
      // Defined, not assigned: `__proto__` is a name like any other.
      if (name === '__proto__') Object.defineProperty(object, name, { value, enumerable: true, configurable: true });
      else object[name] = value;
      if (typeof value === 'number' && this.lastWasDouble) noteDouble(object, name);
      const next = this.pastComments();
      if (next.kind === '}') return object;
      if (next.kind !== ',') throw this.error("Missing ',' or '}' in object declaration", next.start);
    }
  }

  private array(depth: number): Json {
    const array: Json[] = [];
    const before = this.at;
    if (this.token().kind === ']') return array;
    this.at = before;
    for (;;) {
      array.push(this.value(depth + 1));
      const next = this.pastComments();
      if (next.kind === ']') return array;
      if (next.kind !== ',') throw this.error("Missing ',' or ']' in array declaration", next.start);
    }
  }

  private number(text: string, at: number): number {
    this.lastWasDouble = /[.eE+]/.test(text);
    if (this.lastWasDouble) {
      const leading = LEADING_DOUBLE.exec(text);
      if (!leading || /^[eE]/.test(text.slice(leading[0].length))) throw this.error(`'${text}' is not a number.`, at);
      return Number(leading[0]);
    }
    if (text === '-') throw this.error("'-' is not a valid number.", at);
    if (!INTEGER.test(text)) throw this.error(`'${text}' is not a number.`, at);
    const value = Number(text);
    const most = text.startsWith('-') ? 0 : MAX_UINT32;
    if (value > most || value < MIN_INT32) throw this.error(`'${text}' exceeds the allowable range.`, at);
    return value === 0 ? 0 : value;
  }

  /** A string without its escapes, up to a NUL: the server keeps what it reads as C strings. */
  private decoded(raw: string, at: number): string {
    let decoded = raw;
    if (raw.includes('\\')) {
      decoded = '';
      for (let i = 0; i < raw.length; ) {
        const plain = raw.indexOf('\\', i);
        if (plain < 0) {
          decoded += raw.slice(i);
          break;
        }
        decoded += raw.slice(i, plain);
        const letter = raw.charAt(plain + 1);
        i = plain + 2;
        if (letter === 'u') {
          const { text, length } = this.unicode(raw, i, at);
          decoded += text;
          i += length;
        } else {
          const meant = ESCAPES.get(letter);
          if (meant === undefined) throw this.error('Bad escape sequence in string', at, at + 1 + i);
          decoded += meant;
        }
      }
    }
    const nul = decoded.indexOf('\0');
    return nul < 0 ? decoded : decoded.slice(0, nul);
  }

  private unicode(raw: string, from: number, at: number): { text: string; length: number } {
    const first = this.codeUnit(raw, from, at);
    if (first < 0xd800 || first > 0xdbff) return { text: String.fromCharCode(first), length: 4 };
    const detail = at + 1 + from + 4;
    if (raw.length - from - 4 < 6) {
      throw this.error('additional six characters expected to parse unicode surrogate pair.', at, detail);
    }
    if (raw.slice(from + 4, from + 6) !== '\\u') {
      const message = 'expecting another \\u token to begin the second half of a unicode surrogate pair';
      throw this.error(message, at, detail);
    }
    const second = this.codeUnit(raw, from + 6, at);
    return { text: String.fromCodePoint(0x10000 + ((first & 0x3ff) << 10) + (second & 0x3ff)), length: 10 };
  }

  private codeUnit(raw: string, from: number, at: number): number {
    const digits = raw.slice(from, from + 4);
    const detail = at + 1 + from;
    if (digits.length < 4) {
      throw this.error('Bad unicode escape sequence in string: four digits expected.', at, detail);
    }
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) {
      const message = 'Bad unicode escape sequence in string: hexadecimal digit expected.';
      throw this.error(message, at, detail + digits.search(/[^0-9a-fA-F]/) + 1);
    }
    return Number.parseInt(digits, 16);
  }
}

/** The first JSON value of a text: an object, an array or null. Throws JsonSyntaxError on anything else. */
export function readJson(text: string): Json {
  return new Reader(text).read();
}
