import { OWN_FRAUD } from './own-fraud.ts';
import { asksForAll, ofOwnPeople } from './own-people.ts';

/** What the assistant does not do for anybody, however it is asked. */
export type Refusal =
  | 'injection'
  | 'secret'
  | 'tenant'
  | 'private'
  | 'threat'
  | 'action'
  | 'fraud'
  | 'advice'
  | 'subject';

/** After an article the same words are nouns: "last night's dump", "the list". */
const ASK = String.raw`(?<!(?:['’]s|\b(?:the|an?|our|an old|this|that|from)) )(?:show|give|tell|reveal|print|dump|output|display|list|send|share|leak|export|get|fetch|read|expose|what(?:['’]?s| is| are)|cu[áa]l(?:es)? (?:es|son)|qua(?:l [ée] (?:o|a)|is s[ãa]o)|quel(?:le)?s? (?:est|sont)|wie laute[nt]|muestra(?:me)?|mu[ée]strame|dame|dime|revela|lista|zeig\w*|gib|nenn\w*|verrate|liste|montre\w*|donne\w*|r[ée]v[èe]le\w*|affiche\w*|mostre\w*|d[êe]|diga|revele|liste|m[áa]ndame|p[áa]same|schick\w*|envoie\w*|envoyez|(?:me )?pass[ae](?![- ]?phrase)(?<!\bde passe)|me mand[ae])`;
const SECRET = String.raw`(?:private keys?|signing keys?|secret keys?|(?:deposit|issuer|distributor|treasury)(?: account)?(?:['’]s)? keys?(?! (?:for|used))|seeds?\b|seed phrases?|mnemonics?|recovery phrases?|passwords?|webhook[- ]?(?:secrets?|geheimnis\w*)|signing secrets?|cron[_ ]secrets?|admin(?:istrator)?['’]?s? (?:tokens?|keys?|passwords?)|access tokens?|env(?:ironment)? (?:variables?|vars?)|\.env\b|encryption keys?|(?:your|admin\w*|login|server|database|console) credentials|credentials (?:of|for|to) (?:the |your )?(?:admin|server|database|console|operator|deposit)|secrets\b|openai[_ ]api[_ ]keys?|claves? privadas?|contrase[ñn]as?|(?:frase )?semillas?|secretos?|secret (?:du|de|des)\b|privaten? schl[üu]ssel|passw[öo]rt\w*|geheimnisse|cl[ée]s? priv[ée]es?|mots? de passe|chaves? privadas?|senhas?|segredos?|(?:schl[üu]ssel|claves?|cl[ée]s?|chaves?) (?:vom|von|des|zum|de|du|da|de la) (?:\w+ )?(?:einzahlungskonto\w*|cuenta de dep[óo]sito|compte de d[ée]p[ôo]t|conta de dep[óo]sito))`;
const OTHERS = `(?:(?:other|another|any|all|every(?:one|body)?|someone|somebody|else|the)['’]?s?(?: else['’]?s?)? (?:tenants?|customers?|users?(?![- ]agent)|people|developers?|compan(?:y|ies)|clients?|projects?)|someone else|somebody else|everyone|everybody|another (?:tenant|user|customer|company|person)|competitors?)`;

/** A report that something of other tenants fails ("webhooks of all customers are failing") does not ask for their data. */
const IS_FAILING = String.raw`(?!\s+(?:(?:are|is|were|was|have|has|keep|all|suddenly|been|not|do|don['’]t) )*(?:fail\w*|down|stuck|late|broken|arriv\w+|work\w*|delayed|disabled|paused|timing out)\b)`;
/** Whether something shows secrets is asked about it, not of it. */
const SHOWN_BY = `(?<!^(?:(?:do|does|will|can|could|would|might) )?(?:the |your |my |our |any |these )?(?:logs?|log lines|errors?|error messages|responses?|console|api|dashboard|deliver(?:y|ies)|payloads?|backups?|exports?) (?:ever |also )?)`;
/** What the assistant does not do for anybody; an event of tests is sent by who asks. */
const DO = String.raw`\b(?:pay|send(?![^?\n]{0,60}\b(?:test|fake|sample|dummy)\b[^?\n]{0,40}\b(?:events?|webhooks?|deliver\w+|payloads?)\b)|transfer|release|pause|end|halt|resume|launch|approve|mark|mint|issue(?! (?:that|this|it|an? (?:\\w+ )?(?:receipt|invoice|document|confirmation|statement))\b)|credit|assign|move|withdraw|sign|whitelist|unfreeze|delete|drop|revoke|rotate|extend|reopen|add|set|change|update|cancel)\b`;
const NOT_HOW = String.raw`(?![^?\n]{0,60}\b(?:how|tag|memo)\b)`;

/** What is handed over for no reason at all: whether one must is asked about it, and is answered. */
const HANDED = String.raw`(?:giv\w+|tell\w*|shar\w+|send\w*|show\w*|enter\w*|typ\w+|reveal\w*|hand\w*|provid\w+|dar\w*|dé|decir\w*|compartir|enviar|mostrar|zeig\w+|geb\w+|verrat\w+|nenn\w+|teil\w+|angeb\w+|zu geben|donn\w+|partag\w+|montr\w+|dire|communiqu\w+|passar|mandar|informar|compartilhar)`;
const WHETHER = new RegExp(
  String.raw`\b(?:(?:do|must|should|shall|why|when|would|need) (?:i|we|you need|anyone|somebody|investors?|buyers?)|(?:without|never|not|have to|need to|needs? (?:me )?to|wants? me to|asks? me to|asked me to|supposed to)|sin|tengo que|tenemos que|hay que|debo|necesito|me pid\w+|muss ich|soll ich|ohne|dois-je|faut-il|il faut|sans|on me demande|devo|preciso|tenho que|sem|me ped\w+)\b[^.?!\n]{0,30}\b${HANDED}\b|(?:教え|見せ|渡さ|送ら|入力し)(?:ない|なきゃ|なければ|なくて|る必要|なくちゃ|ろと|てと言|てしまっ|ても)|(?:教え|見せ|渡)(?:て)?(?:はいけ|たらだめ|ちゃだめ)`,
  'i',
);

/** To help to deceive: to make something of one's own look like what is official, or to trick people. */
const OFFICIAL = String.raw`(?:official\w*|legit\w*|genuine|authentic|trustworthy|oficial\w*|leg[ií]tim\w+|aut[eé]ntic\w+|offiziell\w*|echt|seri[öo]s|officiel\w*|authentique\w*)`;
const DECEIVE = `(?:scam|defraud|deceive|trick|fool|con(?= (?:people|buyers|investors|others|some\\w+|every\\w+|users|them)\\b)|phish|impersonate|rip off|estafar|enga[ñn]ar|betr[üu]gen|abzocken|t[äa]uschen|hereinlegen|arnaquer|tromper|escroquer|enganar|lesar|dar (?:um )?golpe)`;

const WRITE = String.raw`(?<!\b(?:who|they|someone|somebody|support) )(?<!\p{L})(?:write|draft|compose|send out|schreib\w*|verfass\w*|entwirf|formulier\w*|escrib[ea]\w*|redacta\w*|r[ée]dige\w*|[ée]cris|[ée]crivez|escrev[ae]\w*|redij\w*|redige)\b`;
const MESSAGE = String.raw`e-?mails?|mails?|messages?|posts?|tweets?|dms?|announcements?|newsletters?|nachricht\w*|mitteilung\w*|rundschreiben|correos?|mensajes?|anuncios?|courriels?|mensage(?:m|ns)|an[úu]ncios?`;
const IN_THEIR_NAME = String.raw`\b(?:in (?:your|the platform'?s?|the team'?s?|their) name|as (?:the )?(?:support|team|platform|official)|in eurem namen|im namen de[rs]|en (?:su|tu|vuestro) nombre|en (?:votre|ton) nom|au nom d[eu]|em (?:seu|nome d[aeo]))\b`;
const SECRET_WORDS = String.raw`\b(?:seeds?|seed phrases?|recovery (?:phrases?|words)|(?:12|24|twelve|twenty-?four|zw[öo]lf|doce|douze|doze|vierundzwanzig) (?:words|w[öo]rter|palabras|mots|palavras)|private keys?|secret (?:keys?|numbers?|words|codes?)|wiederherstellungs\w*|privaten? schl[üu]ssel|frases? semilla|claves? privadas?|phrases? (?:secr[èe]te|de r[ée]cup[ée]ration)|cl[ée]s? priv[ée]es?|frases? (?:semente|de recupera[çc][ãa]o)|chaves? privadas?)`;

