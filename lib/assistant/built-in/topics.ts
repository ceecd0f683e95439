import { STOP_WORDS, wordsOf } from '../search/lexicon.ts';
import type { Entities } from './entities.ts';
import { FUNCTION_WORDS } from './language.ts';

/**
 * What investors speak of, a line each, with how it is said in the languages of the answers. A star stands for any ending.
 * What is marked with ! must be explained by an answer: an answer that is silent about it is not shown.
 */
const VOCABULARY = `
tag!: tag, tags, destination tag*, memo, memos, destination number, number thing*, extra number, that number, the number, etiqueta*, zieltag*, zahlungsreferenz, verwendungszweck, etiquette*, balise, dt, タグ, メモ
lacking: forgot*, forget*, without, w/o, omitted, left out, left off, blank, empty, missing, missed, didnt, did not, no tag, none, olvid*, sin, falta*, vergess*, vergass, ohne, oubli*, sans, esquec*, sem, faltou, 忘れ, なし, 入れず, 付けず, つけず
wrong: wrong, incorrect*, mistyped, mistake*, typo, bad tag, another tag, different tag, other tag, old tag, equivocad*, erron*, falsch*, verkehrt*, mauvais*, errad*, 間違, 違う
refund!: refund*, money back, xrp back, funds back, it back, them back, back my, get back, gets back, sent back, send back, sends back, given back, give back, gives back, go back, goes back, come back, comes back, return one, return my, return the, returned, reimburs*, chargeback, undo, withdraw*, rest back, change back, the rest, my rest, my change, bounce*, reembols*, devol*, devuel*, recuper*, ruckerstatt*, erstatt*, zuruck*, rembours*, rendu*, estorn*, de volta, claim*, reclam*, einfordern, 返金, 払い戻, 返って, 戻っ, 戻り, 戻る, 返し, 取り戻
cancelmine!: i cancel, we cancel, want out, kundigen, changed my mind, change my mind, cancel my, cancel it, cancel the pay*, cancel the purch*, cancel purch*, back out, take back my, by accident, by mistake, accidentally, twice, two times, dos veces, zweimal, doppelt, deux fois, duas vezes, me arrepenti*, cancelar mi, cancelar meu, cancelar minha, stornier*, annuler mon, annuler ma, キャンセルしたい, 二回, 2回
when: when, wen, whens, what time, how long, how soon, what date, which day, cuando, cuanto tarda*, cuanto tiempo, wann, wie lange, ab wann, quand, combien de temps, a quelle heure, quando, quanto tempo, ate quando, いつ, 何時, どのくらい
start: start*, begin*, open, opens, opening, launch*, go live, goes live, empieza*, empez*, comienz*, comenz*, abre, abren, inici*, beginn*, startet, losgeh*, los geht, geht es los, gehts los, eroffn*, commence*, debut*, ouvre*, comec*, abertura, 開始, 始ま, 始め
end!: end, ends, ending, ended, close, closes, closed, closing, finish*, deadline, over, last day, last chance, termin*, acab*, cierra*, fin, endet*, ende, vorbei, schluss, lauft, beendet, fini*, ferme*, encerra*, termina, 終了, 終わ, 締
goeson: continue*, resume*, go on, goes on, on hold, halted, reopen*, come back online, another round, next round, second round, round two, more rounds, next sale, another sale, reanud*, continu*, weiter, wieder, fortgesetzt, reprend*, retom*, volta a, 再開
tokens: tokens, token*, coins, coin, my coins, fichas, jeton*, munzen, moedas, トークン, コイン
receive: be sent, are sent, sent out, recieve*, ganho, ganharia, ganar, dan, dao, receiv*, get my, get the, get them, get it, do i get, will i get, arriv*, deliver*, payout*, paid out, distribut*, credited, land, show up, showing up, sent to me, get sent, in my wallet, automatic*, immediately, instantly, recib*, llega*, entreg*, bekomm*, erhalt*, ankomm*, ausgezahlt, auszahl*, geliefert, krieg*, recev*, recois, recoit, livr*, receb*, chega*, もらえ, 受け取, 届, 配布, 来ま, 来る
howmuch: how much, how many, hw mny, how mny, what does, what do i get, what would, what will, what can i get, what will i get, worth of, que recibo, cuanto*, cuanta*, wie viel*, wieviel*, was bekomm*, was krieg*, combien, quanto*, quanta*, いくら, どれだけ, いくつ, 何枚, 何トークン, 何個
price: price*, cost, costs, rate, expensive, cheap, precio*, cuesta*, cuanto vale, vale cada, preis*, kost*, prix, cout*, preco*, custa*, 価格, 値段, 単価
rise: go up, goes up, going up, increase*, rise*, raises, higher, more expensive, sube, subir*, steigt, teurer, augmente*, aumenta*, sobe, 上が
pay: get some, get tokens, get started, step by step, anleg*, loslegen, pay, paying, buy, buying, bying, purchase, invest, investing, participat*, join, contribute, take part, put in, get in, getting in, send, sending, deposit, top up, pagar, pago, compr*, invertir, particip*, enviar, envio, mando, mandar, entrar, bezahl*, zahle, zahlen, kauf*, kaufe*, investier*, teilnehm*, mitmach*, send*, schick*, uberweis*, einsteig*, payer, paie, achet*, achat, investir, envoyer, envoie, verser, compro, depositar, mande, 支払, 払い, 払う, 払え, 買う, 買い, 買え, 購入, 参加, 送れ, 送る, 送り, 送金先
payment: payment*, transaction*, transfer*, tx, zahlung*, paiement*, pagamento*, transac*, transfer*, 支払, 取引, 送金, 入金
address: address*, adress, deposit account, qr, qr code, where to, where do i send, where should i send, direccion*, adresse*, endereco*, wohin, a donde, ou envoyer, para onde, アドレス, 宛先, どこに送
exchange!: exchange*, binance, coinbase, kraken, bitstamp, bybit, kucoin, okx, bitfinex, gemini, crypto.com, cryptocom, uphold, robinhood, revolut, bitvavo, bitpanda, bitso, bitflyer, bitbank, coincheck, upbit, cex, etoro, nexo, mercado bitcoin, custodial, casa de cambio, plataforma de intercambio, borse, boerse, plateforme d echange, corretora*, 取引所, バイナンス, コインチェック
wallet: wallet*, ledger nano, ledger device, nano, hardware wallet, trezor, xaman, xumm, metamask, phantom, trust wallet, gemwallet, crossmark, d cent, cartera*, monedero*, billetera*, brieftasche, geldborse, portefeuille*, carteira*, ウォレット
which: which, what, whats, que, cual*, welche*, was, quel*, qual*, どの, 何
mine: my payment, my transaction, my tx, my transfer, my deposit, my xrp, my money, my funds, my investment, my purchase*, my order, payment status, i sent, i send it, i paid, i payed, i put, sent, payed, paid, ive sent, ive paid, i bought, ive bought, have bought, i invested, my past, mi pago, mi dinero, mi plata, mis xrp, mi transaccion, mi transferencia, he enviado, envie, pague, pagado, mande, meine zahlung, mein geld, meine transaktion, meine uberweisung, meine xrp, gezahlt, bezahlt, geschickt, gesendet, uberwiesen, uberweisung, mon paiement, mon argent, mes xrp, ma transaction, envoye, paye, meu pagamento, meu dinheiro, meus xrp, minha transacao, minha grana, enviei, paguei, mandei, 送金した, 送金しま, 送金して, 送りま, 送った, 払いました, 払った, 支払いました, 入金した, 入金しま, お金
where: where, wheres, donde, wo, ou est, ou sont, onde, cade, どこ
gone: waiting for holder, waiting_holder, waiting for, stuck, pending, confirm*, nothing happened, nothing, not here, disappeared, lost, gone, vanished, track, check, see, find, fail*, havent received, havent got, never got, screwed, perdi*, perdu*, verloren, weg, angekommen, ankam, nicht da, pas arriv*, sumiu, nao chegou, no llego, no me llego, 届か, 届いて, 反映, 消え, まだ
held!: on hold, held, withheld, holding my, frozen payment, retenid*, einbehalten, festgehalten, bloque*, retenu*, retid*, 保留
why: why, reason, warum, wieso, weshalb, por que, porque, pourquoi, なぜ, 何で, どうして
mayi: can i, may i, could i, am i able, is it possible, still, already, yet, possible, too late, am i late, late, puedo, se puede, ya, todavia, aun, a tiempo, kann ich, kann man, noch, schon, zu spat, puis je, je peux, peux, encore, possible, trop tard, posso, da pra, da para, ainda, tarde, できますか, 買えますか, 買えない, 送れますか, まだ, もう
how: gehe ich vor, vorgehen, how, wie, como, comment, どうやって, 方法, やり方, どうすれば
sale: sale, sales, ico, presale, crowdsale, ido, project, projects, round, rounds, venta, ventas, verkauf, verkaufe, runde, projekt, vente*, projet, venda*, rodada, セール, 販売, プロジェクト
state: still open, open, live, running, active, paused, pause, halted, closed, ongoing, sold out, soldout, abiert*, offen, aktiv, pausiert, pausad*, en pause, ouvert*, abert*, en pausa, 開いて, 開催, 停止, 受け付け
tier: tier*, stage*, phase*, price level*, tramo*, nivel*, stufe*, palier*, fase*, etapa*, first round, this round, ティア, 段階
differ: difference*, differ, compare, versus, vs, diferencia*, unterschied*, difference*, diferenca*, 違い
left: left, remain*, available, any more, quedan, queda, ubrig, gibts noch, noch welche, restent, reste, restam, sobrou, 残り, 残って
raised!: quantas pessoas, ja investi*, gente ha invertido, cuanta gente, wie viele leute, combien de personnes, raised, raise, progress, so far, funded, sold so far, investors, investor count, how many people, how many ppl, people in, people bought, recaudad*, inversores, eingesammelt, anleger, investoren, leve*, investisseurs, arrecadad*, investidores, 集ま, 調達, 投資家, 何人
minimum!: cheapest, start with, minimum*, min, smallest, least, lowest, at least, enough, too small, too little, minimo*, minimal*, mindest*, kleinst*, suficiente, genug, reicht, assez, suffi*, 最低, 最小, 足り
maximum!: maximum*, max, most, largest, cap per, limit, limits, per wallet, wallet cap, per person, each person, per head, per account, maximo*, limite*, maximal*, hochst*, obergrenze, plafond, 最大, 上限
soldout!: de mas, de trop, zu viel, a mais, 多く, sold out, sells out, sell out, soldout, selling out, overpay*, overpaid, overfund*, oversubscri*, too much, sent more, send more, pay more, more than, halfway, part fill*, partial*, run out, runs out, agotad*, ausverkauft, epuise*, esgotad*, mehr als, mas de lo, plus que, mais do que, 売り切れ, 完売
goal!: hard cap, hardcap, succeed*, success*, scheiter*, fehlschl*, atingid*, echou*, fracas*, soft cap, softcap, hit the goal, goal, target, not reach*, doesnt reach, fails to raise, not enough raised, mindestziel, ziel, objetivo, objectif, meta, ソフトキャップ, 目標
cancelled!: cancelled, canceled, cancel, cancels, called off, calls off, call off, cancelad*, abgebrochen, abgesagt, abbruch, annule*, 中止, キャンセル
allowlist!: apply, application, allowlist*, whitelist*, white list, allow list, on the list, the list, kyc, passport, pasaporte, ausweis, passeport, passaporte, id card, パスポート, eligible, anyone, everyone, everybody, anybody, not_admitted, registration, register, sign up, who can, who may, allowed, permitted, la lista, na lista, lista de, la liste, auf die liste, auf der liste, registrier*, zugelassen, inscri*, tout le monde, autoris*, quem pode, cadastro, quien puede, todo el mundo, qualquer pessoa, 許可リスト, リスト, 誰でも, 登録
where_live!: im from, i am from, come from, country, countries, resident*, live in, citizen*, us person, americans, pais, land, pays, 国, minimum age, how old, old enough, age limit, underage, under 18, edad, mindestalter, welchem alter, age minimum, quel age, idade, year old, years old, jahre alt, anos de edad, 年齢, 何歳, から参加, から買え, 在住, 国籍
trustline!: trust line*, trustline*, trust-line*, accept the token, linea de confianza, vertrauenslinie*, ligne de confiance, linha de confianca, trustset, mptokenauthorize, opt in, トラストライン
outside!: tax, taxes, taxable, taxation, taxed, capital gains, vat, irs, impuesto*, hacienda, steuer, steuern, versteuer*, finanzamt, impot*, imposto*, 税, stake, staking, staken, staker, staked, apy, apr, dividend*, what interest, interest do i, interest rate*, zinsen, passive income, ステーキング, 配当, mining, i mine, to mine, minar, minage, schurfen, マイニング, weather, wetter, meteo, temps fait il, tiempo hace, 天気, recipe*, pancake*, receta*, rezept*, recette*, レシピ, hiring, job opening*, job offer*, jobs at, job at, a job with, vacancies, careers, internship, salary, stellenangebot*, offene stellen, empleo, recrut*, emprego, 求人, 採用, whitepaper*, white paper, litepaper, livre blanc, libro blanco, ホワイトペーパー, roadmap*, hoja de ruta, feuille de route, ロードマップ, the team, your team, team behind, team members, the ceo, ceo, founder*, founded, equipo, equipe, steckt hinter, チーム, market cap*, marketcap, fully diluted, fdv, airdrop*, エアドロップ, referral*, affiliate*, influencer*, partnership*, nft*, loan, loans, leverage, governance, voting, vote, dao, utility of, use case*, licensed, regulated, the sec, prospectus, insured, insurance, gdpr, privacy policy, cookie*, newsletter, twitter, instagram, facebook, headquarter*, your office, employees, mobile app, app store, download the app, ios app, android app, halving, people work, opening hours, office hours, business hours, offnungszeiten, horario de, price of xrp, precio del xrp, prix du xrp, preco do xrp, xrp kurs, the servers located, invoice*, rechnung, factura, facture, 領収書, halal, inflation, gift card*, world cup, translate, poem, capital of, football, movie, song, buy xrp, buy some xrp, comprar xrp, xrp kaufen, acheter des xrp, acheter xrp, xrp を購入, my email, log in, login, anmelden beim, reset my password, forgot my password, my password, delete my account
issuer!: freeze*, freez*, clawback*, claw back, claw, mint*, blackhole*, rug, rugpull, rug pull, congelar, einfrieren, geler, bloquear meus, 凍結
named!: exist, in total, heraus, herausgeb*, ausgegeben, called, name of the token, tokens name, ticker, symbol, currency code, who issue*, issuer*, issued by, contract address, decimals, total supply, supply, se llama, simbolo, emisor, heisst, emittent, s appelle, emetteur, emisora, chama, emissor, 名前, 発行
resale!: list on, list it, resell*, sell, selling, trade*, trading, secondary market, dex, liquidity, listing, listed, gelistet, se lista, listar, listado, sera liste, 上場, flip, swap, revend*, vender, weiterverkauf*, verkaufen, vendre, handeln, 売れ, 売る, 売却, 転売
verify!: claim site*, claim link*, connect wallet, connect my wallet, connect your wallet, validate wallet, validate my wallet, scammer*, thief, thieves, verify, verification, verifiable, prove, proof, provably, audit*, legit*, scam*, trustworth*, can i trust, trust you, trust this, trust it, trust them, trust that, to trust, trusted, fake, fraud*, safe, rigged, honest*, cheat*, manipulat*, telegram, discord, whatsapp, who runs, who is behind, whos behind, nobody gets, check nobody, serious, estafa*, confia*, seguro, segura, betrug*, serios, sicher, arnaque*, fiable, golpe, confiavel, 詐欺, 安全, 信頼, 本物
treasury!: do my xrp go, does my xrp go, does my money go, do my funds go, treasury, run off, runs off, run away, steal*, collects, collected, where does the money go, where do the funds go, who gets the money, who holds, happens with the money, happens to the money, happens with the xrp, donde va el dinero, wohin geht das geld, ou va largent, para onde vai o dinheiro, 資金
fee!: fee, fees, gas, commission*, comision*, gebuhr*, frais, taxa, taxas, tarifa*, 手数料
reserve!: reserve*, reserva*, extra xrp, xrp locked, locked up, locked in my, 準備金
othermoney!: litecoin, ltc, dogecoin, cardano, xlm, bnb, tron, monero, usd, usdt, usdc, rlusd, tether, dollar*, bucks, euro*, eur, btc, bitcoin, eth, eths, ethereum, credit card*, debit card*, card, cards, visa, mastercard, paypal, bank transfer*, bank account, wire transfer, sepa, pix, iban, fiat, apple pay, google pay, solana, sol, doge, stablecoin*, other token*, another token, other coin*, other crypto*, tarjeta*, kreditkarte*, karte, carte, cartao, dolares, クレジットカード, ドル, ビットコイン
holders!: holders, whales, gini, who owns the token*, top wallets, biggest wallet*, inhaber, detenteurs
vesting!: vest*, unlock*, cliff, lockup, lock up, locked tokens, ベスティング
platformid!: platform id*, platformid, pid, badge*
seed!: seed, seeds, seed phrase, recovery phrase, private key, secret key, mnemonic, password, frase semilla, clave privada, frase de recuperacion, frase de recuperacao, palavras de recuperacao, palabras de recuperacion, wiederherstellungsphrase, phrase de recuperation, privater schlussel, phrase secrete, cle privee, cle secrete, chave privada, chave secreta, clave secreta, geheimschlussel, geheimer schlussel, geheimen schlussel, 秘密鍵, シード
support!: support team, a human, real person, human being, customer service, contact, talk to, speak to, call you, phone number, hotline, telefono, telefonnummer, numero de telephone, telefone, 電話番号, kontakt, soporte, suporte, mensch, サポート
system!: is the platform, is the system, site down, site is down, website down, platform down, are you down, outage, maintenance, system status, platform status
site!: this site, this website, this page, this platform, this place, what is tranche, this thing, how does this work, how does it work, how this works, how it works, diese seite, este sitio, esta pagina, ce site, este site, como funciona*, wie funktioniert, comment ca marche, このサイト
recipient!: receiving address, change my address, change the address, change my wallet, another wallet, other wallet, different wallet, new wallet, new one, his wallet, her wallet, their wallet, second wallet, two wallets, merge, someone elses, somebody else, on behalf, lost access, lost my wallet, lost my phone, my friend, friends wallet, my wife, my husband, my kid, otra cartera, otra billetera, andere wallet, anderes wallet, autre portefeuille, outra carteira, 別のウォレット
order!: reserve a, reserve my, reserve one, a spot, my spot, reservieren, the order, order matter*, in order, first come, first in line, first in, in line, queue*, queued, same second, same time, who is first, faster, priority, cola, reihenfolge, warteschlange, ordre, ordem, fila, 順番, 先着
discount!: discount*, lower the price, better price, cheaper, bonus, negotiate, special price, descuento, rabatt, remise, reduction, desconto, 割引
risk!: lose money, lose my money, lose everything, lose it all, risk*, riesgo*, risik*, risque*, risco*, perder dinero, リスク
prepare!: prepare*, preparation, get ready, be ready, in advance, beforehand, set up, preparar*, vorbereit*, prepare*, 準備
unsold!: unsold, not sold, leftover tokens, burn, burned, burnt, 売れ残
drop!: a drop, drops mean
apikey!: api key*, claves api, clave api, api-key*, apikey*, api token*, api schlussel*, api-schlussel*, clave* api, clave* de api, cle* api, cle* d api, cle* d api, chave* api, chave* de api, bearer, apiキー
keys: leak*, compromis*, commited, committed, pushed, posted, publicly, public, github, gitlab, repo, repository, exposed, hacked, 公開, revoke*, rotate*, regenerate*
developer!: api, webhook*, endpoint*, curl, json, http*, sdk, signature*, hmac, payload*, idempoten*, pagination, cursor, rate limit*, cors, openapi, swagger, scope*, retry, retries, replay*, python, nodejs, node.js, typescript, javascript, csv, jsonl, export*, event_id, event, events, timeout*, polling, callback*, localhost, testnet, graphql, grpc, websocket*, firma, signatur, assinatura, 署名
operator!: who paused, who cancelled, who canceled, who ended, who changed, who launched, who released, finaliz*, finalis*, change tier*, change the tier*, change a tier*, change the price*, change price*, change a price*, price of a tier after, change the end*, change the date*, edit the, edit price*, edit tier*, edit a, after launch*, before launch*, while sale is live, while the sale is live, 発行体, 環境変数, 管理者, サーバー, データベース, デプロイ, 署名鍵, 運営者として, assign*, release*, announce*, maintenance, audit, webhook*, deploy*, vercel, postgres*, database, backup*, restore*, redis, qstash, cron*, env, environment variable*, migrat*, server*, runbook, administrator*, admin, operator*, console, signing key*, signer, distributor, monitor*, alert*, invariant*, logs, sandbox, self-host*, self host*, hosting, upgrade, reconcil*, rippled, clio, hourly ceiling, launch a sale, create a sale, create a project, pause the sale, cancel the sale, upload*, docker, kubernetes, npm, prometheus, metrics, incident, on call, audit log, audit trail, someone paid, somebody paid, an investor paid, a customer paid, investor sent, as an operator
`;

