/**
 * Developers speak of customers, users and their e-mail addresses as well: of their own, which are theirs to keep,
 * to write to and to match with payments. Asked for is none of them, as long as nobody is to hand any over.
 */
const PEOPLE = `(?:customers?|users?|buyers?|clients?|investors?|people|person)`;
const SYSTEM = `(?:app|shop|site|store|server|back-?end|database|db|crm|tables?|systems?|side|records?|platform|forms?|accounts?|newsletter)`;

const OWN = new RegExp(
  [
    String.raw`\b(?:our|my) (?:own )?(?:\w+ )?(?:${PEOPLE}|${SYSTEM})(?!\w)`,
    String.raw`\b(?:we|i)(?:['’]d)? (?:\w+ ){0,2}(?:store|keep|have|save|hold|log|collect|put|add|tell|notify|text|message|match|map|link|join)\b`,
    // To write to somebody.
    String.raw`\b(?:to|and|then|we|i|should|must|will) (?:e-?mail|text|notify)\b`,
    // What happens for each of them, and when.
    String.raw`\b(?:when|after|if|once|before|until|how do i tell) (?:the|a|an|each|every) ${PEOPLE}\b|\b(?:for|per) each ${PEOPLE}\b`,
    // What an answer of the API holds, and what the law asks of both.
    String.raw`\b(?:do(?:es)?|is|are|can|will)\b[^.?!\n]{0,25}\b(?:api|webhooks?|payloads?|events?|responses?|memos?)\b[^.?!\n]{0,15}\b(?:includ\w+|contain\w*|have|hold|carry|return)\b`,
    String.raw`\b(?:is it (?:ok|okay|fine|allowed) to|gdpr|dsgvo|rgpd|lgpd)\b`,
    String.raw`\b(?:unser|mein)(?:e[rnms]?)? (?:\w+ )?(?:kunden?|kundendaten|nutzer\w*|k[äa]ufer\w*|datenbank|crm|shop|app|server|system\w*)\b|\b(?:wir|ich) (?:\w+ ){0,2}(?:haben?|speicher\w+)|\bhaben wir\b`,
    String.raw`\b(?:nuestr[oa]s?|mis?) (?:\w+ )?(?:clientes?|usuari[oa]s?|compradores?|tienda|base|crm|app|web)\b|\b(?:guardamos|guardo|tenemos|almacenamos)\b`,
    String.raw`\b(?:nos|notre|mes|mon|ma) (?:\w+ )?(?:clients?|utilisateurs?|acheteurs?|base|crm|boutique|appli\w*|site)\b|\b(?:nous|on) (?:stock|gard|enregistr)\w+`,
    String.raw`\b(?:noss[oa]s?|meus?|minhas?) (?:\w+ )?(?:clientes?|usu[áa]rios?|compradores?|banco|crm|loja|app|site)\b|\b(?:guardamos|guardo|temos|armazenamos)\b`,
    String.raw`\b(?:trae|incluye|contiene|traz|inclui|cont[ée]m|enth[äa]lt|contient|inclut)\b[^.?!\n]{0,25}\b(?:eventos?|events?|ereignis\w*|[ée]v[ée]nements?|webhooks?|payloads?)\b|\b(?:eventos?|events?|ereignis\w*|[ée]v[ée]nements?|webhooks?|payloads?)\b[^.?!\n]{0,25}\b(?:trae|incluye|contiene|traz|inclui|cont[ée]m|enth[äa]lt|contient|inclut)\b`,
    '自社|弊社|当社|うちの|(?:イベント|API|Webhook|ペイロード)[^。\n]{0,20}(?:入り|含ま)|(?:顧客|ユーザー|購入者)に[^。\n]{0,12}(?:送りたい|通知|知らせ)',
  ].join('|'),
  'i',
);

/** Words that ask for data to be handed over. */
const HAND_OVER = new RegExp(
  [
    String.raw`\b(?:give|send|show|tell|get|hand|pass|e-?mail|forward|provide) (?:me|us|over|them (?:to|over))\b|\b(?:list|export|dump|reveal|print|fetch|extract|download|scrape|leak|disclose|find out|look up|provide)\b`,
    String.raw`\bwhat(?:['’]?s| is| are| was) (?:the|his|her|their|an?)\b|\bwho\b|\bwhose\b|\b(?:which|what) (?:e-?mail|name|person|phone)`,
    // To need, to get, or to return names and addresses.
    String.raw`\b(?:need|want|get|obtain|receive|see|know|learn|(?<!\b(?:api|events?|payloads?|responses?|webhooks?) )returns?|gives?|shows?) (?:to (?:know|see|have|get) )?(?:(?:the|all|every|any|his|her|their|our|my|your|real|full|a|of) )*(?:${PEOPLE}['’]?s? )?(?:(?:real|full) )?(?:names?|e-?mails?|phones?|addresses|identit\w+|contacts?|personal)\b`,
    String.raw`\b(?:gib|gebt|zeig\w*|nenn\w*|exportier\w*|liste\w*|auflisten|brauch\w* (?:die|alle|eine|namen?|e-?mail\w*)|wer|wie (?:hei(?:ß|ss)\w*|lautet)|welche[nrs]? (?:e-?mail\w*|namen?|telefon\w*)|(?:schick\w*|send\w*) (?:mir|uns))\b`,
    String.raw`\b(?:dame|danos|dime|env[ií]a(?:me|nos)|m[áa]nda(?:me|nos)|p[áa]sa(?:me|nos)|mu[eé]stra\w*|lista|listar|exporta\w*|necesit\w+ (?:los|las|el|la|todos)|cu[áa]l(?:es)? (?:es|son)|qui[eé]n(?:es)?)(?![a-zà-ÿ])`,
    String.raw`\b(?:donne\w*|envoie\w*[- ](?:moi|nous)|montre\w*|liste[zr]?|exporte\w*|besoin (?:des|de tous|du)|quels? (?:est|sont)|qui (?:est|sont))(?![a-zà-ÿ])`,
    String.raw`\b(?:me (?:d[êe]|mand\w+|pass\w+|envi\w+|mostr\w+)|mande[- ]me|liste|listar|exporta\w*|preciso d[oa]s?|qua(?:l|is) (?:[ée]|s[ãa]o)|quem)(?![a-zà-ÿ])`,
    '(?<!方法を|やり方を)(?:教えて|見せて|送って|出して)|誰',
  ].join('|'),
  'i',
);

/** Whether a sentence is about own customers and users, and asks for the data of nobody. Pure. */
export const ofOwnPeople = (sentence: string): boolean => OWN.test(sentence) && !HAND_OVER.test(sentence);

/** Whether a further sentence asks for the data that the others speak of. Pure. */
export const asksForAll = (text: string): boolean =>
  /\b(?:(?:give|send|show|tell|hand|e-?mail) (?:me|us|over)|list|export|dump) (?:them|those|these|theirs|yours|all of|the (?:list|rest)|(?:his|her|their) \w+)\b/i.test(
    text,
  );
