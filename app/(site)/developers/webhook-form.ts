import type { EventStatus, Webhook } from '#lib/webhooks/schemas.ts';
import { plainAmount } from '../_ui/format.ts';

/** A webhook as it is typed. */
export interface WebhookForm {
  url: string;
  description: string;
  /** Empty: every sale. */
  project: string;
  /** Null: all types. */
  events: string[] | null;
  /** Empty: of any amount. */
  minAmount: string;
  /** Null: of any status. */
  statuses: EventStatus[] | null;
  /** Null: those that are set stay. */
  headers: { name: string; value: string }[] | null;
  /** Empty: no limit of its own. */
  rateLimit: string;
}

/** What of a refusal stands beside its field. */
export const SHOWN_FIELDS = [
  'url',
  'description',
  'project_id',
  'events',
  'min_amount_xrp',
  'statuses',
  'headers',
  'rate_limit',
] as const;

export const EMPTY_FORM: WebhookForm = {
  url: '',
  description: '',
  project: '',
  events: null,
  minAmount: '',
  statuses: null,
  headers: [],
  rateLimit: '',
};

export const formOf = (webhook: Webhook): WebhookForm => ({
  url: webhook.url,
  description: webhook.description,
  project: webhook.project_id ?? '',
  events: [...webhook.events],
  minAmount: plainAmount(webhook.min_amount_xrp ?? ''),
  statuses: webhook.statuses,
  headers: null,
  rateLimit: webhook.rate_limit === null ? '' : String(webhook.rate_limit),
});

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

const bodyOf = (form: WebhookForm) => ({
  url: form.url.trim(),
  description: form.description.trim(),
  project_id: orNull(form.project),
  events: form.events ?? undefined,
  min_amount_xrp: orNull(form.minAmount),
  statuses: form.statuses,
  headers:
    form.headers === null
      ? undefined
      : Object.fromEntries(
          form.headers
            .map(({ name, value }) => [name.trim(), value.trim()] as const)
            .filter(([name, value]) => name !== '' || value !== ''),
        ),
  rate_limit: form.rateLimit.trim() === '' ? null : Number(form.rateLimit),
});

/** The body of a registration: what is left empty is left out. Pure. */
export const registration = (form: WebhookForm): object =>
  Object.fromEntries(
    Object.entries(bodyOf(form)).filter(
      ([, value]) => value !== null && value !== undefined && JSON.stringify(value) !== '{}',
    ),
  );

/** The body of a change: what is other than before, and nothing else. Pure. */
export function changes(form: WebhookForm, before: WebhookForm): object {
  const old = new Map<string, unknown>(Object.entries(bodyOf(before)));
  return Object.fromEntries(
    Object.entries(bodyOf(form)).filter(
      ([name, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(old.get(name)),
    ),
  );
}
