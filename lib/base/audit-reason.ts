import { z } from 'zod';
import { plainText } from './plain-text.ts';

/** Why somebody does what others will ask about. */
export const auditReason = z
  .lazy(() => plainText(500).trim().min(3))
  .meta({ description: 'Why; stands in the audit log', example: 'asked for by the owner, ticket 4711' });