/** Words that may stand in any question and change nothing about what it asks. */
const FILLERS = `
atm vale moin slt salut wirds gibts hab habs gerade teurer ago ahead almost alone alright amount anyway around away bad bit bro buddy buying came case cause check chill cool cousin cuz damn days dear directly done down dude easy either even evening ever exact exactly fast fella few figure fine first folks forever friend full fully fun funny gave gentleman give given glad gladly god gonna good great guess guy half hand hands happened happening hear heard here hmm honest honestly hour hours idea immediately info instead issue job keep kind kinda known last late later latest lately lil little live ll lmao long look looking looks lot lots maam mad main man matter means mine minute minutes moment moments money month months morning move name near needed needs nervous never new news next nice night nobody normal note nothing number off oh old once ones only order overall page part people phone place plain platform plus point ppl pretty probably problem properly put putting questions quick quickly quite rather re ready real reason regarding related rn said same saw say saying says scared second seconds see seem seems seen set short shit side simple since single sir sitting sleep small somebody sometime soon sorry specific stay step steps stop story stuff stupid suddenly super suppose supposed sure surely take takes taking talk telling terms thank things think thinking thinks thought through til till time times together told tonight total totally tried try trying two ugh until upon urgent usual usually very via wait waiting wallet wanna wanted wants week weeks well went whole wife wish within wondering worked world worried worries worry wrote wtf wut xrpl ledger blockchain crypto year years yesterday yo young yup dad mom mother father daughter husband uncle boss neighbor grandma grandson computer laptop app link website site screen button click online internet account accounts individual deposit bank allowed inside puts arent whens wheres hows theres thats lets youre theyre gotta lemme gimme thx ty tho though coz bc idk omg ffs makes made making going goes gone become becomes became might konnte koennte mochte moechte danke sehr geehrte damen herren frau herr mal gerne eigentlich denn doch nun heute gestern morgen abend stunden tage minuten woche enkel sohn tochter rentner mann leute etwas alles dann dort her hin grad bald immer nochmal wirklich ganz gut eben halt nen haben hatte wurde wurden worden schreiben frage fragen verstehe weiss glaube denke passiert machen mache tun pessoal galera moco cara oi bom dia tarde boa noite favor ajuda proxima prochain prochaine nachste nachsten siguiente nuevo nouveau neu mehr nada nichts rien bancaire credito akzeptiert nimmt prennent scan scanned thieves thief following follows between all while during whilst because although whether form forms somewhere list lists every each several vais vas allons allez veux test testing maintenant ahora pour chez vers entre sous sur moins tres bien fait faut doit donc lorsque pendant toujours jamais avoir recu actuel actuelle montant nombre type sorte als auch dass damit werde nutzen benutzen verwenden hoch brauche braucht muss musste mussen sein seine ihre unser eure diese dieser dieses dafur davon darauf sobald vom beim lange oft dan sobre hacia segun cada quien cuyo unos unas esos esas eso ese aquel tambien tampoco siempre nunca debo debe necesita falta quem cujo lhe vos umas esses essas aquele tambem sempre deve precisa colocar poner mettre setzen add added adding afterwards enter entered entering typed typing accept accepts accepted current different sale's sets setting choose chose pick picked hold require required requires reach reached mention mentions shows shown gives giving offer offers offered include includes included another hoje ontem amanha horas dias semana acho sei saber queria gostaria entao antes algum alguma pra pro comigo mesmo consigo tipo beleza valeu ayuda hoy ayer manana creo quisiera gustaria entonces despues alla algun alguna mismo solo necesito buenas tardes buenos amigo senor senora bonsoir svp aide aujourdhui hier demain jours heures semaine crois savoir voudrais aimerais alors ici quelque passe meme seulement besoin monsieur madame soir matin cest estce deja
`;

