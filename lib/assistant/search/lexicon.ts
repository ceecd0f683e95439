import MiniSearch from 'minisearch';

/**
 * What people call the things of this platform, a line each: the guides' own word, then how else it is said, in English and,
 * for what concerns money, in Spanish, German, French, Portuguese and Japanese. A star stands for any ending.
 */
const CONCEPTS = `
tag: tag, tags, destination tag, memo, memos, etiqueta*, zieltag, ziel tag, zahlungsreferenz, verwendungszweck, etiquette*, balise, x-tag, dt, タグ, メモ
forgot: forgot, forgotten, forget, forgetting, without, omitted, left out, left off, left blank, blank, leave out, missing, missed, didnt add, didnt put, didnt include, did not add, did not include, did not put, no tag, w/o, olvid*, sin, falta, vergessen, vergass, ohne, oubli*, sans, esquec*, sem, faltou, 忘れ*, なし, 入れずに, 付けずに, つけずに
wrong: wrong, incorrect, mistyped, mistake, typo, bad tag, another tag, different tag, other tag, equivocad*, incorrect*, erron*, falsch*, verkehrt*, mauvais*, errad*, 間違*, 違う
refund: refund*, money back, xrp back, funds back, back my, get back, sent back, send back, give back, given back, take back, reimburs*, chargeback, undo, withdraw my, reembols*, devol*, devuel*, recuper*, ruckerstatt*, erstatt*, zuruck*, zuruckzahl*, geld zuruck, rembours*, rendu, estorno, 返金*, 払い戻*, 返って, 戻って, 戻り, 取り戻*, rest back, the rest, my rest, refundable, get it back, send it back, sends it back, bounced, bounce, change back, change returned
cancel_mine: cancel my, changed my mind, change my mind, take back my, undo my
when: when, wen, what time, how long, how soon, what date, cuando, cuanto tarda, cuanto tiempo, wann, wie lange, quand, combien de temps, quando, quanto tempo, いつ, 何時, どのくらい
start: start*, begin*, begins, open*, opens, launch*, go live, goes live, empieza, empezar, comienz*, abre, inici*, beginn*, starte*, losgeh*, eroffn*, commenc*, debut*, ouvre, comeca*, comeco, 開始, 始ま*, 始め*
end: end, ends, ending, ended, close, closes, closed, closing, finish*, deadline, over, last day, termina*, acaba*, cierra, fin, endet*, ende, vorbei, lauft, schluss, finit*, ferme*, encerra*, 終了, 終わ*, 締*
token: token*, coins, my coins, fichas, jeton*, モノ, トークン*
receive: receiv*, get my, get the, arriv*, deliver*, delivery, payout*, paid out, distribut*, airdrop*, credited, land*, show up, recib*, recibir*, llega*, entreg*, bekomm*, erhalt*, kommen, ankomm*, ausgezahlt, auszahl*, geliefert, recev*, recevr*, recois, recoit, livr*, receb*, chega*, もらえ*, 受け取*, 届*, 配布, 来ま*, waiting_holder, waiting for holder, waiting for my wallet, no tokens, without tokens, tokens missing, get them, arrived, arrive, automatically, automatic, sent to me, get sent
howmuch: how much, how many, what does, what do i get, what would, what will, que recibo, cuanto, cuantos, cuanta, wie viel, wieviel, wie viele, was bekomme, combien, quanto, quantos, いくら, どれだけ, いくつ, 何枚
price: price*, cost*, rate, worth of, precio*, cuesta*, vale, preis*, kost*, prix, cout*, preco*, custa*, 価格, 値段, 単価
pay: pay, paying, how to buy, buy, buying, purchase, invest, investing, participate, participat*, join, contribute, take part, put in, get in, where do i send, where to send, send xrp, send to, send it, send the, pagar, pago, comprar, invertir, participar, enviar, envio, bezahl*, zahle, zahlen, kaufen, kaufe, investier*, teilnehm*, sende, senden, schicke*, uberweis*, payer, paie, acheter, achete, investir, participer, envoyer, envoie, compro, 支払*, 払い方, 払う, 買う, 買い*, 購入, 参加*, 送金先, 送れば, 送る
payment: payment*, transaction*, transfer*, pago*, zahlung*, paiement*, pagamento*, 支払*
address: address*, adress, deposit account, account do i, qr, qr code, direccion*, adresse*, endereco*, アドレス, 宛先
exchange: exchange*, binance, coinbase, kraken, bitstamp, bybit, kucoin, okx, bitfinex, gemini, crypto.com, cryptocom, uphold, robinhood, revolut, bitvavo, bitpanda, bitflyer, bitbank, coincheck, upbit, cex, custodial, hot wallet of, casa de cambio, plataforma de intercambio, borse, boerse, exchanges, plateforme d echange, corretora*, 取引所, バイナンス, コインチェック
wallet: wallet*, ledger nano, ledger device, hardware wallet, trezor, xaman, xumm, metamask, trust wallet, gemwallet, crossmark, cartera*, monedero*, billetera*, brieftasche, geldborse, portefeuille*, carteira*, ウォレット
which: which, what wallet, supported, compatible, support*, que cartera, welche*, quel*, qual, どの
mypayment: my payment, my transaction, my tx, my transfer, my deposit, my xrp, my money, my funds, my investment, my purchase, my order, payment status, i sent, i paid, ive sent, ive paid, have sent, already sent, already paid, just sent, just paid, have paid, mi pago, mi dinero, mi transaccion, mi transferencia, he enviado, envie, pague, mande, meine zahlung, mein geld, meine transaktion, meine uberweisung, habe gezahlt, habe bezahlt, habe geschickt, gesendet, geschickt, uberwiesen, mon paiement, mon argent, ma transaction, j ai envoye, j ai paye, ai envoye, meu pagamento, meu dinheiro, minha transacao, enviei, paguei, mandei, 送金した*, 送金しま*, 送りま*, 送った*, 払いました, 私の支払*, 入金した*, お金, my purchases, my investments, my past, my tokens show, what i bought, did i buy, have i bought
where: where, wheres, donde, wo, ou est, ou sont, onde, どこ
status: status, stuck, pending, confirm*, not arrived, didnt arrive, nothing happened, disappeared, lost, vanished, track, check, estado, perdid*, verloren, angekommen, weg, perdu*, arrive, sumiu, perdi*, 届か*, 届いて*, 反映*, failed, fail, says failed
sale: sale, sales, ventas, verkaufe, ventes, vendas, ico, presale, token sale, crowdsale, ido, project, venta, verkauf, vente, venda, projekt, セール, 販売
state: still open, open, live, running, active, active now, paused, halted, closed, ongoing, available, status of, sold out, soldout, abierta, offen, aktiv, pausiert, ouverte, aberta, 開いて, 売り切れ
tier: tier*, stage*, phase*, round*, level of price, nivel*, stufe*, palier*, fase*, etapa*, ティア, 段階
left: left, remain*, available, still available, remaining supply, quedan, ubrig, restent, reste, restam, 残り
raised: raised, raise, progress, so far, funded, sold so far, investors, how many people, recaudado, eingesammelt, leve, arrecadado, 集ま*
minimum: minimum*, min, smallest, least, lowest, minimo*, minimal*, mindest*, kleinst*, 最低*, 最小*, enough, too small, too little, suficiente, genug, reicht, assez, suffit, suffisant, 足り*
maximum: maximum*, max, most, largest, cap, limit per wallet, wallet cap, wallet limit, per wallet, maximo*, maximal*, hochst*, plafond, 最大*, 上限, per person, each person, per head, per account
soldout: sold out, sells out, sell out, soldout, overpay*, overfund*, oversubscri*, too much, sent more, more than is left, agotad*, ausverkauft, epuise*, esgotad*, 売り切れ*, 完売, my change, change back, send more, halfway, partly filled, partial fill
softcap: soft cap, softcap, not reach, doesnt reach, fails to raise, not enough raised, goal not, target not, cancelled, canceled, cancel*, cancelad*, abgebrochen, abgesagt, annule*, 中止, キャンセル
allowlist: allowlist*, whitelist*, white list, allow list, kyc, eligible to buy, who can buy, who may buy, who can invest, can anyone, not_admitted, registration, country, countries, residents, lista blanca, 許可リスト, allowed to, am i allowed, permitted to, may i buy, may i invest
trustline: trust line*, trustline*, trust-line, trust lines, linea de confianza, vertrauenslinie, ligne de confiance, linha de confianca, mptokenauthorize, opt in, トラストライン
issuer: issuer*, freeze*, frozen, freez*, clawback*, claw back, claw, mint more, mint*, blackhole*, rug, rugpull, rug pull, emisor, emittent, emetteur, emissor
resale: resell*, sell my, sell them, sell it, trade*, trading, secondary market, dex, liquidity, list on, listing, listed, revender, weiterverkauf*, verkaufen, revendre, 売れま*
verify: verify, verification, verifiable, prove, proof, provably, audit*, legit*, scam*, trustworth*, trust you, fake, fraud*, safe, estafa, betrug, serios, arnaque, golpe, 詐欺, 安全, rigged, honest, honestly run, cheat*, manipulat*, run off, run away, runs off, steal, stealing, trust, telegram, discord, whatsapp, who runs, who is behind this, who is behind the
fee: fee, fees, gas, commission, comision*, gebuhr*, frais, taxa*, 手数料
reserve: reserve*, reserva*, 準備金, xrp locked, locked in my, locked up in my
othermoney: usd, usdt, usdc, rlusd, dollar*, euro*, eur, btc, bitcoin, eth, ethereum, credit card, debit card, card, paypal, bank transfer, fiat, apple pay, solana, tarjeta, kreditkarte, carte bancaire, cartao, クレジットカード
treasury: treasury, where does the money go, where do the funds go, where does the xrp go, raised money, what happens with the money, who gets the money, who holds the funds
holders: holders, holder, whales, distribution of tokens, gini, who owns, top wallets
vesting: vest*, unlock*, cliff, lockup, lock up, locked tokens
platformid: platform id, platformid, pid, badge*, display name
seed: seed, seed phrase, recovery phrase, private key, secret key, mnemonic, frase semilla, clave privada, frase de recuperacion, privater schlussel, phrase secrete, cle privee, chave privada, 秘密鍵, シード
support: support team, human, customer service, contact, talk to someone, agent, email you
system: is the platform, is the system, site down, platform down, are you down, outage, maintenance, system status, platform status, up or down
apikey: api key*, api-schlussel*, claves api, cles api, chaves api, chaves de api, claves de api, cles d api,  apikey*, api-key*, api token, bearer token, tr_live*, clave api, api schlussel, api schlussels, cle api, chave api, chave de api, clave de api, key leaked, leaked key, my key, keys leaked
webhook: webhook*, web hook*, hook
developer: api, endpoint*, curl, json, http, sdk, status code, error code, http error, header*, request*, signature*, hmac, payload*, idempoten*, pagination, cursor, rate limit*, cors, openapi, swagger, bearer, integration, integrate, callback*, scope*, retry, retries, retried, replay*, redeliver*, node.js, nodejs, python, etag, api call*, rest api, client library, types, typescript client, csv, jsonl, export*, event_id, receiver, receivers, handler, deliveries, delivery log, x-platform-signature, secret*, events arrive, same event, event twice, timeout, timeouts, polling, poll, http client, user agent, rfc, problem json, error codes, test mode, test network, testnet, redirect*, port, ports, delay*, order guaranteed, delivery order, ordering, tls, spec, schema, fields, field, firma, signatur, assinatura, 署名, locally, localhost, event, events, deliver webhook*, graphql, grpc, websocket*, resend*, deduplicat*, exactly once, at least once, oauth, flask, django, express, php, golang, xrpl-py, xrpl.js, laptop, my server, our server, delivering, 2xx, 302, raw body, rest api, over rest, npm run, faucet, attempt, attempts, poll, unsubscribe*, unix time*, postman, certificate, how many calls, frontend, cursors, body size
operator: deploy*, vercel, postgres*, database, db, backup*, restore*, redis, qstash, cron*, env var*, environment variable*, migrat*, server*, runbook, administrator*, admin, operator*, console, signing key*, signer, hot key, payout job, treasury release, release the raised, halted account, distributor, monitor*, alert*, invariant*, held payment*, assign a payment, log line*, logs, sandbox, doctor, self host*, self-host*, host it, upgrade, reconcil*, ledger node, rippled, clio, hourly ceiling, launch a sale, create a sale, create a project, pause the sale, cancel the sale, upload*, announce*, run this, to run, hosting, self hosted, audit log, audit trail, incident, on call, disaster, failover, scale, cpu, prometheus, metrics, staging, production deploy, docker, kubernetes, npm, env, cli, as an operator, as operator, change the, edit the, modify the, someone paid, somebody paid, an investor paid, a customer paid, investor sent, after launch, procedure, hobby plan, raised xrp to, raised xrp to the treasury, admin token, terms of the sale, pause a, halt*, launch my, create and launch, refund everyone, refund all, end date of a live, extend the, set up the deposit, prepare the deposit, running sale, un-cancel*, uncancel*, payout stuck, payouts are stuck, retry a failed, betreiber, operador*, operateur, als betreiber, nginx, systemd, hobby, rollback, roll back a, go live, whitelist csv, resume a, resume the, end sale, end a sale, end the sale early, launched sale, running project, a million payments, reduce cost, reduce costs, all customers, assign it to, credit it to, node version, instances, vulnerability, downtime, announc*, launched with, unpause*, 一時停止する, 再開する, self hosting, another server, firewall, uptime, admins, payout ceiling, the feed, demo sale, operateurs, en tant qu operateur
`;

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

