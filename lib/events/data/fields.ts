import { z } from 'zod';

export const account = z
  .string()
  .meta({ description: 'Ledger account address', example: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh' });
export const transactionHash = z.string().regex(/^[0-9A-F]{64}$/);
export const investmentId = z.string().regex(/^inv_/);
export const projectId = z.string().regex(/^proj_/);