export type Topic =
  | 'tag'
  | 'pay'
  | 'check_address'
  | 'exchange'
  | 'wallet'
  | 'payment'
  | 'held'
  | 'quote'
  | 'cost'
  | 'price'
  | 'discount'
  | 'minimum'
  | 'maximum'
  | 'refund'
  | 'recipient'
  | 'order'
  | 'sold_out'
  | 'soft_cap'
  | 'delivery'
  | 'dates'
  | 'about'
  | 'prepare'
  | 'risk'
  | 'token'
  | 'progress'
  | 'projects'
  | 'site'
  | 'trust_line'
  | 'allowlist'
  | 'issuer'
  | 'resale'
  | 'verify'
  | 'fees'
  | 'reserve'
  | 'other_money'
  | 'treasury'
  | 'holders'
  | 'platform_id'
  | 'key'
  | 'seed'
  | 'status'
  | 'hello'
  | 'self'
  | 'thanks'
  | 'outside'
  | 'support';

interface Asked {
  /** Whether the message names all of these. */
  has: (...concepts: string[]) => boolean;
  any: (...concepts: string[]) => boolean;
  entities: Entities;
  /** The message as words in lower case, without accents. */
  words: string;
}

const paysIn = ({ entities }: Asked, ...units: ('xrp' | 'tokens' | null)[]): boolean =>
  entities.amounts.some(({ unit }) => units.includes(unit as 'xrp' | 'tokens' | null));
