import { type CredentialRequirement, MAX_CREDENTIAL_ISSUERS } from '@tranche/rules/credentials.ts';
import { hexOfText } from '@tranche/rules/wire.ts';
import { z } from 'zod';
import { POSITIVE_TOKENS_PATTERN, positiveXrpCodec, priceCodec } from '#lib/base/money-codecs.ts';
import { CONTROL_FAULT, containsSeed, SEED_WARNING } from '#lib/base/plain-text.ts';
import { visibleName } from '#lib/base/visible-name.ts';
import { accountAddress } from '#lib/xrpl/address.ts';
import { currencyCode, issuanceId } from '#lib/xrpl/token.ts';
import { SLUG_FORM } from './slug-form.ts';

const decimals = () => z.int().min(0).max(6);

/** The token that a project sells, as an operator gives it. */
const tokenInput = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('iou'),
      currency: currencyCode,
      issuer: accountAddress,
      decimals: decimals().default(6),
    }),
    z.strictObject({
      kind: z.literal('mpt'),
      issuance_id: issuanceId,
      decimals: decimals().meta({ description: 'The AssetScale of the issuance', example: 6 }),
    }),
  ]),
);
export type TokenInput = z.output<typeof tokenInput>;

const timeInput = () =>
  z.iso
    .datetime({ offset: true, error: 'must be an ISO 8601 time with a zone' })
    .transform((text) => new Date(text))
    .refine((time) => time.getUTCFullYear() >= 2000 && time.getUTCFullYear() < 2200, 'must lie between 2000 and 2200');
const holdsNoSeed = (text: string): boolean => !containsSeed(text);

/** A text of several lines. */
const longText = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what the pattern is about
    .regex(/^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]*$/, CONTROL_FAULT)
    .refine((text) => text.isWellFormed(), CONTROL_FAULT)
    .refine(holdsNoSeed, SEED_WARNING);
