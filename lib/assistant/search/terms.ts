import { LRUCache } from 'lru-cache';

/**
 * Words that mean the same here, in the languages that questions come in: each line stands for its first word. Names of
 * exchanges, wallets and currencies are not among them: the questions of docs/faq name them.
 */
const SYNONYMS = `
token tokens coin coins jeton jetons moneda monedas moeda moedas münze münzen トークン コイン
buy buying purchase bought acquire comprar compro compré compra comprei kaufen kaufe gekauft kauf acheter achète acheté achat 購入 買え 買い 買う 買っ
pay paid payed paying payment payments pagar pago pagos pagué pagaron pagamos paguei pagou pagamento pagamentos zahlen zahle gezahlt bezahlen bezahlt zahlung zahlungen payer payé payée paie paiement paiements 支払い 支払 払っ 払う 入金
send sent sending transfer transferred transferring deposited enviar envío envié envio envia enviei enviou mandar mando mandé mandei überwiesen überweisen senden gesendet sende schicken schicke geschickt envoyer envoyé envoie 送金 送っ 送る 送れ 送信
invest investment investments investing invested inversión invertir invertí invertido investieren investition investiert anlegen investir investi investissement investimento 投資
refund refunds refunded refunding reimburse reimbursement reembolso reembolsos devolución devolver devuelven devuelto devuelve rückerstattung rückerstattet erstattung erstattungen erstattet rückzahlung remboursement remboursé rembourser remboursée devolução devolvido devolvem devolve 返金 払い戻し
back return returned returning zurück zurückbekommen vuelta volver vuelve retour récupérer revient volta voltar 戻り 戻る 戻っ
wallet wallets cartera carteras billetera monedero geldbörse portefeuille carteira ウォレット
exchange exchanges börse kryptobörse plateforme corretora corretoras 取引所
price prices cost costs precio cuesta cuestan preis kostet kosten prix coûte coûtent preço custa custam 価格 値段
fee fees commission comisión comisiones gebühr gebühren provision frais taxa taxas tarifa 手数料
cancel cancelled canceled cancelling cancelar cancelado cancelada cancelaron cancelou abbrechen abgebrochen abgesagt stornieren annuler annulé annulée キャンセル 中止
pause paused pausing pausa pausada pausado pausieren pausiert 一時停止
end ended ends ending over finished finish closed closes closing terminar termina terminó terminada acabou acaba encerrada encerrou enden endet beendet vorbei schluss finir finie fini terminée 終了 終わり 終わっ
start started starts starting begin begins empieza empezar comienza empezó inicio beginnt beginn beginnen losgeht commence commencer début começa começar começou 開始 始まり 始まっ 始まる
open opens opening opened abre abierta abierto offen öffnet ouvre ouverte ouverture aberta abertura 開い
allowlist whitelist whitelisted allowlisted zulassungsliste 許可リスト ホワイトリスト
trustline vertrauenslinie トラストライン trustset
address addresses adresse dirección endereço アドレス
lose lost gone missing disappeared vanished verloren weg perdu perdue perdido perdí perdi perdió desapareció sumiu なくし 失われ 消え 紛失
forget forgot forgotten olvidé olvido olvidó vergessen oublié oublier esqueci esqueceu 忘れ
wrong incorrect mistake mistyped mistakenly accident accidentally typo equivocado equivocada equivoqué falsch falsche falschen versehen mauvais mauvaise erreur errado errada engano 間違
when wen cuándo wann quand quando いつ
minimum min smallest least mínimo mindestbetrag mindestens kleinste minimal minimale 最低 最小
maximum max cap most máximo límite obergrenze höchstens maximal plafond 上限 最大
webhook webhooks hook hooks
retry retries retried retrying reintento reintentos reintentan wiederholt wiederholung wiederholen tentatives tentative réessayé tentativas 再試行 リトライ
resend replay replays replayed redeliver redelivery rejouer renvoyer 再送 リプレイ
signature signatures firma firmas signatur assinatura sig 署名
secret secrets secreto geheimnis segredo シークレット whsec
key keys clave claves schlüssel clé clés chave chaves キー 鍵
event events evento eventos ereignis ereignisse événement événements イベント
deliver delivery delivered deliveries distribution distributed distribute verteilt verteilen geliefert distribué distribués livré entregado entregar entrega entregue distribuídos 配布
arrive arrives arrived land lands landed angekommen arrivé chegou chegar llega llegó llegado llegar 届き 届か 届い 届く
receive received recieve get got getting recibir recibo recibí bekommen bekomme erhalten erhalte kriege krieg recevoir reçu reçois receber recebo recebi 受け取 もらえ
vest vesting vested cliff unlock unlocked lock locked lockup bloqueado bloqueados travado travados gesperrt sperrfrist bloqués verrouillés ロック ベスティング
tier tiers stage phase phases round tramo fase stufe palier paliers nível níveis nivel etapa ティア 段階
left remaining remain remains quedan queda übrig reste restent restam resta falta 残り 残っ
team founder founders equipo équipe equipe チーム
scam legit fraud rug estafa betrug seriös abzocke arnaque golpe 詐欺
safe secure trustworthy seguro segura sicher sûr fiable confiable seguros 安全 信頼
freeze frozen freezing congelar einfrieren geler 凍結
sell resell selling vender verkaufen vendre 売れ 売る
tax taxes taxable impuestos impuesto steuern steuer finanzamt impôts impôt imposto impostos 税金 税
backup backups snapshot sicherung sauvegarde copia バックアップ
restore restored recover wiederherstellen restaurer restaurar 復元
treasury tesorería trésorerie tesouraria トレジャリー
sale sales ico presale venta verkauf vente venda セール 販売
soldout agotado agotada agotó ausverkauft épuisé esgotado esgotada esgotou 売り切れ 完売
support soporte suporte サポート
spouse wife husband friend brother cousin son daughter kid esposo esposa primo amigo freund frau mann ami femme mari marido filha filho 友人 妻 夫 家族
participate participar participo participa participer participe teilnehmen teilnehme mitmachen join 参加
where wheres donde dónde onde どこ
why warum pourquoi なぜ
howmuch cuánto cuántos cuánta combien quanto quantos wieviel いくら いくつ 何枚
admin administrator administrators administrador administrateur 管理者
operator operators operador betreiber opérateur 運営者
`;