const namesPayer = ({ entities }: Asked): boolean => entities.wallets.length > 0 || entities.brokenAddress;
const namesHash = ({ entities }: Asked): boolean => entities.hashes.length > 0 || entities.brokenHash;

/** What the guides tell of API keys, and the card of making, listing and ending them does not. */
const OTHER_KEY_QUESTION =
  / (?:webhooks?|scopes?|permissions?|rate limits?|limits?|signature|how many|maximum|most|expir\w+|valid|40[0-9]|headers?|secret|rename\w*|per (?:wallet|key)|belongs?|tenants?) /;

/** A topic, the subjects that its answer explains, and when a message asks for it; the most special first. */
type Rule = readonly [topic: Topic, explains: string, fits: (asked: Asked) => boolean];
const RULES: readonly Rule[] = [
  ['payment', 'refund held goal cancelled soldout allowlist', (a) => namesHash(a) && !a.has('tag')],
  [
    'check_address',
    'verify named',
    (a) =>
      namesPayer(a) &&
      a.any('address', 'verify') &&
      !a.any('mine', 'tag', 'platformid', 'trustline', 'holders', 'allowlist') &&
      / (?:right|correct|real|official|genuine|yours|true|this|is it|it|check|richtig|correct[ao]|esta|cette) /.test(
        a.words,
      ),
  ],
  ['allowlist', 'where_live allowlist minimum', (a) => a.has('where_live') && !a.any('mine', 'address')],
  ['wallet', '', (a) => / ledger (?:live|nano|wallet|device) /.test(a.words) && !a.any('mine', 'gone')],
  ['seed', 'seed refund verify', (a) => a.has('seed')],
  ['key', 'apikey developer named cancelmine', (a) => a.has('apikey') && !OTHER_KEY_QUESTION.test(a.words)],
  ['refund', 'tag refund cancelmine', (a) => a.has('tag', 'cancelmine') && !a.any('lacking', 'wrong')],
  ['tag', 'tag refund minimum cancelmine', (a) => a.has('tag') && a.any('lacking', 'wrong', 'mine', 'gone', 'refund')],
  [
    'pay',
    'tag',
    (a) =>
      a.has('tag') &&
      (a.any('pay', 'address') ||
        / (?:which|whats|what|the|my|your|this|for) | welche| cual| quel| qual|どの/.test(a.words)) &&
      !/ what (?:is|are) (?:a )?(?:destination )?tags? | was ist ein| que es | c est quoi | o que e /.test(a.words),
  ],
  ['tag', 'tag', (a) => a.has('tag')],
  ['resale', 'resale issuer exchange', (a) => a.has('resale', 'exchange') && !a.any('pay', 'mine')],
  ['exchange', 'exchange refund recipient verify', (a) => a.has('exchange') && !/ exchange rate/.test(a.words)],
  ['recipient', 'recipient refund cancelmine', (a) => a.has('recipient')],
  ['platform_id', 'platformid', (a) => a.has('platformid')],
  [
    'other_money',
    'othermoney',
    (a) =>
      a.has('othermoney') ||
      a.entities.amounts.some(
        ({ unit, text }) => unit === 'other' && /[$€£]|usd|eur|btc|eth|bucks|pound|gbp/i.test(text),
      ),
  ],
  ['risk', 'risk verify', (a) => a.has('risk')],
  ['treasury', 'treasury verify raised', (a) => a.has('treasury')],
  ['reserve', 'reserve fee trustline', (a) => (a.has('reserve') && !a.has('order')) || a.has('trustline', 'fee')],
  ['trust_line', 'trustline reserve', (a) => a.has('trustline') && !a.has('fee')],
  ['projects', '', (a) => / (?:sales|ventas|verkaufe|ventes|vendas) /.test(a.words) && !a.any('mine', 'why')],
  ['held', 'held goeson', (a) => a.has('held') && (a.any('mine', 'payment') || !a.any('sale', 'goeson'))],
  ['resale', 'resale issuer exchange', (a) => a.has('resale') && !a.any('refund', 'state')],
  ['delivery', 'vesting receive', (a) => a.has('vesting')],
  ['verify', 'verify allowlist outside', (a) => a.has('verify') && !a.has('mine', 'tokens') && !a.has('mine', 'gone')],
  ['progress', 'raised end soldout', (a) => a.has('raised') && !a.any('mine', 'refund', 'treasury', 'goal')],
  ['order', 'order reserve', (a) => a.has('order') && !a.any('mine')],
  ['discount', 'discount maximum', (a) => a.has('discount')],
  [
    'soft_cap',
    'goal cancelled refund raised',
    (a) =>
      (a.has('goal') && !a.any('refund', 'mine')) ||
      (a.has('cancelled') && !a.any('mine', 'refund', 'pay', 'cancelmine') && !a.has('why')),
  ],
  [
    'refund',
    'refund cancelmine cancelled goal end soldout',
    (a) => a.any('cancelmine', 'refund') || (a.has('cancelled') && a.any('mine')),
  ],
  [
    'refund',
    'refund end soldout goeson order',
    (a) =>
      a.any('mine', 'payment') &&
      (a.any('end', 'state', 'soldout') ||
        / before | early | too (?:soon|early|late) | after | vor dem | antes | avant | depois | despues | apres /.test(
          a.words,
        )) &&
      !a.any('tokens', 'receive'),
  ],
  [
    'sold_out',
    'soldout maximum',
    (a) =>
      a.has('soldout') &&
      !a.has('mine', 'gone') &&
      !a.has('mine', 'tokens') &&
      (a.any('pay', 'mine', 'refund') || / if | what happens | si | wenn | se |たら/.test(a.words)) &&
      !/ is (?:it|the sale|this) /.test(a.words),
  ],
  ['fees', 'fee', (a) => a.has('fee')],
  ['minimum', 'minimum', (a) => a.has('minimum') && !a.has('mine')],
  ['maximum', 'maximum', (a) => a.has('maximum')],
  ['issuer', 'issuer named', (a) => a.has('issuer')],
  [
    'price',
    'soldout',
    (a) => a.has('soldout') && / (?:is|are) (?:it|the sale|this|they|all|everything) /.test(a.words),
  ],
  ['token', 'named issuer', (a) => a.has('named') && !a.any('mine')],
  [
    'delivery',
    '',
    (a) =>
      a.has('pay') &&
      / what happens (?:after|when|once|next) | was passiert (?:nach|wenn ich) /.test(a.words) &&
      !a.any('mine', 'soldout', 'state', 'end'),
  ],
  [
    'token',
    '',
    (a) =>
      / what (?:\w+ )?(?:am i|are we|do i|would i) (?:\w+ )?buy(?:ing)? /.test(a.words) &&
      a.entities.amounts.length === 0,
  ],
  [
    'discount',
    '',
    (a) => a.has('price') && / (?:drops?|falls?|fallen|lower|down|baja|fallt|baisse|cai) /.test(a.words),
  ],
  ['delivery', '', (a) => a.has('tokens') && / (?:be|are) sent | sent out /.test(a.words) && !a.has('refund')],
  [
    'cost',
    '',
    (a) =>
      paysIn(a, 'tokens') &&
      !a.any('mine') &&
      a.entities.amounts.every((one) => one.kind !== 'exact' || one.value !== '1'),
  ],
  [
    'quote',
    '',
    (a) =>
      paysIn(a, 'xrp', null) &&
      (a.any('howmuch', 'price', 'receive') || a.has('tokens', 'pay')) &&
      !a.any('mine', 'refund', 'tier', 'left'),
  ],
  ['quote', '', (a) => paysIn(a, 'xrp') && !a.any('mine', 'when', 'left', 'gone', 'state')],
  ['quote', '', (a) => paysIn(a, null) && a.any('pay') && !a.any('mine', 'when', 'left', 'tier', 'state', 'gone')],
  [
    'delivery',
    'vesting',
    (a) =>
      a.any('tokens') &&
      a.any('receive', 'when') &&
      !a.any('start', 'end', 'howmuch', 'price', 'mine', 'gone', 'rise', 'why'),
  ],
  [
    'price',
    'raised',
    (a) => a.any('tier', 'price') && a.any('when', 'differ', 'rise', 'price', 'howmuch', 'which', 'left'),
  ],
  ['issuer', 'issuer named', (a) => a.has('issuer')],
  [
    'payment',
    'goeson verify soldout',
    (a) =>
      a.any('mine', 'payment') &&
      (a.any('where', 'gone', 'status', 'receive', 'state', 'why', 'verify') || a.has('mine', 'tokens')),
  ],
  [
    'payment',
    '',
    (a) =>
      namesPayer(a) && (a.any('where', 'gone', 'tokens', 'receive', 'pay', 'mine', 'payment') || a.words.trim() === ''),
  ],
  ['payment', 'holders', (a) => a.has('tokens') && a.any('where', 'gone', 'why')],
  ['allowlist', 'allowlist', (a) => a.has('allowlist') && !a.any('mine', 'address')],
  ['holders', 'holders', (a) => a.has('holders')],
  ['progress', 'raised', (a) => a.has('raised')],
  ['prepare', 'prepare', (a) => a.has('prepare')],
  ['price', '', (a) => a.any('left') && !a.any('mine')],
  ['price', '', (a) => a.any('price', 'rise', 'differ') && !a.any('mine', 'wallet')],
  ['price', '', (a) => a.has('howmuch') && a.any('tokens', 'sale')],
  [
    'pay',
    '',
    (a) =>
      a.has('how', 'pay') &&
      !a.any('mine', 'when', 'why', 'wallet', 'state') &&
      !/ still | already | ya | noch | schon | encore | ainda /.test(a.words),
  ],
  [
    'dates',
    'end goeson held cancelled soldout',
    (a) => (a.any('when', 'why', 'which') && a.any('goeson', 'state', 'cancelled', 'start', 'end')) || a.has('goeson'),
  ],
  ['dates', 'end', (a) => a.any('end', 'start', 'state') && a.any('sale', 'mayi', 'pay')],
  [
    'dates',
    'cancelled soldout end order',
    (a) =>
      a.has('pay') &&
      (a.any('mayi', 'why', 'cancelled') || (a.any('when') && !a.any('tokens', 'howmuch'))) &&
      !a.any('address', 'wallet', 'mine'),
  ],
  [
    'wallet',
    '',
    (a) =>
      a.has('wallet') &&
      (a.any('which', 'pay', 'mayi') || / work| use | ok | good | support/.test(a.words)) &&
      !a.any('mine', 'where', 'gone'),
  ],
  ['support', 'support', (a) => a.has('support')],
  ['status', 'system', (a) => a.has('system')],
  ['pay', '', (a) => a.has('address')],
  ['site', 'site', (a) => a.has('site')],
  [
    'projects',
    '',
    (a) =>
      a.has('sale') &&
      / which | what | list | any | all | available | there | welche| que | quel| quais |どの/.test(a.words) &&
      !/ this sale /.test(a.words),
  ],
  ['pay', '', (a) => a.has('pay') && !a.any('mine', 'when', 'why') && !/ (?:if|si|wenn|se|what|which) /.test(a.words)],
  ['dates', 'end soldout', (a) => a.any('end', 'start', 'state', 'soldout') && !a.any('mine')],
  ['about', '', (a) => a.has('sale') && !a.any('mine', 'when', 'why')],
  [
    'payment',
    'goeson',
    (a) =>
      a.has('mine') &&
      / (?:now|happen\w*|about|help|problem|issue|e|und|y|et|agora|ahora|jetzt|maintenant) /.test(a.words),
  ],
];

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const isJapanese = (form: string): boolean => /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(form);