/** Kept as browsers read it, so that what is shown is where it leads. */
const httpsUrl = () =>
  z
    .string()
    .max(500)
    // Without a flag: a pattern of the OpenAPI document has none.
    .regex(/^[Hh][Tt][Tt][Pp][Ss]:\/\//, 'must be an https URL')
    .refine(holdsNoSeed, SEED_WARNING)
    .transform((text, ctx) => {
      const url = URL.parse(text);
      if (url !== null && url.username === '' && url.password === '') return url.href;
      const message = url === null ? 'must be an https URL' : 'must not contain a user name or password';
      ctx.issues.push({ code: 'custom', input: text, message });
      return z.NEVER;
    })
    .pipe(z.string().max(500));

const linkInput = z.lazy(() => z.strictObject({ label: visibleName(60), url: httpsUrl() }));
const memberInput = z.lazy(() =>
  z.strictObject({
    name: visibleName(80),
    role: visibleName(120),
    url: httpsUrl().nullable().default(null),
  }),
);
const documentInput = z.lazy(() =>
  z.strictObject({
    title: visibleName(120),
    url: httpsUrl(),
    sha256: z
      .string()
      .regex(/^[0-9A-Fa-f]{64}$/, 'must be 64 hexadecimal digits')
      .toLowerCase()
      .nullable()
      .default(null)
      .meta({ description: 'SHA-256 of the file, so that anyone can tell whether it was changed' }),
  }),
);

const access = () => z.enum(['open', 'allowlist'], { error: 'must be "open" or "allowlist"' });

const BOTH_DIFFER = 'must be the bytes of type: give only one of the two';

/** The credential that a tier requires, its type as text or as the ledger has it. */
const credentialInput = z.lazy(() =>
  z
    .strictObject({
      type: z
        .string()
        .regex(
          /^[!-~](?:[ -~]{0,62}[!-~])?$/,
          'must be 1 to 64 printable ASCII characters; give others as credential_type',
        )
        .nullish()
        .meta({ description: 'The type as text', example: 'KYC' }),
      credential_type: z
        .string()
        .regex(/^(?:[0-9A-Fa-f]{2}){1,64}$/, 'must be 1 to 64 bytes in hexadecimal')
        .toUpperCase()
        .optional()
        .meta({ description: 'The type in hexadecimal, as the ledger has it; in place of `type`', example: '4B5943' }),
      issuers: z
        .array(accountAddress)
        .min(1, 'must name at least one issuer')
        .max(MAX_CREDENTIAL_ISSUERS)
        .meta({ description: 'Accounts of which any one must have issued it' }),
    })
    .transform((given, ctx): CredentialRequirement => {
      const ofText = given.type == null ? undefined : hexOfText(given.type);
      const credentialType = given.credential_type ?? ofText;
      const issue = (field: string, message: string) =>
        ctx.issues.push({ code: 'custom', input: given, path: [field], message });
      if (credentialType === undefined) issue('type', 'is missing: give the type as text, or as credential_type');
      else if (ofText !== undefined && ofText !== credentialType) issue('credential_type', BOTH_DIFFER);
      const issuers = [...new Set(given.issuers)].sort();
      if (issuers.length < given.issuers.length) issue('issuers', 'names an issuer twice');
      return { credential_type: credentialType ?? '', issuers };
    }),
);

const tierInput = z.lazy(() =>
  z.strictObject({
    tier: z.int().min(1).optional().meta({ description: 'Number of the tier; when given, tiers must count from 1' }),
    price_per_token: priceCodec,
    total_tokens: z.string().max(40).meta({
      description: 'Supply of the tier, a multiple of the token unit',
      example: '1000000.000000',
      pattern: POSITIVE_TOKENS_PATTERN,
    }),
    access: access().default('open'),
    credential: credentialInput.nullish().meta({
      description: 'Only wallets that hold this credential (XLS-70) buy in the tier, beside what `access` asks for',
    }),
    starts_at: timeInput()
      .nullish()
      .meta({ description: 'The tier does not sell before this time, also when the tier before it is full' }),
  }),
);

const days = () => z.int().min(0).max(3_650);
const vestingInput = z.lazy(() =>
  z
    .strictObject({
      immediate_bps: z.int().min(0).max(10_000).meta({ description: 'Due at once, in hundredths of a percent' }),
      cliff_days: days().default(0),
      period_days: days().default(0),
      periods: z.int().min(0).max(120).default(0),
    })
    .meta({ description: 'The rest is due in equal parts: the k-th after cliff_days + k * period_days' }),
);

const lockInput = z.lazy(() =>
  z.strictObject({
    label: visibleName(60).meta({ description: 'Whose tokens they are, for investors', example: 'Team' }),
    receiver: accountAddress.meta({ description: 'Destination of every escrow of the lock' }),
    amount: z.string().max(40).meta({
      description: 'Tokens that cannot move before `until`, a multiple of the token unit',
      example: '1000000.000000',
      pattern: POSITIVE_TOKENS_PATTERN,
    }),
    until: timeInput(),
    escrows: z
      .array(
        z
          .string()
          .regex(/^[0-9A-Fa-f]{64}$/, 'must be a transaction hash: 64 hexadecimal digits')
          .toUpperCase(),
      )
      .max(20)
      .default([])
      .meta({
        description:
          'Hashes of the EscrowCreate transactions that prove it: of this token, to the receiver, with a FinishAfter not before `until`. Each proves one lock',
      }),
  }),
);

const projectFields = {
  name: visibleName(120),
  slug: z.string().regex(SLUG_FORM, 'must be lower-case letters, digits and inner hyphens, at most 60').optional(),
  description: longText(5_000),
  website: httpsUrl().nullish(),
  logo: httpsUrl().nullish(),
  links: z.array(linkInput).max(10),
  team: z.array(memberInput).max(30),
  documents: z.array(documentInput).max(20),
  token: tokenInput,
  distributor: accountAddress,
  tiers: z.array(tierInput).min(1, 'must hold at least one tier').max(50),
  starts_at: timeInput().nullish(),
  ends_at: timeInput().nullish(),
  min_investment_xrp: positiveXrpCodec
    .nullish()
    .meta({ description: 'Minimum payment: a smaller payment is refunded in full. null for none' }),
  soft_cap_xrp: positiveXrpCodec
    .nullish()
    .meta({ description: 'Below it every payment is refunded; requires distribution "at_end"' }),
  max_per_wallet_xrp: positiveXrpCodec.nullish().meta({ description: 'Over all payments of one wallet' }),
  access: access(),
  distribution: z.enum(['immediate', 'at_end'], { error: 'must be "immediate" or "at_end"' }),
  vesting: vestingInput.nullish(),
  treasury: accountAddress.nullish(),
  claim_days: z.int().min(1).max(3_650),
  locks: z.array(lockInput).max(60).meta({
    description:
      'Tokens that cannot move before a time, proven by escrows on the ledger. The launch is refused until the escrows of each lock its amount',
  }),
  unsold_until: timeInput().nullish().meta({
    description:
      'When the sale ends, the platform puts the tokens that were not sold in escrow, and they cannot move before this time: a whole second, 2 to 3650 days after ends_at. Needs ends_at and a token that can be held in escrow; not for a distributor that is the issuer, or under custody. null for none',
  }),
  vesting_locked: z.boolean().meta({
    description:
      'When the sale ends, the platform puts the tokens that vesting still owes in escrow, and they cannot move before the day on which they are due; what is due within two days of the end is not locked. Needs vesting, ends_at and a token that can be held in escrow; not for a distributor that is the issuer, or under custody. At most 100 days may have tokens due',
  }),
};

/** What an operator gives; the project resource less what the server sets. */
export const projectInput = z
  .strictObject({
    ...projectFields,
    min_investment_xrp: projectFields.min_investment_xrp.meta({
      description:
        'Minimum payment: a smaller payment is refunded in full. If omitted, it is 1 XRP (or the setting DEFAULT_MIN_INVESTMENT_DROPS), at most max_per_wallet_xrp and what the whole sale costs; null for none, so that payments of one drop each cause payouts',
    }),
    deposit_address: accountAddress.meta({
      description: 'Account that receives the payments. Set RequireDest on it, so that nobody forgets the tag',
      example: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
    }),
    description: projectFields.description.default(''),
    links: projectFields.links.default([]),
    team: projectFields.team.default([]),
    documents: projectFields.documents.default([]),
    access: projectFields.access.default('open'),
    distribution: projectFields.distribution.default('immediate'),
    claim_days: projectFields.claim_days.default(90),
    locks: projectFields.locks.default([]),
    vesting_locked: projectFields.vesting_locked.default(false),
  })
  .meta({
    override: ({ jsonSchema }) => {
      // Tokens that were given cannot be taken back, so a sale that may miss its soft cap gives none before its end.
      jsonSchema.dependentSchemas = {
        soft_cap_xrp: {
          anyOf: [
            { properties: { soft_cap_xrp: { type: 'null' } } },
            { properties: { distribution: { const: 'at_end' } }, required: ['distribution'] },
          ],
        },
      };
    },
  });
export type ProjectInput = z.output<typeof projectInput>;

/** What may change in a project: a field that is left out stays, null clears an optional one. */
export const projectPatch = z.strictObject(projectFields).partial();
export type ProjectPatch = z.output<typeof projectPatch>;
