/** What tells somebody to pay, in the languages of the answers. */
const CALLS: readonly RegExp[] = [
  /\b(?:send|pay|transfer|deposit|contribute|withdraw)(?:ing)?\b[^.!?\n]{0,80}\b(?:to (?:this|the|our|that|its) (?:\w+ )?(?:address|account|wallet|sale)|with (?:this|the|its|both|that)\b[^.!?\n]{0,30}\b(?:tag|both))/gi,
  // An event that is sent again is no payment.
  /\b(?:send|pay|transfer|deposit|invest|resend)\b(?!(?: (?!XRP|payments?|money|funds)\w+){0,3} (?:events?|deliver(?:y|ies)|webhooks?)\b)(?: \w+){0,4} (?:again|now|once more|a second time|another \d+)\b/gi,
  /\b(?:try|do) (?:it |the payment )?again\b[^.!?\n]{0,40}\btag\b|\bmake (?:a|another|the) (?:new |second )?payment\b|\bre-?send (?:it|the|your)\b/gi,
  /\bpay (?:\*\*)?\d[\d.,]* XRP\b|\bscan (?:this|the) (?:QR|code)\b|\b(?:deposit address|destination tag) (?:is|:)\s*(?:\*\*|`)?[\dr]/gi,
  /\b(?:env[íi]a|env[íi]e|paga|pague|transfiere|transfiera|deposita|vuelve a (?:pagar|enviar))\b[^.!?\n]{0,80}\b(?:XRP|direcci[óo]n|etiqueta|tag|de nuevo|otra vez|ahora)/gi,
  /\b(?:env[íi]a|envoyez|payez|transf[ée]rez|versez|repayez)\b[^.!?\n]{0,80}\b(?:XRP|adresse|[ée]tiquette|tag|nouveau|maintenant)/gi,
  /\b(?:sende|senden Sie|schicke?|schicken Sie|zahle|zahlen Sie|[üu]berweise|[üu]berweisen Sie)\b(?![^.!?\n]{0,30}\b(?:Events?|Webhooks?|Zustellung)\b)[^.!?\n]{0,80}\b(?:XRP|Adresse|Tag|noch ?mals?|erneut|jetzt)/gi,
  /\b(?:envie|pague|transfira|deposite)\b[^.!?\n]{0,80}\b(?:XRP|endere[çc]o|etiqueta|tag|novamente|de novo|agora)/gi,
  /(?:送金|支払|送っ|入金)[^。\n]{0,12}(?:してください|なさい|て(?:ください))|(?:送|払)って(?=ください|くれ|ね|[。!!]|$)/gm,
];

/** A warning uses the same words: it denies them in the clause before. */
const DENIED =
  /(?:\b(?:not|never|nobody|no one|without|before|don['’]t|cannot|can['’]t|if|when|whoever|no|nunca|sin|nicht|kein\w*|niemals|ne|jamais|pas|n['’]|n[ãa]o|nem)\b[^.!?;:\n]{0,60}|n['’])$/i;
/** In German the denial follows the verb. */
const DENIED_WITHIN = 28;
const DENIED_JA = /^[^。\n]{0,20}(?:ないで|ません|しないで)/;

/** Whether a text tells its reader to pay; a warning not to is none. */
export function tellsToPay(text: string): boolean {
  const plain = text.replace(/[*_`]/g, '');
  return CALLS.some((call) =>
    [...plain.matchAll(call)].some(({ index }) => {
      const before = plain.slice(Math.max(0, index - 80), index);
      const from = plain.slice(index, index + DENIED_WITHIN);
      return !DENIED.test(before) && !DENIED_JA.test(from) && !/\b(?:ne|not|nicht|nie|niemals)\b/i.test(from);
    }),
  );
}
