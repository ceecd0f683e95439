/** What is taken out of a message before anybody else sees it. */
export type PrivateKind = 'api_key' | 'webhook_secret' | 'bearer_token' | 'email' | 'phone';

const LABEL: Record<PrivateKind, string> = {
  api_key: '[API key removed]',
  webhook_secret: '[webhook secret removed]',
  bearer_token: '[token removed]',
  email: '[e-mail address removed]',
  phone: '[phone number removed]',
};

/** In the order in which they are looked for: what is longer first, or a part would be left. */
const PATTERNS: readonly (readonly [PrivateKind, RegExp])[] = [
  ['webhook_secret', /whsec_[A-Za-z0-9+/=_-]{8,}/g],
  ['api_key', /\btr_(?:live|test|admin|link|portal|member)_[0-9A-Za-z]{8,}/g],
  // Keys of services that people have beside ours.
  ['api_key', /\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}|\b(?:gh[pousr]_|xox[abprs]-|AKIA)[A-Za-z0-9-]{12,}/g],
  ['bearer_token', /(?<=\b[Bb]earer\s{1,4})[A-Za-z0-9._~+/=-]{12,}/g],
  ['bearer_token', /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g],
  ['email', /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63})*\.\p{L}{2,}/gu],
  // Digits alone may be a destination tag, an amount or a ledger: only forms that nothing else has, or that are named.
  ['phone', /(?<![\w.+])\+\d{1,3}[\s.()/-]*\d{2,4}(?:[\s.()/-]*\d{2,4}){2,3}(?!\d|[.,]\d|\s?(?:XRP|drops|tokens|%))/g],
  ['phone', /(?<![\w.])\(\d{3}\)\s?\d{3}[-.\s]\d{4}\b|(?<![\w.-])\d{3}-\d{3}-\d{4}(?![\w-])/g],
  [
    'phone',
    /(?<=\b(?:phone|mobile|cell|tel|telephone|whatsapp|call me|text me|handy|telefon)\b[^\d\n]{0,20})\+?\d[\d\s./()-]{5,18}\d/gi,
  ],
];

export interface Redacted {
  text: string;
  /** What was taken out, each kind once. */
  kinds: PrivateKind[];
}

/** The text with credentials and personal data replaced by what they were. */
export function redact(given: string): Redacted {
  const kinds = new Set<PrivateKind>();
  const text = PATTERNS.reduce(
    (rest, [kind, pattern]) =>
      rest.replace(pattern, () => {
        kinds.add(kind);
        return LABEL[kind];
      }),
    given,
  );
  return { text, kinds: [...kinds] };
}