/** The text in lower case, without accents, apostrophes and punctuation; its words one space apart, one at each end. */
export const wordsOf = (text: string): string =>
  ` ${folded(text)
    .replace(/[^\p{L}\p{N}._/-]+/gu, ' ')
    // Japanese writes a foreign word without a space beside its own.
    .replace(
      /(?<=[a-z0-9])(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])|(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])(?=[a-z0-9])/gu,
      ' ',
    )
    .replace(/(?<![\p{L}\p{N}])[._/-]+|[._/-]+(?![\p{L}\p{N}])/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()} `;

const isJapanese = (form: string): boolean => /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(form);

interface Form {
  id: string;
  concept: string;
  text: string;
  /** Any ending may follow. */
  isStem: boolean;
}

const formOf = (given: string): Pick<Form, 'text' | 'isStem'> => {
  const form = given.trim();
  const isStem = form.endsWith('*');
  return { text: folded(isStem ? form.slice(0, -1) : form), isStem };
};

const FORMS: readonly Form[] = CONCEPTS.trim()
  .split('\n')
  .flatMap((line) => {
    const [concept = '', forms = ''] = line.split(/:(.*)/);
    return forms.split(',').map((given, place) => ({ id: `${concept} ${place}`, concept, ...formOf(given) }));
  });

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const patternOf = (forms: readonly Pick<Form, 'text' | 'isStem'>[]): RegExp =>
  new RegExp(
    forms
      .map(({ text, isStem }) =>
        isJapanese(text) ? escaped(text) : `(?<= )${escaped(text)}${isStem ? '[^ ]*' : ''}(?= )`,
      )
      .join('|'),
    'gu',
  );
