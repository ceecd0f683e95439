/**
 * What somebody plans himself: a sale or a token that is false, money for nothing, a verification that lies, a promise that
 * makes others buy. Who asks how others do it, or how one recognises it, asks a question: so the plan must be his own.
 */
const ARTICLES = String.raw`(?:(?:an?|the|my|our|some|una?|unos|mi|la|el|eine[nrm]?|mein\w*|une?|mon|ma|le|uma?|minha|meu) )*`;
const SALE = `(?:pre-?sale|sale|token|coin|project|ico|launch|buyers?|investors?|volume|demand|reviews?|testimonials?)`;
const NOT_TO_TEST = String.raw`(?![^\n]*\b(?:test\w*|sandbox|testnet|demo|prueba\w*|prob\w+|essai\w*|teste\w*)\b)`;

const I_PLAN = `(?:how (?:do|can|could|would|should) (?:i|we)|how to|help me(?: to)?|(?:i|we)(?:['’]?m| am|['’]?re| are)? (?:want to|wanna|would like to|plan(?:ning)? to|going to|gonna|intend to))`;
const PLANO = `(?:quiero|queremos|quisiera|voy a|vamos a|pienso|planeo|c[oó]mo|ay[úu]dame a|quero|queria|vou|pretendo|como (?:posso|fa[çc]o (?:pra|para))|me ajud[ae] a)`;
const JE_VEUX = `(?:je veux|je voudrais|j['’]aimerais|on veut|je compte|je vais|comment(?: puis-je| faire pour| je peux| peut-on)?|aide[- ]moi [àa])`;
const ICH_WILL = `(?:ich (?:will|m[öo]chte|plane|habe vor)|wir (?:wollen|m[öo]chten)|wie (?:kann|k[öo]nnte|mache?|starte|erstelle|baue) (?:ich|wir)|hilf mir)`;

const FALSE_SALE = [
  String.raw`\b${I_PLAN} (?:set up|setup|run|launch|make|create|start|do|open|fake|pull off|buy|get|generate) ${ARTICLES}(?:fake|scam|bogus|sham|phony|fraudulent) ${SALE}\b`,
  String.raw`\b${I_PLAN} (?:do |make |run |pull (?:off )?|start |organi[sz]e )?${ARTICLES}(?:rug(?:[- ]?pull)?|pump(?:[- ]and[- ]dump)?|exit scam)\b`,
  String.raw`(?<!\p{L})${PLANO}\s(?:puedo |podr[íi]a |hago para |se hace para |eu )?(?:montar|monto|crear|hacer|hago|lanzar|lanzo|organizar|abrir|armar|criar|fazer|fa[çc]o|lan[çc]ar) ${ARTICLES}(?:fals[ao] )?(?:pr[eé]-?v(?:enta|enda)|v(?:enta|enda)|token|pro[yj]e[ct]*to|moneda|moeda|ico|presale) (?:fals[oa]|fraudulent[oa]|fake|truch[oa])(?!\p{L})`,
  String.raw`(?<!\p{L})${JE_VEUX} (?:monter|monte|cr[ée]er|lancer|lance|faire|organiser) ${ARTICLES}(?:(?:fausse|faux) (?:pr[ée]-?vente|vente|token|jeton|projet|ico)|(?:pr[ée]-?vente|vente|token|jeton|projet) (?:bidon|frauduleu\w+|fausse|faux))(?!\p{L})`,
  String.raw`(?<!\p{L})${ICH_WILL} ${ARTICLES}(?:fake|gef[äa]lscht\w*|falsche\w*|betr[üu]gerisch\w*|schein)[- ]?(?:vorverkauf|presale|verkauf|token|projekt|ico|coin)(?=[^.?!\n]*(?:(?:aufziehen|machen|starten|erstellen|aufsetzen|durchziehen|anlegen|bauen|veranstalten)(?!\p{L}))|(?<=(?:mache|starte|erstelle|baue) (?:ich|wir) [^.?!\n]{0,40}))`,
  String.raw`(?:偽|にせ|架空|詐欺)の?(?:プレセール|先行販売|セール|トークン|プロジェクト|販売)[^。\n]{0,6}(?:作りたい|作る方法|立ち上げたい|開きたい|やりたい|始めたい|開催したい|作って(?!い|る))`,
].map((text) => `(?:^|\n)${NOT_TO_TEST}[^\n]*?${text}`);