/** How a request begins, and what it orders. */
const POLITE = String.raw`(?:(?:hola|hallo|bonjour|salut|ol[áa]|oi|bitte|por favor|s['’]il (?:vous|te) pla[îi]t|svp|puedes|podr[íi]as|kannst du|k[öo]nnt ihr|k[öo]nnen sie|peux[- ]tu|pouvez[- ]vous|tu peux|voc[êe] pode|pode(?:ria)?)[\s,]+)*`;
const ORDER = `(?:lib[eé]r[ae]|env[íi]a|cancel[ae]|reembols[ae]|aprueb[ae]|marc[ae]|paus[ae]|cambi[ae]|dame|m[áa]nda|p[áa]sa|d[ée]s?bloqu|gib|send|schick|erstatt|zahl|pausier|brich|lib[èe]re|envoie|envoyez|rembourse|annul|approuv|donne|env[ií]e|aprov[ae]|me pass[ae]|mand[ae])`;

/** What the platform is about. */
const OF_PLATFORM = String.raw`\b(?:webhooks?|api|signatures?|hmac|sales?|xrpl?|ledger|payments?|pay|tokens?|tranche|invest\w*|refunds?|wallets?|platform|assistant|sandbox|csv|ventas?|pagos?|firmas?|verkauf\w*|zahlung\w*|signatur\w*|ventes?|paiements?|vendas?|pagamentos?|assinaturas?)\b`;
/** Somebody else whom one knows, in five languages. */
const COLLEAGUE = String.raw`(?:(?:the )?other (?:dev\w*|guy|person|admin|engineer)|co-?workers?|colleagues?|team ?mates?|compa[ñn]er[oa]s?|kolleg\w+|coll[èe]gues?|colegas?)\b`;
const SOMEONE = String.raw`(?:(?:my|his|her) (?:girlfriend|boyfriend|friend|wife|husband|ex|boss|neighbou?r|brother|sister|colleague|co-?worker|roommate|partner|buddy)|mi (?:novi[oa]|amig[oa]|espos[oa]|mujer|marido|ex|jef[ea]|vecin[oa]|herman[oa])|mein\w* (?:freund(?:in)?|frau|mann|ex|chef(?:in)?|nachbar(?:in)?|bruder|schwester|kolleg(?:e|in))|m(?:a|on) (?:copine|copain|ami|amie|femme|mari|ex|patron|voisin|voisine|fr[èe]re|s[œo]e?ur|coll[èe]gue)|minha (?:namorada|amiga|esposa|mulher|ex|chefe|vizinha|irm[ãa])|meu (?:namorado|amigo|marido|ex|chefe|vizinho|irm[ãa]o))\b`;
const PUT_IN = String.raw`(?:put|invest\w*|bought|buy|paid|pay|own|owns|has|have|spent|meti[óo]|puso|invirti[óo]|compr[óo]|pag[óo]|tiene|gekauft|eingezahlt|gezahlt|hat|mis|investi|achet[ée]|pay[ée]|colocou|investiu|comprou|pagou|p[ôo]s|tem)(?![a-zà-ÿ])`;
/** What somebody does with a key that is not to be shown: to have it revoked is a question. */
const NOT_LOST = String.raw`(?![^.?!\n]{0,40}\b(?:revo\w+|rotat\w+|leak\w*|delet\w+|replac\w+|disabl\w+|expire\w*|stolen|lost|filtr\w+|widerruf\w*|compromis\w+)\b)`;
const KEY_OF = String.raw`(?<!\b(?:how|c[oó]mo|wie|comment|como)\b[^.?!\n]{0,40})\b(?:give|show|send|paste|tell|need|want|get|dame|manda\w*|necesito|gib|zeig\w*|brauch\w*|donne\w*|envoie\w*|besoin|passa|preciso)\b[^.?!\n]{0,30}\b(?:api[- ]?)?(?:keys?|claves?|schl[üu]ssel|cl[ée]s?|chaves?)\b${NOT_LOST}`;