/** Finds any of some forms in what wordsOf makes of a text; a star stands for any ending. */
export const formPattern = (forms: readonly string[]): RegExp => patternOf(forms.map(formOf));

const PATTERNS = [...Map.groupBy(FORMS, ({ concept }) => concept)].map(
  ([concept, forms]) => [concept, patternOf(forms)] as const,
);

/** Names that only programs and their authors write; investors meet these on the page of a payment. */
const NAME_IN_CODE = / (?!waiting_holder|not_admitted|pending_confirmation)[a-z]+(?:_[a-z]+)+ /;
/** Shorter words have too many neighbours to be taken for a misspelling of one. */
const FUZZY_FROM = 5;
const spelling = new MiniSearch<Form>({ fields: ['text'], storeFields: ['concept'], tokenize: (text) => [text] });
/** Misspelt words of developers are the search's: here they would turn a question about money away from its answer. */
spelling.addAll(
  FORMS.filter(
    ({ concept, text }) =>
      concept !== 'developer' && concept !== 'operator' && /^[a-z]+$/.test(text) && text.length >= FUZZY_FROM,
  ),
);

/** Words that say nothing about what a text is about. */
export const STOP_WORDS = new Set(
  'a an and any are as at be been but by can could did do does doing for from get gets getting go got had has have having hello hey hi how i id im if in into is it its ive just know let like make many may me mean much must my need no not of on one or our out please should so some tell than thanks that the their them then there these they thing this to too up us use used using want was way we were what whats when where which who whose why will with without would you your yours happen happens work works working still really guys someone something show explain help able after before about ok okay dont doesnt didnt cant wont isnt am now also again right yes ill per else yet xrp xrps ripple drops day today tomorrow currently actually maybe hope wonder question already often lol haha hw mny plz pls u ur ya btw procedure please'.split(
    ' ',
  ),
);

