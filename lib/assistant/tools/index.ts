import type { Tool } from '../answerer.ts';
import { costOfTokensTool } from './cost-of-tokens.ts';
import { howToPayTool } from './how-to-pay.ts';
import { holderStatisticsTool, ledgerReserveTool, platformIdStatusTool, systemStatusTool } from './platform-reads.ts';
import {
  findPaymentTool,
  getProjectTool,
  issuerPowersTool,
  listProjectsTool,
  quoteTool,
  verifySaleTool,
  walletInvestmentsTool,
} from './sale-reads.ts';
import { saleRulesTool } from './sale-rules.ts';
import { readHelpTool, searchHelpTool } from './search-help.ts';
import { tokenSetupTool } from './token-setup.ts';

/** Everything that an assistant may look at. None of them changes anything. */
export const tools: readonly Tool[] = [
  listProjectsTool,
  getProjectTool,
  quoteTool,
  costOfTokensTool,
  howToPayTool,
  tokenSetupTool,
  saleRulesTool,
  walletInvestmentsTool,
  findPaymentTool,
  issuerPowersTool,
  verifySaleTool,
  holderStatisticsTool,
  platformIdStatusTool,
  ledgerReserveTool,
  systemStatusTool,
  searchHelpTool,
  readHelpTool,
];
