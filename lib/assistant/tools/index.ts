import type { Tool } from '../answerer.ts';
import { costOfTokensTool } from './cost-of-tokens.ts';
import { findPaymentTool } from './find-payment.ts';
import { getProjectTool } from './get-project.ts';
import { holderStatisticsTool } from './holder-statistics.ts';
import { howToPayTool } from './how-to-pay.ts';
import { issuerPowersTool } from './issuer-powers.ts';
import { ledgerReserveTool } from './ledger-reserve.ts';
import { listProjectsTool } from './list-projects.ts';
import { platformIdStatusTool } from './platform-id-status.ts';
import { quoteTool } from './quote.ts';
import { saleRulesTool } from './sale-rules.ts';
import { readHelpTool, searchHelpTool } from './search-help.ts';
import { systemStatusTool } from './system-status.ts';
import { tokenSetupTool } from './token-setup.ts';
import { verifySaleTool } from './verify-sale.ts';
import { walletInvestmentsTool } from './wallet-investments.ts';

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
