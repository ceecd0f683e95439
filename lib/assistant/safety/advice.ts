const ADVERBS = String.raw`(?:\s+(?:\w+ly|really|just|all|now|not|never|at least|consider|think about))*`;
const TRADE =
  '(?:buy(?:ing)?|invest(?:ing)?|sell(?:ing)?|hold(?:ing)?|purchas(?:e|ing)|ape in|go(?:ing)? all[- ]in|get(?:ting)? in|jump(?:ing)? in|put(?:ting)? (?:your|all)|participat(?:e|ing)|act)';
/** Rules of a sale use the same verbs: what is needed to take part, and at least how much. */
const AS_A_RULE = String.raw`(?!\s+(?:(?:some |enough |more )?XRP\b|at least|no more|at most|between|from|with|in whole|an?\b|the\b|your\b|\d))`;

/** What advises, promises or predicts. */
const ADVICE: readonly RegExp[] = [
  new RegExp(
    String.raw`\b(?:you|u|everyone|investors?|people)\s+(?:should|ought to|had better|would be (?:wise|smart|crazy|foolish)(?: not)? to)${ADVERBS}\s+${TRADE}\b`,
    'i',
  ),
  new RegExp(
    String.raw`\b(?:you|u|everyone|investors?|people)\s+(?:must|need to|have to)${ADVERBS}\s+${TRADE}\b${AS_A_RULE}`,
    'i',
  ),
  new RegExp(
    String.raw`\b(?:i|we)(?:['’]d| would| do)?\s+(?:strongly |highly |really |definitely )*(?:recommend|suggest|advise|urge|encourage)\s*(?:that |you |everyone |anyone |to )*${ADVERBS}\s*\b${TRADE}\b`,
    'i',
  ),
  /\b(?:strong|definite|clear|absolute)[- ](?:buy|sell|hold)\b|\bmust-(?:buy|hold|sell)\b/i,
  /(?:^|[.!?:;]\s+|\b(?:please|just|so|then|go)\s+)(?:buy|invest|get in|ape in)(?: \w+){0,3} (?:now|today|quickly|immediately)\b/i,
  /\b(?:buy|invest|get in|act)\b[^.!?\n]{0,30}\bbefore (?:it['’]?s too late|it is too late|the price|everyone|you miss)/i,
  /\b(?:good|great|excellent|safe|solid|smart|wise|fantastic|amazing|best|worthwhile|attractive|promising|bad|terrible) (?:\w+ )?(?:investment|opportunity|buy|bet|time to (?:buy|invest|sell))\b/i,
  /\b(?:is|are|looks?|seems?) (?:clearly |very |heavily |massively )?(?:undervalued|overvalued|underpriced|a steal|a bargain)\b/i,
  /\b(?:will|going to|gonna|set to|bound to|sure to|certain to|likely to|expected to|poised to|should|could easily)\s+(?:\w+ ){0,2}?(?:moon|skyrocket|explode|double|triple|quadruple|surge|soar|multiply|pump|outperform|gain value|appreciate|be worth (?:more|much|far)|reach \$|hit \$)/i,
  /\b(?:price|value|token)s?\b[^.!?;\n]{0,30}\b(?:prediction|forecast|target)s?\b[^.!?;\n]{0,20}\b(?:is|are|of|:)/i,
  /\b(?:guarantee[ds]?|assured?|risk[- ]free|no[- ]risk|riskless)\b[^.!?;\n]{0,25}\b(?:profits?|returns|gains?|income|yields?|roi|investment|win)\b/i,
  /\b(?:profits?|returns|gains|income|investment)\b[^.!?;\n]{0,20}\b(?:is|are) (?:guaranteed|assured|certain|risk[- ]free|safe)\b/i,
  /\bto the moon\b|\b(?:10|20|50|100|1000)x\b|\bget rich\b|\bfree money\b|\beasy money\b/i,
  /\byou(?:['’]ll| will| can expect to| are going to) (?:\w+ )?(?:profit|make (?:\w+ )?(?:money|a profit|a fortune)|double|triple|get rich)\b/i,
  // What a friend would say in place of it.
  /\b(?:silly|foolish|crazy|mad|stupid|insane|fools?) (?:not )?to\b|\bif i were (?:you|in your)|\bin your (?:place|shoes)\b|\bno[- ]brainer\b|\bsmart money\b/i,
  /\bmy (?:personal |honest |best )?(?:advice|recommendation|tip|suggestion|verdict)\b/i,
  /\b(?:miss|missing|skip|skipping|passing (?:on|up)) (?:this|it|out)\b[^.!?\n]{0,40}\b(?:mistake|regret|shame|pity)\b/i,
  /\b(?:i|we)(?:['’]d| would)(?: rather| probably| personally)? (?:wait|hold|buy|sell|invest|keep|put|go in|get in|avoid|stay (?:away|out))\b/i,
  /\b(?:stay away|steer clear|keep (?:out|away)) (?:from|of) (?:this|the|that|it|such)\b(?! (?:address|account|link|site|exchange))/i,
  /\b(?:early|first|patient|all|most) (?:buyers|investors|birds|backers|holders)\b[^.!?;\n]{0,30}\b(?:win|wins|won|profit|gain|ahead|rewarded|better off)\b/i,
  /\b(?:money|investment|savings|stake|wealth|funds)\b[^.!?;\n]{0,40}\b(?:will|going to|bound to|sure to)\s+(?:\w+ ){0,2}?(?:grow|multiply|increase|pay off|be safe)\b/i,
  /\bhard to (?:see|imagine) how\b[^.!?\n]{0,40}\b(?:lose|fail|go wrong)\b/i,
  // A judgement of who or what is sold: a small model said each of these, asked to.
  /\b(?:team|project|token|sale|platform|people behind it)\b[^.!?;\n]{0,12}\b(?:is|are)\b[^.!?;\n]{0,12}\b(?:trustworthy|legit(?:imate)?|honest|reputable|safest|(?:perfectly|completely|totally|very) safe)\b/i,
  /\bgood idea to (?:use|buy|invest|get|join|take part)\b|\b(?:xrp|money|tokens?|funds|team|payments?)\b[^.!?;\n]{0,8}\b(?:is|are|were|was) (?:lost|gone) (?:forever|for good)\b/i,
  // The same in languages that are asked in often.
  /\b(?:rate|rät|raten|empfehle|empfehlen|empfiehlt)\b[^.!?\n]{0,40}\b(?:kaufen|investieren|verkaufen|einzusteigen|kauf)\b/i,
  /\b(?:conseill|recommand|sugg[èe]r)\w*\b[^.!?\n]{0,30}\b(?:acheter|investir|vendre)\b|\b(?:recomiendo|recomendamos|aconsejo|sugiero)\b[^.!?\n]{0,30}\b(?:comprar|invertir|vender)\b/i,
  /\b(?:(?:Sie|du|man|ihr) (?:sollten?|solltest|musst|müssen)|(?:sollten?|solltest|musst|müssen) (?:Sie|du|man|ihr))\b[^.!?\n]{0,40}\b(?:kaufen|investieren|verkaufen)\b|\bgarantierte[rn]? (?:Gewinne?|Rendite)\b|\bgute (?:Investition|Geldanlage)\b/i,
  /\b(?:deber[íi]as?|debes|tienes que) (?:comprar|invertir|vender)\b|\bbuena inversi[óo]n\b|\bganancias? garantizadas?\b/i,
  /\b(?:devriez|devrais|dois|devez) (?:acheter|investir|vendre)\b|\bbon investissement\b|\b(?:gains?|profits?) garantis?\b/i,
];

/** A price that rises from tier to tier is a fact of the sale; any other rise is a prediction. */
const RISE =
  /\b(?:will|going to|gonna|set to|bound to|sure to|certain to|likely to|expected to|poised to|should)\s+(?:\w+ ){0,2}?(?:rise|grow in value|go up|increase in (?:value|price))\b/i;

/** These deny by themselves what nobody can promise. */
const NO_LOSS =
  /\b(?:can['’]?t|cannot|can not|won['’]?t|will not|never) lose\b(?! (?:(?:your|the|that|any) (?:payment|xrp|tokens?|tag|transaction|key)|it\b|a drop|track))|\b(?:don['’]?t|do not|never) (?:miss (?:out|this|your (?:chance|opportunity))|wait too long|sleep on)\b/i;

/** A refusal uses the same words: it denies or doubts them in the clause before. */
const DENIED =
  /(?:\b(?:no|not|never|nobody|none|neither|nor|cannot|whether|if|without|isn['’]t|aren['’]t|don['’]t|doesn['’]t|can['’]t|won['’]t|keine?n?|nicht|ob|pas|aucun|ning[úu]n)\b)[^.!?;:\n]{0,60}$/i;
/** A clause that turns round what the one before denied. */
const TURNED = /\b(?:but|however|still|yet|although|though|except|actually|that said|hide)\b/i;

const isDenied = (before: string): boolean => {
  const denied = DENIED.exec(before);
  return denied !== null && !TURNED.test(denied[0]);
};

const sentenceAt = (text: string, index: number): string => {
  const start = Math.max(
    ...['.', '!', '?', '\n'].map((end) => text.lastIndexOf(`${end} `, index)),
    text.lastIndexOf('\n', index),
  );
  const end = text.slice(index).search(/[.!?](?:\s|$)|\n/);
  return text.slice(start + 1, end === -1 ? text.length : index + end);
};

const found = (pattern: RegExp, text: string) => text.matchAll(new RegExp(pattern, `${pattern.flags}g`));
const isMeant = (text: string, index: number): boolean => !isDenied(text.slice(Math.max(0, index - 120), index));

/** True for text that advises to invest or not to, promises a gain, or predicts a price; a refusal to do so is none of these. */
export function advises(text: string): boolean {
  if (NO_LOSS.test(text)) return true;
  for (const { index } of found(RISE, text)) {
    if (!/\btiers?\b/i.test(sentenceAt(text, index)) && isMeant(text, index)) return true;
  }
  return ADVICE.some((pattern) => found(pattern, text).some(({ index }) => isMeant(text, index)));
}