/** Words of grammar, which say nothing about a subject. */
const GRAMMAR = new Set(
  `a an the is are am be been was were i im ive you your we our it its he she they his her their my me us them this that these those of to in on at for with from by and or if but so do does did have has had can could will would should may there here as than then just also about into please pls hey ok now really like one thing way u ur
  el la los las un una unos unas es son era fue ser soy esta este esto ese esa eso y o que de del en con por para se me te le lo mi mis tu su sus al ya muy q a si pero hay puedo puede ser he ha yo nos les algo
  der die das den dem des ein eine einen einem einer ist sind war bin und oder zu zum zur in im auf mit von fur an am bei aus ich du ihr wir man es er sie mir mich mein meine meinen meiner dass wenn ob auch noch schon nur so mal denn hab habe hat haben kann konnen wird werden da
  le les un une des du de la et ou que qui est sont etait suis je tu il elle on nous vous ils mon ma mes ton ta votre vos se ce cet cette ces en dans sur avec par au aux a y ne pas plus si mais c j d l n s t m qu ai as avez avons ont peut peux etre puis
  o os as um uma uns umas e ou que do da dos das no na nos nas em com por para se me te meu minha meus minhas seu sua eu voce nos ele ela isso isto esse essa este esta ao a ja muito mas foi ser sou tem tenho ha pra pro posso pode ser`.split(
    /\s+/,
  ),
);