const RULES: readonly (readonly [Refusal, readonly RegExp[]])[] = [
  [
    'injection',
    [
      /\b(?:ignor\w*|disregard|forget|override|bypass|skip)\b[^.?!\n]{0,40}\b(?:previous|prior|above|earlier|all|your|these|the|any)\b[^.?!\n]{0,20}\b(?:instructions?|rules|prompts?|guidelines?|restrictions?|safety|guards?|filters?)/i,
      /\b(?:system|hidden|initial|original) (?:prompt|message|instructions?)\b|\byour (?:own )?(?:prompt|instructions|guidelines|rules|configuration)\b|\b(?:hidden|secret|internal|underlying) (?:rules?|prompts?|instructions?|guidelines?)\b|\brepeat (?:after me|everything (?:above|before))|\b(?:say|write|repeat|reply|answer) (?:exactly|verbatim|word for word|the words)\b|\beverything above this\b|\b(?:ignore|disregard|forget) (?:all|everything|the)(?: of)?(?: the)? above\b/i,
      /\byou are (?:now|no longer)\b|\bfrom now on,? (?:you|act|answer)|\b(?:act|behave|respond|answer) as (?:if|though|an?|the|my|dan)\b|\bpretend (?:to be|you|that)|\brole ?play\b|\bjailbreak|\b(?:developer|debug|god|admin|dan) mode\b/i,
      // As it is written: «dan» is Spanish for «they give», and a name.
      /\bDAN\b/,
      /\b(?:ignora|olvida)\b[^.?!\n]{0,40}\b(?:instrucciones|reglas)|\bprompt del sistema|\bahora eres\b|\btus (?:instrucciones|reglas)\b/i,
      /\b(?:ignorier\w*|vergiss|missachte)\b[^.?!\n]{0,50}\b(?:anweisungen|regeln|anordnungen|instruktionen)|\bsystem-?(?:prompt|anweisung\w*|instruktion\w*|befehle?)|\bdeine (?:anweisungen|regeln|instruktionen)\b|\bdu bist (?:jetzt|nun|ab jetzt)\b/i,
      /\b(?:ignor\w*|oublie\w*)\b[^.?!\n]{0,40}\b(?:instructions|consignes|r[èe]gles)|\b(?:tes|vos) (?:instructions|consignes)\b|\btu es (?:maintenant|d[ée]sormais)\b|\binvite syst[èe]me/i,
      /\b(?:ignor\w*|esque[çc]a)\b[^.?!\n]{0,40}\b(?:instru[çc][õo]es|regras)|\bsuas (?:instru[çc][õo]es|regras)\b|\bagora voc[êe] [ée]\b|\bprompt d[eo] sistema/i,
      /\b(?:wiederhol\w*|r[ée]p[èe]te\w*|rep[ií]t[ea]|repet[ei])\b[^.?!\n]{0,30}(?<!\p{L})(?:über|oben|ci-dessus|au-dessus|arriba|encima|acima)(?!\p{L})/iu,
      // What passes itself off as an order of ours, in a message or in a text that somebody was sent.
      /(?:^|["“«\n])\s*\[?(?:system|admin\w*|operator) (?:notice|message|note|update|override)\]?\s*[:\-–—]|\bnote to (?:the )?(?:ai|assistant|bot)\b|\b(?:confirm|tell|announce|show)\b[^.?!\n]{0,40}\bto the (?:users?|buyers?|investors?|customers?)\b(?=[^\n]{0,20}\b(?:now|immediately)\b)/i,
      /\b(?:translate|summari[sz]e|repeat|paraphrase|rewrite|copy|encode)\b[^.?!\n]{0,20}\b(?:texts?|everything|messages?|words?|lines?|all)\b[^.?!\n]{0,12}\babove\b/i,
      /\bmod[oe] (?:de )?(?:desenvolvedor|desarrollador|programador|administrador|admin|debug|d[ée]veloppeur|administrateur|dieu|dios|deus)\b|\b(?:entwickler|admin\w*|debug|gott)-?modus\b|\b(?:answer|respond|reply|antwort\w*|r[ée]pond\w*|respond\w*)\b[^.?!\n]{0,20}\b(?:without|sem|sin|ohne|sans) (?:\w+ )?(?:filt\w+|restri\w+|limit\w*|einschr[äa]nk\w+|censur\w*|zensur)/i,
      /(?:指示|命令|ルール|プロンプト)[^。\n]{0,8}(?:無視|忘れ|見せ|教え|表示|出力)|システムプロンプト|(?:管理者|開発者|デバッグ)モード|あなたは今から|これまでの指示/,
    ],
  ],
  [
    'secret',
    [
      new RegExp(
        String.raw`${SHOWN_BY}\b${ASK}\b(?!(?:[^.?!\n]{0,30})\b(?:my|mein\w*|mi|mon|ma|meu|minha|how|c[oó]mo|wie|comment|como)\b)[^.?!\n]{0,50}${SECRET}`,
        'i',
      ),
      /\b(?:give|send|show) (?:me|us)\b[^.?!\n]{0,30}\b[a-z]+(?:_[a-z]+)*_(?:url|token|secret|key|password)\b/i,
      /\b(?:passwords?|pw|seeds?|keys?|phrases?)\b[^?\n]{0,60}\b(?:first|last) (?:\d+|two|three|four|five|six) (?:characters?|letters?|digits?|words?)\b/i,
      /(?<!\bhow [^.?!\n]{0,30})\b(?:what(?:['’]?s| is)|give|tell|send|show|cu[áa]l es|dame|p[áa]same|wie lautet|gib|schick\w*|quel est|donne\w*|qual [ée]|me pass[ae])\b[^.?!\n]{0,25}\b(?:(?:admin|cron|root)\w*[ _-]?(?:token|secret|key)|token (?:de |d['’])?admin\w*)\b[^.?!\n]{0,12}\b(?:(?:of|for|de|del|do|da|du|von|f[üu]r) (?:this|the|your|este|esta|ce|cette|diese[nrms]?|euren?|dem)|deste|desta|here|hier|ici|aqu[ií])(?![a-zà-ÿ])/i,
      // A key is lent to nobody; whether one may lend one's own is a question.
      /\b(?:gimme|give (?:me|us)|hand (?:me|us)) (?:one|some|any) of your (?:\w+ )?keys?\b|\b(?:lend|loan) (?:me|us)\b(?![^.?!\n]{0,25}\b(?:my|our)\b)[^.?!\n]{0,25}\bkeys?\b|\b(?:can|could|may) (?:i|we) borrow\b(?! (?:my|our)\b)[^.?!\n]{0,25}\bkeys?\b|\b(?:do|have|got) you (?:have |got )?[^.?!\n]{0,10}\b(?:spare|extra|leftover) (?:\w+ )?keys?\b|\b(?:pr[ée]st[ae]me|pr[ée]stenme|me (?:prestas?|dejas?|emprest[ae]s?))\b[^.?!\n]{0,25}\b(?:claves?|llaves?|chaves?|api ?keys?)\b|\b(?:empreste|empresta)\b[^.?!\n]{0,25}\b(?:chaves?|api ?keys?)\b|\b(?:leih|leihe|leihst du|leiht|borg|borge|borgst du) (?:mir|uns)\b[^.?!\n]{0,30}(?:schl[üu]ssel|keys?)\b|\b(?:mir|uns)\b[^.?!\n]{0,30}(?:schl[üu]ssel|keys?)\b[^.?!\n]{0,15}\b(?:aus)?(?:leihen|borgen)\b|\b(?:pr[êe]te[zs]?[- ](?:moi|nous)|(?:peux[- ]tu|pouvez[- ]vous|tu peux|tu) (?:me|nous) pr[êe]te[rs]?)(?![a-zà-ÿ])[^.?!\n]{0,25}\bcl[ée]s?(?![a-zà-ÿ])/i,
      /(?:キー|鍵)[^。\n]{0,6}(?:貸して|かして|貸しても?らえ|お借りでき|分けて(?:くだ|ほし|もら))(?!と(?:言|頼|い)|も(?:いい|大丈夫|よい))/,
      /(?:秘密鍵|パスワード|シークレット|シード)[^。\n]{0,10}(?:見せ|教え|表示|くだ|ちょうだい|出して|最初の|最後の|先頭|末尾)|(?:管理者|運営|サーバー)の?(?:トークン|キー|鍵|パスワード)(?!が(?:漏|流出|盗)|を(?:交換|変更|更新|再発行|失効|作)|の(?:交換|変更|更新|作))/i,
    ],
  ],
  [
    'tenant',
    [
      // Keys of all or of others, in five languages; how one lists one's own is a question.
      /(?<!\b(?:how|c[oó]mo|wie|comment) [^.?!\n]{0,30})\b(?:print|show|give|dump|export|reveal|dame|mu[eé]stra\w*|zeig\w*|gib|donne\w*|montre\w*|d[êe]|mostr\w+|passa)\b[^.?!\n]{0,50}\b(?:api[- ]?keys?|claves? de api|api[- ]schl[üu]ssel|cl[ée]s? (?:d['’])?api|chaves? de api)\b[^.?!\n]{0,40}\b(?:all|every|others?|another|otr[oa]s?|tod[oa]s|alle[rn]?|anderen?|autres?|toutes?|outr[oa]s?|projects?|tenants?)\b/i,
      new RegExp(
        String.raw`\b${OTHERS}(?:['’]s?)?\b[^.?!\n]{0,40}\b(?:webhooks?|keys?|deliver(?:y|ies)|secrets?|orders?|logs?|account data|data|endpoints?)\b${IS_FAILING}`,
        'i',
      ),
      new RegExp(
        String.raw`\b(?:webhooks?|keys?|deliveries|logs?|data|endpoints?)(?: (?:urls?|addresses|events))? (?:of|from|belonging to|that belong to|owned by) (?:the )?(?:${OTHERS}|(?:the )?(?:tenant|customer|user|client)\b)\b${IS_FAILING}`,
        'i',
      ),
      /\b(?:keys?|webhooks?|secrets?|data|logs?) (?:of|for|from) (?:the )?(?:tenant \w+|\w+ tenant)\b/i,
      /\b(?:show|list|give|print|get)\b[^.?!\n]{0,20}\b(?:keys?|webhooks?|secrets?) (?:of|for|from) r[1-9A-HJ-NP-Za-km-z]{20,}/i,
      new RegExp(String.raw`\b(?:webhooks?|keys?|deliveries|endpoints?) (?:do|does|has|have) (?:the )?${OTHERS}`, 'i'),
      // Whose it is goes by a name, or by the people there.
      /\b(?:[Gg]ive|[Ss]end|[Ss]how|[Tt]ell|[Dd]ame|[Pp][áa]same|[Mm][áa]ndame|[Gg]ib|[Ss]chick|[Zz]eig|[Dd]onne|[Ee]nvoie|[Pp]assa|[Mm]anda)\b[^.?!\n]{0,20}\b(?:api|API)?[- ]?(?:keys?|chaves?|claves?|[Ss]chl[üu]ssel|cl[ée]s?|secrets?|url|URL)(?![a-zà-ÿ])[^.?!\n]{0,15}\b(?:of|from|de|do|da|von|vom|du) (?:(?:the|o|la|el|le|der|den) )?(?:[A-Z][a-z]+ ?(?:Inc|Ltd|Corp|GmbH|Labs)?$|(?:pessoal|people|guys|folks|gente|leute[n]?|gens|equipe|[ée]quipe|equipo|empresa|firma|company) (?:d[aeo]s?|of|at|from|von|bei|chez)\b)/,
      // Whose key it is; one that leaked or is to be revoked is a question.
      new RegExp(
        String.raw`${KEY_OF}[^.?!\n]{0,20}\b(?:of|from|de|von|vom|da|do|del|du)\b[^.?!\n]{0,15}\b${COLLEAGUE}|\b${COLLEAGUE}['’]s? (?:\w+ )?(?:api[- ]?)?keys?\b${NOT_LOST}`,
        'i',
      ),
      /\b(?:webhooks?|claves?|datos|schl[üu]ssel|daten|cl[ée]s|donn[ée]es|chaves|dados)\b[^.?!\n]{0,20}\b(?:de otr[oa]s?|anderer|eines anderen|d['’]un autre|des autres|d['’]autres|de outr[oa]s?)\b|(?:他の|他人の|ほかの)[^。\n]{0,10}(?:キー|データ|webhook|ウェブフック)/i,
    ],
  ],
  [
    'private',
    [
      /\b(?:e-?mail|phone|name|correo|tel[ée]fono|nombre|mail|telefon\w*|nom|t[ée]l[ée]phone|nome|telefone)\b[^.?!\n]{0,20}\b(?:on|of|behind|linked to|tied to|de|del|da|do|du|von|zu|hinter|derri[èe]re|detr[áa]s de|atr[áa]s de) (?:that|this|his|her|their|es[ae]|est[ae]|ess[ae]|diese[rmns]?|der|dem|ce|cette) (?:account|wallet|address|cuenta|cartera|billetera|direcci[óo]n|conta|carteira|endere[çc]o|konto|adresse|compte|portefeuille)\b/i,
      /(?<!\b(?:how|can|could|do|to|i|we|c[oó]mo|wie|comment|como) [^.?!\n]{0,30})\b(?:list|give|show|send|export|print)\b (?:me |us |all |the |a list of )*(?:investors|buyers)\b/i,
      /(?<!\b(?:delete|erase|remove|store|keep|collect|process)\b[^.?!\n]{0,20})\b(?:real names?|full names?|e-?mails?(?: address(?:es)?)?|phone numbers?|home address(?:es)?|identit(?:y|ies)|passport|personal (?:data|details|information)|ip address(?:es)?(?! (?:do|does|are|is|will|you|your|the (?:webhooks?|callbacks?))\b)|names? and address(?:es)?|contact details)\b(?!(?: address(?:es)?)? (?:of|for) (?:the |your )?(?:support|help))[^.?!\n]{0,60}\b(?:(?:of|behind|for)(?! (?:me|my|you|your|us|our|support|help)\b)|belong\w*|investors?|holders?|buyers?|customers?|users?|wallets?|owners?|operators?|them|people|team|person)\b/i,
      /\b(?:investors?|holders?|buyers?|customers?|users?|owners?|people)\b[^.?!\n]{0,20}\bwith (?:all )?(?:their )?(?:real |full )?(?:names?|e-?mails?|phones?|phone numbers?|addresses and names|identit(?:y|ies))\b|\b(?:kunden|nutzer|anleger|investoren)daten\b|\bdatos de (?:los )?(?:clientes|inversores)\b|\bdados d[eo]s? (?:clientes|investidores)\b|\bdonn[ée]es (?:des )?(?:clients|investisseurs)\b/i,
      /\b(?:investors?|holders?|buyers?|customers?|users?|owners?|people)['’]?s? (?:real |full |personal )?(?:names?|e-?mails?|phones?|phone numbers?|identit(?:y|ies)|data)\b/i,
      /(?<!\p{L})(?:names?|noms?|nombres?|nomes?|namen?)(?!\p{L})[^.?!\n]{0,12}(?: and | et | y | e | und )[^.?!\n]{0,12}(?:adresses?|address(?:es)?|direcci[óo]n|endere[çc]o|anschrift|privatadresse)(?!\p{L})[^.?!\n]{0,30}(?<!\p{L})(?:op[ée]rat\w+|operador\w*|betreiber\w*|admin\w*|fondateur\w*|fundador\w*|gr[üu]nder\w*|founder\w*|patron|chefs?|ceo|jefe|dono)(?!\p{L})|(?:運営者?|管理者|担当者|責任者|代表者?)の?(?:本名|名前|氏名|住所|自宅|連絡先)(?:を|と|、)/iu,
      /\bwhere (?:does|do|did) (?:he|she|they|(?:this|that|the) (?:guy|person|man|woman|owner|buyer))\b[^.?!\n]{0,15}\blives?\b|\bwo wohn(?:t|en) (?:der|die|er|sie|diese\w*)\b|\bd[óo]nde vive\b|\bo[ùu] (?:habite|vit)\b|\bonde (?:el[ea] )?mora\b|どこに住んで/i,
      /\bwhere (?:does |do |did )?(?:(?:the|your|his|their|that|this) )?(?:\w+ ){0,2}(?:ceo|founders?|owners?|operators?|admin\w*|boss|developers?|sellers?|buyers?|team|staff|guy|he|she|man|woman|person) (?:really |actually )?lives?\b|\baddress of (?:the |your )?(?:ceo|founder|boss)\b|\b(?:home|private|house) address(?:es)?\b[^.?!\n]{0,15}\b(?:ceo|founders?|boss|admin\w*|developers?|sellers?)\b|\b(?:ceo|founder|owner|boss|admin|developer|seller)['’]?s (?:home|house|private) ?(?:address)?\b|\bwo (?:(?:der|die|euer|eure?|dein|ihr) )?(?:\w+ )?(?:chef|ceo|gr[üu]nder|inhaber|betreiber|verk[äa]ufer|admin)\w* (?:wohnt|lebt)\b|\bwo wohnt\b|(?:privat|wohn)(?:adresse|anschrift) (?:von|vom|des|der|eure[rs])\b|\bd[óo]nde (?:el |la |su |los |ese |esa )?(?:\w+ ){0,2}viven?\b|\bo[ùu] (?:(?:le|la|les|votre|ton|ce|cette) )?(?:\w+ ){0,2}(?:habite(?:nt)?|vit|vivent)\b|\bonde (?:(?:o|a|os|esse|essa|seu|sua) )?(?:\w+ ){0,2}(?:moram?|vivem?)\b|(?:社長|代表|CEO|創業者|運営者|担当者|管理者|責任者)[^。\n]{0,8}(?:自宅|家(?:は|を|の住所)|住んで)/i,
      /\bwho(?:['’]s| is| are)? (?:the (?:person|people|owner)|really|behind|owns?)\b[^.?!\n]{0,40}\b(?:wallet|account|address|r[1-9A-HJ-NP-Za-km-z]{20,})|\bwho owns? (?:r[1-9A-HJ-NP-Za-km-z]{20,}|this wallet|that wallet)|\bdox\b|\bwhose (?:wallet|account|address)\b|\b(?:his|her|their) (?:e-?mail|phone|real name|name|identity|home address)\b/i,
      /\b(?:correos?|emails?|nombres?|tel[ée]fonos?|datos personales|namen|e-?mail-?adressen|telefonnummern?|pers[öo]nliche\w* daten|noms?|adresses? (?:e-?)?mail|num[ée]ros? de t[ée]l[ée]phone|donn[ée]es personnelles|nomes?|e-?mails|telefones?|dados pessoais)\b[^.?!\n]{0,30}\b(?:de los|de las|del|der|von|unserer|aller|eurer|des|du|dos|das|do|de tous|de tod[oa]s)\b[^.?!\n]{0,20}\b(?:inversores|inversionistas|titulares|compradores|anleger|investoren|k[äa]ufer|inhaber|investisseurs|acheteurs|d[ée]tenteurs|investidores|compradores|due[ñn]o|propri[ée]taire|besitzer\w*)|\bwem geh[öo]rt (?:die|diese)? ?(?:wallet|adresse)|\bqui[ée]n es el due[ñn]o|[àa] qui appartient|de quem [ée] (?:a|essa|esta) carteira/i,
      /\b(?:investors?|buyers?|anleger|investoren|k[äa]ufer|inversores|compradores|investisseurs|acheteurs|investidores)\b[^.?!\n]{0,40}\b(?:with|mit|con|avec|com) (?:\w+ )?(?:names?|namen|nombres|noms?|nomes?|e-?mails|mails|correos|courriels|telefonnummern|tel[ée]fonos|telefones)\b|\b(?:names?|namen|nombres|noms?|nomes?)\b[^.?!\n]{0,20}\b(?:investors|anleger|investoren|inversores|compradores|investisseurs|acheteurs|investidores)\b|\b(?:anleger|investoren|k[äa]ufer)liste\b/i,
      /\bnames? of (?:(?:the|an?|all|your|every|those|these) )*(?:\w+ )?(?:customers?|users?(?! agent)|buyers?|clients?|investors?|holders?)\b(?! (?:events?|fields?|endpoints?|headers?|tables?|ids?)\b)|\bwelche[nr]? (?:e-?mail\w*|namen?|telefonnummern?) ha(?:t|ben)\b/i,
      // A name with the way to reach who bears it, and what somebody else put in.
      /(?<!\b(?:my|our|your|a|own|mein\w*|mi|mon|meu|minha)\b[^.?!\n]{0,15})\b(?:names?|nombres?|namen?|noms?|nomes?)\b(?: and | or | or an? |\s*[&+,/]\s*| y | und | et | e | ou | o )(?:an? |the |su |seu |son )?(?:e-?mails?|phones?|mails?|correos?|courriels?|telefon\w*|tel[ée]fonos?|t[ée]l[ée]phones?|telefones?|home address\w*)\b/i,
      new RegExp(
        String.raw`\b(?:how (?:much|many)|what(?! if\b| happens\b)|cu[áa]nto\w*|qu[ée]|wie ?viele?|was|combien|quanto\w*)(?![a-zà-ÿ])[^.?!\n]{0,25}(?:\b${SOMEONE}[^.?!\n]{0,20}\b${PUT_IN}|\b${PUT_IN} (?:ya |j[áa] )?${SOMEONE})`,
        'i',
      ),
      /(?:彼女|彼氏|友達|友人|妻|夫|上司|同僚|兄|弟|姉|妹)(?:は|が|の)[^。\n]{0,12}(?:いくら|投資額|何枚|買った)/,
      /(?:他の(?:人|投資家|購入者)|他人|全員)の(?:返金|投資|購入|支払い)[^。\n]{0,8}(?:一覧|リスト|見せ|教え|表示)/,
      /(?:他の?人|他の?投資家|他人|ほかの人|みんな|全員)の?[^。\n]{0,14}(?:ウォレット|残高|名前|個人|データ|情報)[^。\n]{0,14}(?:教えて|見せて|送って|出して|一覧|リスト)/,
      /\b(?:donne\w*|montre\w*|envoie\w*|liste[zr]?|besoin|dame|danos|p[áa]sa(?:me|nos)|m[áa]nda\w*|necesit\w+|mu[eé]stra\w*|precis\w+|me passa|mostre|gib|gebt|zeig\w*|nenn\w*|schick\w*|brauch\w*)\b[^.?!\n]{0,40}\b(?:des autres|d['’]autres|de (?:los|las) (?:dem[áa]s|otr[oa]s)|de otr[oa]s|dos outros|das outras|de outr[oa]s|der anderen|anderer) (?:investisseurs|acheteurs|personnes|clients|inversores|compradores|personas|clientes|investidores|pessoas|anleger|investoren|k[äa]ufer|kunden|leute)/i,
      /\b(?:which|what) (?:wallet|address|account)s?\b[^.?!\n]{0,15}\bbelongs? to (?!me\b|us\b|you\b|it\b|this|that|the |a )|\bquel(?:le)? (?:portefeuille|adresse)\b[^.?!\n]{0,15}\bappartient [àa] (?!moi|la|le|vous|ce)|\bqu[ée] (?:cartera|direcci[óo]n)\b[^.?!\n]{0,15}\b(?:es de|pertenece a) (?!la |el |est|mi)|\bwelche (?:wallet|adresse)\b[^.?!\n]{0,15}\bgeh[öo]rt (?!mir|zu|de[mr] |euch)|\bqual carteira\b[^.?!\n]{0,15}\b(?:[ée] d|pertence a)/i,
      /(?:投資家|所有者|購入者|保有者|持ち主|ユーザー|顧客)[^。\n]{0,8}(?:名前|氏名|メール|電話|個人情報|住所)|個人情報/,
    ],
  ],
  [
    'threat',
    [
      /\b(?:i|we)(?:['’]?ll| will|(?:['’]?m| am|['’]?re| are)? (?:going to|gonna)) (?:find|hunt|kill|hurt|beat|visit|come (?:for|to|after)) (?:you|u|your|all of you)\b(?! (?:an?|the|some) )|\bi know where (?:you|u)\b[^.?!\n]{0,20}\b(?:live|work|sleep)|\b(?:te|los|les|os) (?:voy|vamos) a (?:matar|buscar|encontrar|partir|romper|reventar)\b|\bs[ée] d[óo]nde viv(?:es|en|[ií]s)\b|\bich (?:finde|bringe?|schlage?|besuche) (?:dich|euch)\b(?! (?:gut|toll|nett))|\bich wei(?:ß|ss) wo (?:du|ihr) (?:wohn|leb|arbeit)|\bje vais (?:vous|te) (?:retrouver|tuer|casser|d[ée]foncer)\b|\bje sais o[ùu] (?:tu|vous) (?:habite|vi[st]|vive|travaille)|\b(?:vou|vamos) (?:te|vos) (?:matar|achar|encontrar|pegar|quebrar)\b|\bsei onde (?:voc[êe]s?|vcs?|tu) (?:mora|vive|trabalha)|\bi know where to find (?:you|u)\b|\bje sais o[ùu] (?:te|vous) trouver\b|\bs[ée] d[óo]nde encontrar(?:te|los|os|les)\b|\bich wei(?:ß|ss),? wo ich (?:dich|euch) finde|\bsei onde (?:te|vos) encontrar\b|\bor (?:else )?(?:i|we)(?:['’]ll| will| am going to)? (?:take (?:this|the|your) (?:site|server|platform|page) (?:down|offline)|hack|ddos|dox|burn|destroy|post (?:every one|all|each)? ?(?:of )?your names?|leak)\b|\boder ich (?:hacke|zerst[öo]re|ver[öo]ffentliche (?:eure|deine|alle)|lege (?:eure|die|diese) (?:seite|server))\b|\bo (?:les |os |te )?(?:tumbo|hackeo|reviento|tiro (?:la|el|su) (?:p[áa]gina|web|sitio|servidor)|publico (?:sus|tus|todos))(?= |$)|\bou (?:je|on) (?:fais tomber|pirate|publie (?:vos|tes|tous)|d[ée]truis)\b|\bou (?:eu )?(?:derrubo|hackeio|invado|publico (?:os|seus|todos)) |(?:さもないと|さもなければ)[^。\n]{0,25}(?:晒|攻撃|落と|潰|ハッキング)|殺す(?:ぞ|から)|ぶっ殺|お前(?:の家|ら)[^。\n]{0,12}(?:知って|行く|見つけ)/i,
    ],
  ],
  [
    'action',
    [
      /\b(?:un-?pause|resume|release|launch|cancel|end|approve) (?:it|this|that|(?:the|my|our) sale) for me\b/i,
      new RegExp(String.raw`\b(?:(?:can|could|would) you|will you please) (?:please |just )*${DO} ${NOT_HOW}`, 'i'),
      new RegExp(
        String.raw`^(?:(?:hi|hello|hey|now|ok|as (?:an? )?(?:admin|operator)\w*|i(?:['’]?m| am| work)\b[^,.?\n]{0,40}[,.])[\s,:]*)*(?:please |just )*${DO} (?:[^?\n]{0,80}\b(?:now|immediately|for me|to me|to my|to r[1-9A-HJ-NP-Za-km-z]{20,}|please|as (?:confirmed|paid))\b|me\b|us\b|my (?!secret|key|webhook|api))${NOT_HOW}`,
        'i',
      ),
      new RegExp(`^please ${DO} ${NOT_HOW}`, 'i'),
      /^(?:please )?(?:buy|sell|swap|invest)\b[^?\n]{0,60}\bfor me\b/i,
      /(?:私|自分|俺|僕)の?(?:ウォレット|口座|アドレス)?[にへ][^。\n]{0,20}(?:発行し|送って|送金し|付与し)/,
      // Nothing is sold beside a sale, and nothing is released to whoever asks.
      /\bsell me\b[^.?!\n]{0,60}\b(?:anyway|outside|off[- ]?(?:platform|market|the books)|privately|under the table)\b|\bv[ée]nd[ea]me\b[^.?!\n]{0,60}\b(?:igual|por fuera|en privado|aparte)\b|\bverkauf\w* mir\b[^.?!\n]{0,60}\b(?:trotzdem|privat|unter der hand|außerhalb)|\bvend(?:s|ez)[- ]moi\b[^.?!\n]{0,60}\b(?:quand m[êe]me|en dehors|en priv[ée])|\bme vend[ea]\b[^.?!\n]{0,60}\b(?:mesmo assim|por fora|no privado)\b|(?:裏で|直接|個別に|こっそり)売っ/i,
      // A payment is marked as confirmed by the ledger alone.
      new RegExp(
        String.raw`^${POLITE}(?:m[áa]rc\w*|pon\w*|setz\w*|markier\w*|mets|mettez|mettre|pass(?:e|ez|er)|marqu\w*|coloqu\w*|best[äa]tig\w*)(?![\p{L}])[^.?!\n]{0,15}(?<!\p{L})(?:mi|m[eo]in\w*|mon|ma|meu|minha)(?!\p{L})[^.?!\n]{0,20}(?:pago|zahlung|paiement|pagamento|compra|kauf|achat)[^.?!\n]{0,20}(?:confirmad|best[äa]tigt|confirm[ée]|bezahlt|pagad|pay[ée])`,
        'iu',
      ),
      /^(?:please |just )*(?:confirm|validate|approve) (?:my|our) (?:payment|purchase|investment)\b(?!,? (?:arriv|was|went|is|has|came|got|receiv|status))/i,
      new RegExp(
        String.raw`^${POLITE}(?:valid[ae]|aprueb[ae]|aprov[ae]|approuve[zr]?|best[äa]tig\w*|lib[eé]r[ae]\w*|d[ée]s?bloqu\w+) (?:mis?|meine?|m[ea]s|mon|meus?|minhas?) (?:pago|zahlung|paiement|pagamento|compra|kauf|achat|tokens?|jetons|fondos|fonds|fundos)(?!\p{L})`,
        'iu',
      ),
      /(?:支払い?|入金|取引|送金)[^。\n]{0,8}(?:確認済み|確定|承認済み|完了)(?:に|と)して(?:ください|くれ|ほし|もらえ|おいて|$)/,
      // Who gives himself out as somebody and orders something done.
      new RegExp(
        String.raw`(?<!\p{L})(?:soy|somos|sou|somos|je suis|nous sommes|ich bin|wir sind)(?!\p{L})[^,.:;\n]{0,40}(?<!\p{L})(?:admin\w*|operador\w*|op[ée]rateur|betreiber\w*|due[ñn]\w+|don[oa]|patron|chef\w*|ceo|fundador\w*|fondateur|gr[üu]nder\w*|support|soporte|suporte|t[ée]cnico|equipe|équipe|equipo)(?!\p{L})[^,.:;\n]{0,20}[,.:;]\s*(?:y |und |et |e )?${POLITE}${ORDER}`,
        'iu',
      ),
      /(?:社長|上司|運営|管理者|サポート|取引所)(?:です|の者|の指示|担当)[^\n]{0,40}(?:送って|承認して|返金して|解除して|変更して|停止して|再開して|中止して)(?!も)/,
      /\b(?:release|lib[eé]r[ae]\w*|freigeben|gib)\b[^?!\n]{0,40}\bXRP\b[^?!\n]{0,30}\br[1-9A-HJ-NP-Za-km-z]{20,}/i,
      // Where money goes to is changed for nobody.
      /(?<!\b(?:how|can i|where|c[oó]mo|puedo|wie|kann ich|comment|puis-je|como|posso) [^.?!\n]{0,30})\b(?:change|switch|redirect|reroute|set|cambia|cambie|modifica|[äa]ndere|wechsle|change[zr]?|modifie[zr]?|muda|mude|altera|altere|troca|troque)\b[^.?!\n]{0,30}\b(?:address|wallet|direcci[oó]n|cartera|adresse|portefeuille|endere[çc]o|carteira)\b[^.?!\n]{0,60}\b(?:my|mine|m[íi]a?|mein\w*|mon|mien\w*|meu|minha)\b/i,
      // What is decided here is no matter of a chat: nothing is certified.
      /\b(?:confirm|certify|attest|state|promise|put)\b[^.?!\n]{0,30}\b(?:in writing|officially)\b|\b(?:confirm|certify|attest)\b[^.?!\n]{0,60}\b(?:approved|granted|guaranteed)\b|\bpor escrito\b|\bschriftlich\b[^.?!\n]{0,30}\bbest[äa]tig|\bbest[äa]tig\w*[^.?!\n]{0,30}\bschriftlich|\bpar [ée]crit\b|書面で/i,
      // Who says so and asks how something is done wants it told, not done.
      /\bthis is \w+,? (?:the )?(?:\w+ )?(?:admin\w*|operator|owner|ceo|founder)\b(?![^\n]{0,200}\b(?:how|what|where|which|when|why|can i|do i|may i|does)\b)/i,
      /\b(?:i am|i['’]m) (?:the|an?) (?:admin\w*|operator|owner|developer|ceo|founder)\b(?![^\n]{0,200}\b(?:how|what|where|which|when|why|can i|do i|may i|does)\b)/i,
    ],
  ],
  [
    'fraud',
    [
      ...OWN_FRAUD,
      // A message that asks people for their secret words, or is sent in another's name.
      new RegExp(
        String.raw`${WRITE}[^?\n]{0,120}\b(?:${MESSAGE})[^\n]{0,160}(?:${IN_THEIR_NAME}|${SECRET_WORDS})`,
        'iu',
      ),
      // A copy of the page that takes the money to somebody else.
      /\b(?:copy|clone|replica\w*|look-?alike|mirror|fake)\b[^?\n]{0,60}\b(?:site|page|website|sale)\b[^?\n]{0,60}\b(?:put|with|swap\w*|chang\w+|replac\w+|us(?:e|ing))\b[^.?!\n]{0,30}\bmy (?:own )?(?:deposit )?(?:address|wallet)\b/i,
      /(?<!\p{L})(?:kopi\w*|klon\w*|nachbau\w*|c[oó]pia\w*|clona\w*|id[ée]ntic[ao]s?|copie\w*|clone\w*|identique|imit\w+)\b[^?\n]{0,80}\b(?:seite|website|p[áa]gina|web|sitio|site|page)\b[^?\n]{0,80}\b(?:meiner?|mi|mon|ma|minha|meu)\b[^.?!\n]{0,15}\b(?:adresse|wallet|direcci[óo]n|cartera|portefeuille|endere[çc]o|carteira)|\bas an official (?:notice|announcement|message)\b/iu,
      /(?:そっくり|偽|コピー)[^。\n]{0,12}(?:サイト|ページ)[^。\n]{0,60}自分の(?:アドレス|ウォレット|口座)/,
      /(?:シード|秘密鍵|リカバリー|復元フレーズ|運営の名前|公式を装)[^。\n]{0,60}(?:メール|メッセージ|文面|案内)[^。\n]{0,30}(?:書い|作っ|作成)|(?:シード|リカバリー|復元)[^。\n]{0,30}(?:入力させ|送らせ|聞き出)/,
      new RegExp(
        String.raw`\b(?:make|get|so that|let)\b(?! sure)[^.?!\n]{0,40}\b(?:look|seem|appear|sound|pass)s?\b[^.?!\n]{0,15}\b(?:${OFFICIAL}|real)\b`,
        'i',
      ),
      new RegExp(
        String.raw`\b(?:que|q|k|pour que|afin que)\b[^.?!\n]{0,40}\b(?:pare[zç]ca|paresca|parecer|se vea|vean|ait l['’]air|aient l['’]air|paraisse|semble)\b[^.?!\n]{0,15}\b(?:${OFFICIAL}|real|vraie?)(?![\p{L}])|\b(?:damit|dass|so dass)\b[^.?!\n]{0,60}\b(?:${OFFICIAL})\s+(?:aussieht|aussehen|wirkt|wirken|erscheint|r[üu]berkommt)\b|\b(?:fazer|faço|hacer|hago)\b[^.?!\n]{0,40}\bparecer\b[^.?!\n]{0,15}\b${OFFICIAL}`,
        'iu',
      ),
      new RegExp(
        String.raw`\b(?:help me(?: to)?|how (?:do|can|could|would|should) (?:i|we)|how to|(?:i|we) (?:want|would like|plan) to|c[oó]mo (?:puedo )?|quiero|wie kann ich|ich will|hilf mir|comment|je veux|aide[- ]moi [àa]|como (?:posso |eu )?|quero)\s*(?:best |leicht |die |los |as? |os )?(?:\w+ ){0,2}?${DECEIVE}\b`,
        'i',
      ),
      /\b(?:make|let|have|get)\b[^.?!\n]{0,20}\b(?:friends?|people|everyone|everybody|others?|them|him|her|someone|somebody|buyers|investors)\b[^.?!\n]{0,10}\b(?:think|believe)\b(?! in\b)|\bha(?:cer|go)(?:le|les)?\b[^.?!\n]{0,20}\bcreer\b|\bfai(?:re|s)\b[^.?!\n]{0,20}\bcroire\b|\bfa(?:zer|ço)\b[^.?!\n]{0,30}\b(?:acredit|pens)ar(?:em)?\b|\b(?:vormachen|weismachen|vorgaukeln|vort[äa]uschen)\b|と思わせ/i,
      /\b(?:pose|posing|posar|passer|passar|ausgeben|hacer(?:me)? pasar|hago pasar)\b[^.?!\n]{0,25}\b(?:as|por|als|pour)\b[^.?!\n]{0,15}\b(?:the |your |el |la |le |o |a |euer |dein )?(?:support|team|operators?|platform|soporte|equipo|plataforma|suporte|equipe|plateforme|[ée]quipe)\b(?=[^\n]*\?|[^\n]*\b(?:how|c[oó]mo|wie|comment|help)\b)(?<=\b(?:i|we|how|me|c[oó]mo|ich|wie|je|comment|eu|como)\b[^\n]{0,120})/i,
      /(?:公式|本物|正規)(?:っぽく|らしく|に見せ|に見える(?:よう)?に|のように見せ|と思わせ)|(?:だます|騙す|詐欺(?:をする|する|の))(?:方法|やり方|には|文面)/,
    ],
  ],
  [
    'advice',
    [
      /(?<!\bhow (?:long|often) )\b(?:should|shall|ought) (?:i|we|my \w+|one|people)\b(?![^.?!\n]{0,40}\btrust ?lines?\b)[^.?!\n]{0,30}\b(?:buy|invest|sell|hold\b(?! off)|wait\b(?! for (?:my|the) )|put (?:in|my|all|money|more|everything|some)\b(?![^.?!\n]{0,30}\b(?:wallets?|exchanges?|accounts?)\b)|go (?:in|all|for)|get (?:in|into|some|more|these)|participate|join|trust)\b/i,
      /\b(?:is|are) (?:this|it|that|these|the token)\b[^.?!\n]{0,15} an? (?:\w+ )?(?:buy|bargain)\b|\b(?:life|all|most|half)(?: of)?(?: my)? savings\b|\bfinancial advis\w+|\bist (?:das|es|der token|dieser token)\b[^.?!\n]{0,15} ein (?:\w+ )?kauf\b|\bes (?:una )?(?:buena )?compra\b|\bmis ahorros\b|\basesora? financier|\bbon moment (?:pour|d['’])|\bmes [ée]conomies\b|(?:^|[\s,])(?:é (?:uma )?(?:boa )?compra|e (?:uma )?boa compra)\b|\bminhas economias\b|買い(?:です|だ|なの|時|どき|か?[?]|$)|全財産|全額(?:投|入)/i,
      // Which of two sales, or into which, is advice as well.
      /\b(?:in(?:to)? )?which (?:sale|token|project|one)\b[^.?!\n]{0,15}\b(?:should (?:i|we)|would you) (?:put|pick|choose|take|go (?:with|for)|invest|buy)|\b(?:should|shall) (?:i|we) (?:put|place|throw)\b[^.?!\n]{0,15}\b(?:xrp|money|savings)\b(?![^.?!\n]{0,30}\b(?:wallets?|exchanges?|account)\b)|\bwhich of (?:the|these|your|both)\b[^.?!\n]{0,10}\b(?:sales|tokens|projects|two)\b[^.?!\n]{0,12}\b(?:better|best|safer|buy|choose|pick)\b|\b(?:this (?:sale|one)|here)\b[^.?!\n]{0,12}\bor\b[^.?!\n]{0,15}\bother (?:sale|one|project|token)\b[^.?!\n]{0,30}\b(?:better|rather|put|invest)\b/i,
      /\bsoll(?:te)? ich\b[^.?!\n]{0,30}\b(?:xrp|geld|euro|erspart\w*|alles)\b[^.?!\n]{0,40}\b(?:rein|rein\w*(?:stecken|tun|werfen)|stecken|anlegen|lieber in (?:de[rn]|die|das) ander\w*)(?![a-zà-ÿ])|\bin welche[nrs]? (?:verkauf|sale|token|projekt)\b[^.?!\n]{0,15}\bsoll(?:te)? ich\b|\ben (?:qu[ée]|cu[áa]l)(?: venta| de las dos)?[^.?!\n]{0,10}\b(?:meto|invierto|pongo|meter[íi]as?|invertir[íi]as?)\b|\b(?:meto|pongo|invierto)\b[^.?!\n]{0,30}\b(?:aqu[íi]|en est[ae])(?![a-zà-ÿ])[^.?!\n]{0,15}\ben (?:la|el) otr[ao]\b|\b(?:mets|mise|place|investis)\b[^.?!\n]{0,30}\b(?:ici|dans (?:celle-ci|cette vente))[^.?!\n]{0,10}\bou\b[^.?!\n]{0,20}\bl['’]autre|\b(?:dois|devrais)[- ]je (?:mettre|placer) (?:mes |les |tous )?(?:mes )?(?:\d[\d\s]*)?(?:xrp|euros?|argent)\b|\bdans quelle vente\b[^.?!\n]{0,20}\b(?:mets|mettre|investi\w*|placer)\b|\b(?:coloco|boto|invisto|ponho)\b[^.?!\n]{0,30}\b(?:aqui|nesta|nessa)\b[^.?!\n]{0,15}\bn[ao] outr[ao]\b|\bem qual(?: venda)?[^.?!\n]{0,12}\b(?:coloco|invisto|boto|devo (?:investir|colocar|p[ôo]r))\b|\bdevo (?:colocar|p[ôo]r) (?:meus? |minhas? )?(?:\d[\d\s]*)?(?:xrp|dinheiro|euros?|reais)\b|(?:どっち|どちら|どのセール)[^。\n]{0,12}(?:投資|買|入れ)[^。\n]{0,4}(?:べき|得|儲)|(?:どっち|どちら|どの)の?セール[^。\n]{0,12}(?:投資|買|入れ)[^。\n]{0,8}(?:いい|良い)/i,
      /\bis it (?:\w+ )?(?:safe|wise|smart|good|sensible|risky) to (?:buy|invest|put)\b|\b(?:good|great|smart|safe|wise|bad|best|solid|profitable|risky) (?:investment|buy|bet|idea to (?:buy|invest)|(?:time|moment) to (?:buy|invest|sell|get in|join)|opportunity|choice)\b|\bworth (?:it|buying|investing|the (?:money|risk|price))\b|\bworth anything\b/i,
      /\b(?:will|would|gonna|going to|can|could|does|is)\b[^.?!\n]{0,40}\b(?:price|value|token|tokens|coin|it|this|they)\b[^.?!\n]{0,30}\b(?:moon|pump|(?<!\b(?:pay|pays|paid|be|charged?|sent|send|counted?) )double|triple|10x|100x|x10|skyrocket|explode|grow|be worth|make (?:me )?(?:money|a profit|profit|rich)|drop|crash(?! at\b| when\b| on\b| during\b)|dump)\b/i,
      // When the price goes up is a fact of the tiers.
      /(?<!\bwhen )\b(?:will|would|gonna|going to|can|could|does|is)\b(?! the (?:next )?(?:tier|round|stage))[^.?!\n]{0,40}\b(?:price|value|token|tokens|coin|it|this|they)\b[^.?!\n]{0,30}\b(?:go up|rise|increase)\b(?! (?:while|during)\b| (?:when|after|once|in|with|from)\b[^.?!\n]{0,20}\b(?:tiers?|rounds?|stages?|paus\w+|resum\w+)\b)/i,
      /\b(?:would|will) you (?:\w+ )?(?:put|buy|invest|go in)\b|\bif you were me\b|\bin my (?:place|shoes)\b|\bw[üu]rdest du\b[^.?!\n]{0,40}\b(?:kaufen|investieren|einsteigen|reingehen)\b|\b(?:invertir[íi]as|comprar[íi]as|ach[èe]terais|investirais|compraria|investiria)\b|あなたなら[^。\n]{0,12}(?:買|投資)/i,
      // What sells out how fast is a prediction, and a whole wage put in is no question of facts.
      /\b(?:will|going to|gonna)\b[^.?!\n]{0,30}\bsell out\b[^.?!\n]{0,6}\b(?:fast|quick\w*)\b|\bvai (?:se )?esgotar (?:r[áa]pido|logo)|\b(?:se va a|va a) agotar(?:se)? (?:r[áa]pido|pronto)|\bva (?:(?:se|s['’])\s?[ée]puiser|partir) (?:vite|rapidement)|\bschnell ausverkauft sein\b|すぐ(?:に)?(?:完売|売り切れ)(?:ます|そう)/i,
      /\b(?:put|invest|coloco|boto|invisto|ponho|meto|pongo|invierto|mets|stecke)\b[^.?!\n]{0,30}\b(?:(?:whole|entire|full) (?:salary|paycheck|wages?)|sal[áa]rio inteiro|sueldo entero|todo (?:el|mi) sueldo|todo (?:o )?(?:meu )?sal[áa]rio|tout mon salaire|ganze[ns]? (?:gehalt|lohn))\b|給料[^。\n]{0,6}(?:全部|全額)/i,
      // Nobody here can promise that nothing is lost.
      /\b(?:guarantee|promise|swear to) (?:me|us)\b|\b(?:garant[ií]za(?:me|nos)|prom[ée]te(?:me|nos)|asegura(?:me|nos))\b|\b(?:garantier\w*|versprich|versprecht|versprechen sie) (?:mir|uns)\b|\b(?:garanti[sr]\w*|promet\w*|jure\w*)[- ](?:moi|nous)\b|\b(?:me|nos) (?:garant[ae]|promet[ae])\b|\b(?:garante|prometa) (?:pra mim|que (?:eu )?n[ãa]o)\b|保証し(?:て|ろ)|約束し(?:て|ろ)/i,
      /\b(?:price|value) (?:prediction|forecast|target)s?\b|(?<!\b(?:change|edit|alter|adjust|set|modify|update|correct|lower|raise)\b[^.?!\n]{0,20})\b(?:price|value)\b[^.?!\n]{0,30}\b(?:next year|in (?:a|\d+|two|three|five|ten) years?|after (?:the )?(?:listing|launch|tge))\b|\bpredict\b|\bprofits?\b|\broi\b|\bget rich\b|\bwen moon\b|\bto the moon\b|\b(?:100|10|50|20)x\b|\bmake (?:me )?(?:money|rich)\b|\bunder ?valued\b|\bover ?valued\b|\bfinancial advice\b|\byour opinion\b|\bwhat do you think\b|(?<!\bwallets? )\bdo you (?:recommend|suggest|like)\b(?![^.?!\n]{0,20}\bwallets?\b)|\bwhich (?:sale|token|one|project) (?:is|should|would|will)[^.?!\n]{0,20}\b(?:best|better|buy|choose|recommend|more)|\bbetter than\b|\bhow much will\b[^.?!\n]{0,40}\bworth\b|\bguarante\w+\b[^.?!\n]{0,20}\b(?:return|profit|gain)/i,
      /\b(?:deber[íi]a|debo|conviene)\b(?![^.?!\n]{0,40}\btrust ?lines?\b)[^.?!\n]{0,40}\b(?:compr|inv[ei]r|vend|entr|particip|met|esper|apost|apuest)|\b(?:recomiendas?|aconsejas?)\b(?![^.?!\n]{0,25}\b(?:wallet|cartera|billetera|monedero))|\bvale la pena\b|\bbuena inversi[óo]n\b|(?<!\bcu[áa]ndo [^.?!\n]{0,30})\b(?:subir[áa]|va a subir)\b(?![^.?!\n]{0,20}\bcu[áa]ndo\b)|\bgananci/i,
      /\bsoll(?:te)? ich\b(?![^.?!\n]{0,40}\btrust ?lines?\b)[^.?!\n]{0,40}\b(?:kauf|invest|verkauf|warten|einsteig|halten)|\blohnt\b|\bgute (?:investition|anlage|geldanlage)|(?<!\b(?:wann|wenn) [^.?!\n]{0,30})\b(?:kurs|preis|wert|token)\b[^.?!\n]{0,30}\b(?:steig|f[äa]ll)|\bempf[ie]ehl|\bempfiehl|\bgewinn\b|\brendite\b/i,
      /\b(?:devrais|dois)[- ]je\b(?![^.?!\n]{0,40}\btrust ?lines?\b)[^.?!\n]{0,40}\b(?:achet|invest|vend|entr|particip|miser|attendre|mettre tout)|\bje (?:devrais|dois) (?:acheter|investir|vendre)|\bbon (?:investissement|placement)\b|\bvaut[^.?!\n]{0,10}(?:le coup|la peine)|(?<!\bquand [^.?!\n]{0,30})\b(?:va|vont)[^.?!\n]{0,15}(?:monter|augmenter|exploser)(?![^.?!\n]{0,20}\bquand\b)|\bprendre de la valeur|\bprend(?:ra|re)? de la valeur|\b(?<!\b(?:wallet|portefeuille)s?\b[^.?!\n]{0,15})(?:conseill|recommand)(?![^.?!\n]{0,25}\b(?:wallet|portefeuille))|\bb[ée]n[ée]fice|\brentab/i,
      /\bdevo (?:comprar|investir|vender|entrar)|\bvale a pena\b|\bbom investimento\b|(?<!\bquando [^.?!\n]{0,30})\bvai subir\b(?![^.?!\n]{0,20}\bquando\b)|\bvai (?:valorizar|explodir)|\brecomenda\b(?![^.?!\n]{0,25}\b(?:wallet|carteira))|\blucr/i,
      /買うべき|投資すべき|買った(?:方|ほう)が|待った(?:方|ほう)が(?:いい|良い|得)|買い時|儲か|(?<!いつ[^。\n]{0,12})値上がり|(?<!いつ[^。\n]{0,12})上が(?:ります|る)|(?:トークン|投資|銘柄|通貨|これ|購入)[^。\n]{0,8}おすすめ|おすすめ(?:の|な)?(?:トークン|投資|銘柄|通貨)|将来(?:性|の価格)|(?:価格|値段|相場|トークン)[^。\n]{0,8}(?:予想|予測)(?!と違|より)/,
    ],
  ],
  [
    'subject',
    [
      // Work that has nothing to do with the platform; what names something of it is a question.
      new RegExp(
        String.raw`^(?![^\n]*${OF_PLATFORM})(?:hi|hey|hello|please|can you|could you|kannst du|bitte|puedes|podr[íi]as|peux[- ]tu|pouvez[- ]vous|voc[êe] pode|pode|[\s,!.?¿¡])*\b(?:write|code|compose|make|solve|translate|explain|generate|schreib\w*|l[öo]se|[üu]bersetz\w*|erkl[äa]r\w*|escr[íi]b[ea]\w*|resuelve|traduce|expl[íi]ca\w*|[ée]cris|[ée]crivez|r[ée]sou\w+|tradui\w+|escrev[ae]\w*|resolv[ae]|traduz\w*)\b[^\n]{0,40}\b(?:poems?|essays?|songs?|stor(?:y|ies)|jokes?|recipes?|scripts?|functions?|algorithms?|homework|games?|regex|sql|html|gedicht\w*|aufsatz|witz|rezept|skript|hausaufgaben|poemas?|ensayo|chiste|receta|canci[óo]n|po[èe]mes?|blague|recette|chanson|reda[çc][ãa]o|piada|receita|m[úu]sica)\b`,
        'i',
      ),
      /^(?![^\n]*(?:セール|トークン|XRP|支払|webhook|API))[^\n]*(?:詩|小説|作文|宿題|レシピ|歌詞|スクリプト|プログラム)[^\n]{0,10}(?:書い|作っ|解い|教えて)/i,
    ],
  ],
];

const BASE64 = /(?<![\w+/])[A-Za-z0-9+/]{16,400}={0,2}(?![\w+/=])/g;
const IN_WORDS = /^[\p{L}\p{N}\p{P}\s]+$/u;

/** A message, and what it hides in Base64. */
const readOf = (message: string): string[] => [
  message,
  ...(message.match(BASE64) ?? [])
    .map((text) => Buffer.from(text, 'base64').toString('utf8'))
    .filter((text) => /[ \p{Script=Hiragana}\p{Script=Katakana}]/u.test(text) && IN_WORDS.test(text)),
];

/** How somebody else gets access of his own. */
const TO_ACCESS =
  /\b(?:who (?:can|may)|wer (?:kann|darf)|qui peut|qui[ée]n puede|quem pode)\b|(?:\bhow\b|\bcan (?:i|we)\b|\bc[oó]mo\b|\bpuedo\b|\bwie\b|\bkann ich\b|\bcomment\b|\bpuis-je\b|\bcomo\b|\bposso\b)[^.?!\n]{0,40}(?:\baccess\b|\bacc[eè]s\b|\bacceso\b|\bzugriff\b|\bzugang\b|\bacesso\b)|アクセス権?[^。\n]{0,6}(?:与え|渡)/i;
const CLAUSES = /(?<=[.?!。?!\n])/;
/** What makes a sentence that a rule holds of a question all the same: whether one must give a secret away, and about one's own people. */
const ALLOWED: Partial<Record<Refusal, (sentence: string) => boolean>> = {
  secret: (sentence) => WHETHER.test(sentence) || TO_ACCESS.test(sentence),
  tenant: ofOwnPeople,
  private: ofOwnPeople,
};
/** Whether every sentence that a rule holds of is allowed. */
function isAllowed(refusal: Refusal, pattern: RegExp, text: string): boolean {
  const allows = ALLOWED[refusal];
  if (allows === undefined) return false;
  const held = text.split(CLAUSES).filter((sentence) => pattern.test(sentence));
  return held.length > 0 && held.every(allows) && !(refusal !== 'secret' && asksForAll(text));
}

/** Everything one has, put in with an amount: beside a quote of it stands that nobody here advises to. */
const STAKES =
  /\bsavings\b(?! accounts?\b)|\b(?:[ée]conomies|[ée]pargne|ahorros|erspart\w*|ersparnis\w*|economias|poupan[çc]a)\b|\ball[- ]in\b|\b(?:put|bet|throw|stake)\b[^.?!\n]{0,15}\b(?:everything|it all|all of it)\b|\b(?:mets?|mettre|mise[rz]?)\s+tout\b|\btout mettre\b|\b(?:meto|meter|pongo|poner|invierto|invertir|apuesto)(?:lo)? todo\b|\b(?:coloco|colocar|boto|botar|invisto|investir|aposto) tudo\b|\balles (?:rein\w*|investieren|auf eine karte|hier)\b|貯金|貯蓄|全部(?:入れ|突っ込|投資|つぎ込)/i;
export const stakesAll = (message: string): boolean => /\d/.test(message) && STAKES.test(message);

/** Whether a message asks for something that is refused to everybody, and what; null for any other. */
export function refusalOf(message: string): Refusal | null {
  const plain = message.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  // A point within an amount ends no sentence.
  const texts = readOf(plain.replace(/(?<=\d)[.](?=\d{3}(?!\d))/g, ''));
  return (
    RULES.find(([refusal, patterns]) =>
      patterns.some((pattern) => texts.some((text) => pattern.test(text) && !isAllowed(refusal, pattern, text))),
    )?.[0] ?? null
  );
}