/** Money taken, and nothing given: whoever fears that of others does not say that he wants it. */
const NOTHING_GIVEN = [
  String.raw`\b${I_PLAN} (?:(?!\b(?:sure|know|tell|check|they|he|she|it|you|project|team|operators?|sellers?|platform|prevent|avoid|protect|stop|report|some\w*|people|if)\b)[^.?!\n]){0,60}(?:\b(?:without (?:ever )?(?:deliver\w*|sending|giving)|(?:and|but|then) (?:then )?(?:not|never) (?:deliver|send|give)) (?:out )?(?:anything|nothing|any tokens?|a single)\b|\b(?:run off|run away|disappear|vanish) with (?:the |all (?:the )?|their )?(?:money|xrp|funds)\b)`,
  String.raw`(?<!\p{L})${PLANO} [^.?!\n]{0,50}\b(?:(?:sin|y no|sem|e n[ãa]o) entregar (?:nada|ning[úu]n\w*|nenhum\w*)|(?:desaparecer|sumir|fugarme|fugir) con? (?:el |la |o )?(?:dinero|plata|dinheiro))`,
  String.raw`(?<!\p{L})${JE_VEUX} [^.?!\n]{0,50}(?:sans (?:jamais )?rien livrer|et ne (?:jamais )?rien livrer|dispara[îi]tre avec l['’]argent)`,
  String.raw`(?<!\p{L})${ICH_WILL} [^.?!\n]{0,60}(?:ohne (?:je |etwas |was |irgendwas )*zu liefern|(?:und|aber) (?:dann )?(?:nichts|nie (?:et)?was) (?:aus)?liefern|mit dem geld (?:verschwinden|abhauen))`,
  String.raw`持ち逃げ(?:したい|する方法|の方法)|(?:何も|トークンを)(?:渡さ|配ら|送ら)(?:ず|ない)(?:で|に)?[^。\n]{0,15}(?:集めたい|逃げたい|儲けたい)`,
];

const LYING_PROOF = [
  String.raw`\b${I_PLAN} (?:fake|forge|cheat|falsify|fool|rig|trick) ${ARTICLES}(?:public )?(?:verif\w+|proofs?|verification report|witness\w*)\b`,
  String.raw`(?<!\p{L})${PLANO} (?:puedo |hago para |eu )?(?:falsear|falsificar|enga[ñn]ar|trucar|fraudar|burlar|enganar) (?:a )?${ARTICLES}(?:verifica\w+|testig\w+|testemunh\w+|prueba\w*|prova\w*)`,
  String.raw`(?<!\p{L})${JE_VEUX} (?:falsifier|truquer|tromper) (?:la |les |l['’])(?:v[ée]rification|t[ée]moins|preuves?)`,
  String.raw`(?<!\p{L})${ICH_WILL} (?:die |eine )?(?:öffentliche )?(?:pr[üu]fung|verifikation|zeugen|nachweise?) (?:f[äa]lschen|t[äa]uschen|manipulieren|austricksen)`,
  String.raw`検証[^。\n]{0,6}(?:ごまかしたい|ごまかす方法|だます方法|偽装したい|偽装する方法)`,
];

/** A text for others that promises what nobody can: one that asks, warns or denies is another. */
const WRITE = String.raw`(?<!\b(?:who|they|someone|somebody|support|he|she) )(?<!\p{L})(?:write|draft|compose|schreib|schreibe|verfasse|formuliere|escr[íi]be(?:me)?|redacta(?:me)?|r[ée]dige|[ée]cris|[ée]crivez|escreva|escreve|redija)(?!\p{L})`;
const TEXT = String.raw`(?:posts?|tweets?|threads?|comments?|reviews?|articles?|ads?|messages?|e-?mails?|announcements?|press releases?|beitrag|nachricht|artikel|anzeige|publicaci[óo]n|mensaje|anuncio|tuit|rese[ñn]a|publication|annonce|article|avis|publica[çc][ãa]o|mensagem|an[úu]ncio|telegram\w*)`;
const SURE = String.raw`(?:(?:is|are|be|it['’]?s) guaranteed|guaranteed (?:to|profits?|returns?|listing)|(?:will|gonna|going to) (?:be listed|list|moon|double|triple|(?:10|50|100)x)|(?:10|50|100)x|risk[- ]free|can(?:no|['’])?t lose|sure (?:profit|thing)|easy profit|garantiza\w*|garantizad\w*|ser[áa] listad\w|se lista(?:r[áa])?|cotizar[áa]|sin riesgo|garantiert\w*|gelistet (?:wird|werden)|risikolos|garantie?s?|garanti|sera (?:list|cot)[ée]e?|sans risque|garantid\w|ser[áa] listad\w|vai (?:ser listad\w|valorizar|dobrar)|sem risco)`;
const ASKED_OR_DENIED = String.raw`(?:ask\w*|whether|warn\w*|not|never|no|nicht|kein\w*|frag\w*|warn\w*|pregunt\w*|ne|pas|demand\w*|pergunt\w*|n[ãa]o)`;
const PROMOTION = [
  String.raw`(?:^|\n)(?:please )?tweet that\b(?:(?!\b${ASKED_OR_DENIED}(?!\p{L}))[^?\n]){0,80}(?<!\p{L})${SURE}(?!\p{L})`,
  String.raw`${WRITE}[^?\n]{0,40}\b${TEXT}(?!\p{L})(?:(?!\b${ASKED_OR_DENIED}(?!\p{L}))[^?\n]){0,120}(?<!\p{L})${SURE}(?!\p{L})`,
  String.raw`${WRITE}[^?\n]{0,160}\bso (?:that )?i can (?:dump|unload|offload|cash out)\b`,
  String.raw`(?=[^\n]*(?:上場(?:する|が決ま|確定)|必ず|絶対に?|確実に|元本保証|100倍))[^\n]*(?:投稿|ツイート|記事|宣伝文|メッセージ|レビュー)[^。\n]{0,8}(?:書いて|作って|作成して)`,
];

export const OWN_FRAUD: readonly RegExp[] = [...FALSE_SALE, ...NOTHING_GIVEN, ...LYING_PROOF, ...PROMOTION].map(
  (text) => new RegExp(text, 'iu'),
);