interface Concept {
  name: string;
  isSubject: boolean;
  pattern: RegExp;
  /** Its single words, for misspelt ones. */
  single: string[];
}
const CONCEPTS: readonly Concept[] = VOCABULARY.trim()
  .split('\n')
  .map((line) => {
    const [label = '', list = ''] = line.split(/:(.*)/);
    const forms = list.split(',').map((form) => form.trim());
    const parts = forms.map((form) => {
      const text = escaped(wordsOf(form.replaceAll('*', '')).trim());
      return isJapanese(form) ? text : `(?<= )${text}${form.endsWith('*') ? '[^ ]*' : ''}(?= )`;
    });
    return {
      name: label.replace('!', ''),
      isSubject: label.endsWith('!'),
      pattern: new RegExp(parts.join('|'), 'gu'),
      single: forms.map((form) => form.replace('*', '')).filter((form) => /^[a-z]{5,}$/.test(form)),
    };
  });
const NEUTRAL: ReadonlySet<string> = new Set([...FILLERS.trim().split(/\s+/), ...STOP_WORDS, ...FUNCTION_WORDS]);

/** Whether a word is another with one letter too much, too few, changed, or two of them swapped. */
function isSlip(word: string, of: string): boolean {
  if (word[0] !== of[0] || Math.abs(word.length - of.length) > 1) return false;
  let start = 0;
  while (start < word.length && word[start] === of[start]) start += 1;
  let end = 0;
  while (end < Math.min(word.length, of.length) - start && word.at(-1 - end) === of.at(-1 - end)) end += 1;
  const [a, b] = [word.slice(start, word.length - end), of.slice(start, of.length - end)];
  return (a.length <= 1 && b.length <= 1) || (a.length === 2 && a === `${b[1]}${b[0]}`);
}

