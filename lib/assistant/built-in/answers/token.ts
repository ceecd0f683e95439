import { getProjectTool } from '../../tools/get-project.ts';
import { issuerPowersTool } from '../../tools/issuer-powers.ts';
import { verifySaleTool } from '../../tools/verify-sale.ts';
import { aboutSale } from '../choose-project.ts';
import { bullets, code, paragraphs, plain, strong } from '../markdown.ts';

const can = (what: string, yes: boolean): string => `${what}: ${strong(yes ? 'yes' : 'no')}`;

/** What the issuer can still do. */
export const answerIssuer = aboutSale(async (asked, projectId) => {
  const { token } = await asked.use(issuerPowersTool, { project_id: projectId });
  const isIou = token.kind === 'iou';
  return paragraphs(
    token.issuer_black_holed
      ? `Nobody can sign for the issuer ${code(token.issuer)} any more: it can do nothing further.`
      : `The issuer is ${code(token.issuer)}. As the ledger shows it (ledger ${token.ledger_index}), it can:`,
    bullets([
      can(isIou ? 'freeze tokens' : 'lock tokens', isIou ? token.can_freeze : token.can_lock),
      can('claw tokens back', token.can_claw_back),
      can('mint more', token.can_mint),
      can('require that it authorises each holder', token.requires_authorization),
      `fee on transfers between holders now: ${strong(`${token.transfer_fee_percent} %`)}`,
      isIou
        ? can('raise that fee', token.can_charge_transfer_fee)
        : `most tokens there can be: ${token.maximum_tokens}`,
    ]),
    isIou && token.global_freeze ? strong('All holders are frozen at the moment.') : null,
    !isIou && token.locked ? strong('The token is locked for all holders at the moment.') : null,
    'What an issuer can do it need not do; whether it will, I cannot tell.',
  );
});

/** Passing tokens on. */
export const answerResale = aboutSale(async (asked, projectId) => {
  const { token } = await asked.use(issuerPowersTool, { project_id: projectId });
  const passesOn = token.kind === 'iou' ? token.default_ripple : token.can_transfer;
  return paragraphs(
    passesOn
      ? `On the ledger ${strong('holders can pass the token on')} to each other${token.transfer_fee_percent > 0 ? `, with a fee of ${token.transfer_fee_percent} %` : ', without a transfer fee'}.`
      : `On the ledger ${strong('holders cannot pass the token on')} to each other as things stand.`,
    token.kind === 'iou'
      ? 'The XRP Ledger has an exchange of its own for issued tokens; whether anybody buys there, and at what price, nobody can promise.'
      : can('it may be traded on the ledger’s own exchange', token.can_trade),
    'This platform buys nothing back and lists nothing on exchanges. Ask the project what it plans.',
  );
});

/** How anyone checks a sale. */
export const answerVerifySale = aboutSale(async (asked, projectId) => {
  const { terms_sha256, anchor, command, last_run, running } = await asked.use(verifySaleTool, {
    project_id: projectId,
  });
  return paragraphs(
    'Only the sale’s own page tells where to pay: trust no address or link that somebody sends you, and give nobody your seed.',
    'You need not trust the platform: who gets what follows from the public ledger and the published terms alone, and anyone can recompute it.',
    bullets([
      `SHA-256 of the terms: ${code(terms_sha256)}`,
      anchor === null
        ? 'they are not anchored yet: that happens with the launch'
        : `anchored on the ledger by transaction ${code(anchor.transaction_hash)} in ledger ${anchor.ledger_index}; nobody can change them since`,
    ]),
    `This command, in a copy of the platform’s source code, recomputes every decision and names each difference:\n\n\`\`\`sh\n${command}\n\`\`\``,
    last_run === null
      ? running
        ? 'The platform’s own check is running just now.'
        : 'The platform’s own check, which runs each day, has not run for this sale yet.'
      : `The platform’s own last check (ledger ${last_run.as_of_ledger}): ${strong(last_run.verdict)}, ${last_run.payments} payments, ${last_run.payouts} payouts, ${last_run.differences} differences.`,
  );
});

/** What the token is called, and who issues it. */
export const answerToken = aboutSale(async (asked, projectId) => {
  const { name, token, token_name, total_tokens } = await asked.use(getProjectTool, { project_id: projectId });
  return paragraphs(
    `${plain(name)} sells ${strong(token_name)}, ${total_tokens} of them in all its tiers. On the XRP Ledger a token is known by its ${token.kind === 'iou' ? 'currency code and issuer' : 'issuance id'}; others may use the same name.`,
    bullets([
      token.kind === 'iou' ? `currency: ${code(token.currency)}` : `issuance id: ${code(token.issuance_id)}`,
      token.kind === 'iou' ? `issuer: ${code(token.issuer)}` : null,
      `decimals: ${token.decimals}`,
    ]),
    'Who is behind the project I cannot see. What the issuer can still do I tell when you ask “what can the issuer do”.',
  );
});