export interface Understood {
  concepts: ReadonlySet<string>;
  /** The part of the words that say something which are forms of concepts (0 to 1). */
  explained: number;
}

/** The concepts that a text names, by their forms; words that are none and are known to nobody are taken for misspelt ones. */
export function understand(
  text: string,
  isWord: (word: string) => boolean = () => false,
  functionWords: ReadonlySet<string> = STOP_WORDS,
): Understood {
  const words = wordsOf(text);
  const concepts = new Set<string>();
  let rest = words;
  for (const [concept, pattern] of PATTERNS) {
    pattern.lastIndex = 0;
    if (!pattern.test(words)) continue;
    concepts.add(concept);
    rest = rest.replace(pattern, ' ');
  }
  if (NAME_IN_CODE.test(words)) concepts.add('developer');
  const content = (given: string) =>
    given.split(' ').filter((word) => word !== '' && !STOP_WORDS.has(word) && !functionWords.has(word));
  let unknown = 0;
  for (const word of new Set(content(rest))) {
    const [best] =
      word.length < FUZZY_FROM || !/^[a-z]+$/.test(word) || isWord(word)
        ? []
        : spelling.search(word, { fuzzy: 0.25, filter: ({ terms }) => terms[0]?.[0] === word[0] });
    if (best === undefined) unknown += 1;
    else concepts.add(String(best.concept));
  }
  const all = new Set(content(words)).size;
  // Japanese parts no words, so what is left of it cannot be counted.
  const isUncounted = all === 0 || isJapanese(words);
  return { concepts, explained: isUncounted ? 1 : 1 - unknown / Math.max(all, unknown) };
}