/** The text in lower case, without accents and apostrophes. */
export const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .normalize('NFKC')
    .replace(/ß/g, 'ss')
    // What French and Portuguese leave a vowel out of is a word of its own: l’adresse, d’água.
    .replace(/(?<!\p{L})([cdjlmnst]|qu)[’'´](?=\p{L})/gu, '$1 ')
    .replace(/[’'`´]/g, '');

const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/ies$/, 'y'],
  [/(ss|x|ch|sh)es$/, '$1'],
  [/([^su])s$/, '$1'],
  [/(?<=[a-z]{3})(?:ing|ed)$/, ''],
  [/(?<=[a-z]{4})(?:ly|er)$/, ''],
  [/(.)\1$/, '$1'],
  [/(?<=[a-z]{4})e$/, ''],
];

/** A word without its commonest English endings. */
function stem(word: string): string {
  if (word.length < 4 || /[^a-z]/.test(word)) return word;
  const stemmed = ENDINGS.reduce((rest, [ending, by]) => rest.replace(ending, by), word);
  return stemmed.length < 3 ? word : stemmed;
}

const JAPANESE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u;

const conceptOf = new Map<string, string>();
const japaneseForms: (readonly [form: string, concept: string])[] = [];
for (const line of SYNONYMS.trim().split('\n')) {
  const forms = line.split(' ').map(folded);
  const concept = stem(forms[0] ?? '');
  for (const form of forms) {
    if (JAPANESE.test(form)) japaneseForms.push([form, concept]);
    else if (!conceptOf.has(stem(form))) conceptOf.set(stem(form), concept);
  }
}
japaneseForms.sort(([a], [b]) => b.length - a.length);

/** What single words come to; docs/faq says the same ones again and again. */
const concepts = new LRUCache<string, string>({ max: 10_000 });
function conceptIn(word: string): string {
  const known = concepts.get(word);
  if (known !== undefined) return known;
  const stemmed = stem(word);
  const concept = conceptOf.get(stemmed) ?? stemmed;
  concepts.set(word, concept);
  return concept;
}

const segmenter = new Intl.Segmenter('ja', { granularity: 'word' });
/** Words of grammar, in kana alone: they say nothing about a subject. */
const KANA = /^[\p{Script=Hiragana}ー]{1,3}$/u;

/** Japanese writes no spaces: forms of known words are taken out first, the rest is parted into words. */
function japaneseTerms(text: string): string[] {
  const terms: string[] = [];
  let rest = text;
  for (const [form, concept] of japaneseForms) {
    if (!rest.includes(form)) continue;
    terms.push(concept);
    rest = rest.replaceAll(form, ' ');
  }
  for (const { segment, isWordLike } of segmenter.segment(rest))
    if (isWordLike === true && !KANA.test(segment)) terms.push(JAPANESE.test(segment) ? segment : conceptIn(segment));
  return terms;
}

/** Marks for amounts and times, in questions and in those of docs/faq alike; addresses and hashes are read elsewhere. */
const MARKS: readonly (readonly [RegExp, string])[] = [
  [/(?<![0-9A-Za-z])[rXT][1-9A-HJ-NP-Za-km-z]{20,60}(?![0-9A-Za-z])/g, ' '],
  [/(?<![0-9A-Za-z_])[0-9A-Fa-f]{50,80}(?![0-9A-Za-z])/g, ' '],
  [
    /\d[\d.,']*\s*k?\s*(?=(?:min|minutes?|mins|hours?|h|days?|weeks?|tage?n?|stunden?|minuten|horas?|d[ií]as?|heures?|jours?|semanas?)\b|分|時間|日)/gi,
    ' #time ',
  ],
  [/[$€£]\s?\d[\d.,]*\s?k?|\d[\d.,]*\s?k?\s?(?:usdt?|usdc|dollars?|eur|euros?|bucks)\b/gi, ' #money '],
  [/\d[\d.,' ]*k?\s?(?:xrps?|ripples?)\b/gi, ' #amount '],
  [/\d[\d.,' ]*k?\s?(?:tokens?|coins?|jetons?|fichas?|monedas?|moedas?|トークン|枚)/gi, ' #count '],
];

/** What is said in several words, or in one, counts as one. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\btrust[ -]?lines?\b|\blineas? de confianza\b|\blignes? de confiance\b|\blinhas? de confianca\b/g, 'trustline'],
  [/\bsoft[ -]?caps?\b|\bmindestziel\b|ソフトキャップ/g, 'softcap'],
  [/\bhard[ -]?caps?\b/g, 'hardcap'],
  [/\b(?:sold|sells?|selling)[ -]?out\b/g, 'soldout'],
  [/\bapi[ -]?keys?\b/g, 'apikey'],
  [/\b(?:platform[ -]?id|pid)s?\b/g, 'platformid'],
  [/\bseed[ -]?phrases?\b|\brecovery[ -]?phrases?\b|\bfrase semilla\b|\bfrase de recupera(?:cion|cao)\b/g, 'seed'],
  [/\bwhite[ -]?list/g, 'allowlist'],
];

const WORD = /#\w+|[\p{L}\p{N}_]+(?:[./-][\p{L}\p{N}_]+)*/gu;

/** The terms that a text is found by: stems, concepts and marks. Pure. */
export function termsOf(given: string): string[] {
  let text = given;
  if (/\d|[0-9A-Za-z]{24}/.test(text)) for (const [pattern, mark] of MARKS) text = text.replace(pattern, mark);
  text = folded(text);
  for (const [phrase, term] of PHRASES) text = text.replace(phrase, term);
  return (text.match(WORD) ?? []).flatMap((word) => {
    if (word.startsWith('#')) return [word];
    if (JAPANESE.test(word)) return japaneseTerms(word);
    const parts = word.split(/[_./-]+/).filter((part) => part !== '' && !GRAMMAR.has(part));
    return [
      ...(parts.length > 1 && /[_./]/.test(word) ? [word] : []),
      ...parts.map((part) => {
        if (/^\d+$/.test(part)) return /^[1-5]\d\d$/.test(part) ? part : '#number';
        return conceptIn(part);
      }),
    ];
  });
}