/** Subjects for which an everyday word must not be taken: `shaking` is no slip for `staking`, `estaba` none for `estafa`. */
const EXACT: ReadonlySet<string> = new Set(['outside', 'verify', 'resale', 'named']);

/** What a message names, and how many of its words that matter nothing explains. */
function read(text: string, isWord: (word: string) => boolean, names: ReadonlySet<string>) {
  // French articles and pronouns are words of their own.
  const words = wordsOf(
    text
      .replace(/(?<!\p{L})(qu|[cdjlmnst])['’](?=\p{L})/giu, '$1 ')
      .replace(/-(?=\p{Lu}\p{Ll})/gu, ' ')
      .replace(/-(?=(?:je|tu|ils?|elles?|on|nous|vous|ce|moi|t-)(?!\p{L}))/giu, ' '),
  );
  const found = new Map<string, boolean>();
  const covered = new Set<string>();
  for (const { name, isSubject, pattern } of CONCEPTS) {
    for (const [form] of words.matchAll(pattern)) {
      found.set(name, isSubject);
      for (const word of form.split(' ')) covered.add(word);
    }
  }
  const content = [...new Set(words.trim().split(' '))].filter(
    (word) => (word.length > 1 || isJapanese(word)) && !NEUTRAL.has(word) && !/^\d/.test(word),
  );
  let unexplained = 0;
  for (const word of content) {
    if (covered.has(word) || names.has(word) || isJapanese(word)) continue;
    const slip =
      word.length < 5 || isWord(word)
        ? undefined
        : CONCEPTS.find(({ name, single }) => !EXACT.has(name) && single.some((form) => isSlip(word, form)));
    if (slip === undefined) unexplained += 1;
    else found.set(slip.name, slip.isSubject);
  }
  return { words, found, unexplained, count: content.length };
}

const HELLO =
  /^(?:hi|hello|hey|yo|good (?:morning|day|evening)|hola|hallo|guten (?:tag|morgen)|bonjour|salut|ol[áa]|oi|bom dia|こんにちは)[\s!.,]*(?:there|all|everyone)?[\s!.,]*$/i;
const THANKS =
  /^(?:thanks?|thank you|thx|ty|cheers|great|perfect|gracias|danke|merci|obrigad[oa]|ありがとう)(?!\p{L}{12})[^?]{0,40}$/iu;
const SELF =
  /\b(?:who|what) are you\b|\bare you (?:a |an )?(?:human|bot|robot|ai|person|real|chatgpt|gpt|language model)\b|\bwhat can you (?:do|help)\b|\bwhat can i ask\b|\bbot or (?:a )?human\b|\bhuman or (?:a )?bot\b|^help[\s!.?]*$/i;
/** Of so many words that matter, one may be left unexplained; one also where a subject is named outright. */
const WORDS_A_GAP = 4;
/** More topics than these in one question, and it is not understood. */
const MOST_TOPICS = 2;

/**
 * The topics that a message asks for, one or two; none where an answer would leave a subject of the message, or too many of
 * its words, unexplained. `names` are those of sales and their tokens, in parts. With `mayLeaveOut` words may be left over, though
 * no subject, and the answer has to say so. Pure.
 */
export function topicsOf(
  text: string,
  entities: Entities,
  isWord: (word: string) => boolean,
  names: ReadonlySet<string> = new Set(),
  mayLeaveOut = false,
): Topic[] {
  if (HELLO.test(text)) return ['hello'];
  if (THANKS.test(text)) return ['thanks'];
  if (SELF.test(text)) return ['self'];
  const { words, found, unexplained, count } = read(entities.words, isWord, names);
  const asked: Asked = {
    has: (...names) => names.every((name) => found.has(name)),
    any: (...names) => names.some((name) => found.has(name)),
    entities,
    words,
  };
  const isPlain = found.has('mine') || [...found.values()].some((isSubject) => isSubject);
  // A name of the API or of a setting is no word of an investor.
  if (/[a-z]_[a-z]/.test(words.replace(/ (?:waiting_holder|not_admitted) /g, ' '))) return [];
  // The platform has no answer to it, so the rest of the question is not answered either; but a transaction hash is looked up.
  if (asked.has('outside') && !namesHash(asked) && !asked.any('developer', 'operator', 'apikey', 'verify'))
    return ['outside'];
  const isUnderstood = unexplained <= Math.max(Math.floor(count / WORDS_A_GAP), isPlain ? 1 : 0);
  const isExpert = asked.any('developer', 'operator', 'apikey');
  // Before anything else: a warning to a user who mentions a secret, and the look-up of a transaction hash.
  if (!isUnderstood && asked.has('seed') && !isExpert) return ['seed'];
  const isNamed = namesHash(asked) || (namesPayer(asked) && asked.any('mine', 'payment') && !asked.any('address'));
  if (!isUnderstood && isNamed) return [asked.has('tag') ? 'tag' : 'payment'];
  if (!isUnderstood && (!mayLeaveOut || isExpert)) return [];
  const open = new Set([...found].flatMap(([name, isSubject]) => (isSubject ? [name] : [])));
  const topics: Topic[] = [];
  for (const [topic, explains, fits] of RULES) {
    const explained = explains.split(' ').filter((name) => open.has(name));
    if ((topics.length > 0 && explained.length === 0) || !fits(asked) || topics.includes(topic)) continue;
    topics.push(topic);
    for (const name of explained) open.delete(name);
    if (open.size === 0 || topics.length === MOST_TOPICS) break;
  }
  // How to pay is told to those alone who are understood.
  if (open.size === 0 && (isUnderstood || !topics.includes('pay'))) return topics;
  if (isExpert) return [];
  if (asked.has('seed')) return ['seed'];
  return namesHash(asked) ? ['payment'] : [];
}
