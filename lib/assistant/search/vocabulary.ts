import { folded, formPattern, STOP_WORDS, wordsOf } from './lexicon.ts';

/**
 * The guides' words, and how else they are said: in English, and in the other languages that questions come in. A star stands
 * for any ending. What is said in several words counts as one.
 */
const SAID = `
again duplicates event_id: twice, 2x, duplicate*, dedupe, deduplicat*, double delivery, exactly once, at least once, doppelt, dos veces, deux fois, duas vezes, 重複
leaked: compromis*, exposed, stolen, hacked, public repo, on github, filtrad*, geleakt, gestohlen, vole, vazou, 漏洩, 漏れ*
rotate: roll, roll over, renew, roto, rotar, cambiar, rotier*, wechsl*, changer, trocar, rotacionar, ローテーション
replaced rotate: replac*, exchange the key
signature verify: hmac, sig, firma*, signatur*, assinatura*, 署名, really came from, came from you, authentic*, genuine
verify: check the, validat*, verific*, prufe*, pruf*, verifier, 検証, 確認
secret: secreto, geheimnis*, segredo, シークレット
algorithm hmac sha: algo, algorithm*, hash algo*, hash function, algoritmo, algorithmus, algorithme
raw bytes body: raw body, body-parser, body parser, bodyparser, parsed body, express.json
retries: retry*, retried, backoff, wiederhol*, reintent*, nouvelle tentative, nouvelles tentatives, tentativas, reintentos, リトライ, 再送, give up, attempts
replay send again: resend*, redeliver*, replay*, missed, missing events, verpasst*, perdidos, events again, all the events
order later: ordering, out of order, guaranteed, sequence, reihenfolge, orden, ordre, ordem, 順序
within ten seconds answer: how fast, respond before, to respond, respond in, response time, no responde a tiempo, zeituberschreitung, delai, タイムアウト
receiver: my endpoint, my server, my handler, our server, our endpoint, mi servidor, mein server, mon serveur, meu servidor
localhost sandbox: locally, local, localhost, 127.0.0.1, lokal*, en local, localmente, ngrok, ローカル
sandbox run: my laptop, laptop, my machine, own machine, play with, without spending, test environment, dev environment, try it out
sandbox faucet test: faucet, test xrp, fake xrp, play money
test event: fake event, sample event, fake investment, dummy
events catalogue: event types, which events, list of events, what events, eventos, ereignisse, evenements, イベント
fields schema: payload of, fields, schema, campos, felder, champs
log: logs, delivery log
inactive deactivation: disabled, deactivat*, switched off, switched itself off, turned off, turned itself off, deaktivier*, desactivad*, desactive, desativad*, 無効
active reactivate: turn on, back on, re-enable, reenable, enable again, reactivat*
retention: keep, kept, how long do you, retain, stored for, aufbewahr*, 保存期間
redirects: redirect*, 301, 302, 307, 308
limits rate_limited minute: rate limit*, ratelimit*, throttl*, quota*, requests per, limite de solicitudes, limites de requetes, limite de requisicoes, anfragelimit*, limites de requisicoes, レート制限, too many requests
limits: limite*, how many, maximum number, maximal
pages cursor limit next_cursor: paginat*, pagination, paging, paginacion, paginacao, seitenweise, page by page, per page, next page, ページ*
idempotency again key: idempoten*, without doing it twice, same request twice, safe way to retry, safely retry
remembered kept answers: remembered, valid for
openapi document: openapi*, swagger*, spec, specification, postman
clients sdk library: sdk*, client library, client libraries, npm package, typescript types, wrapper, official library, librer*, bibliothek, bibliotheque, biblioteca
websocket graphql grpc: websocket*, graphql, grpc, socket.io, live updates, real time updates, realtime, streaming api
origin sites: cors, browser, frontend, javascript, react app, access-control*, other origin
amounts decimal xrp drops: drops, in xrp, string or number, floating point, float, decimals
times utc: timezone*, time zone*, timestamps, date format, iso 8601, zona horaria, zeitzone*, fuseau horaire, fuso horario, タイムゾーン
exports csv: csv, jsonl, json lines, excel, download*, export*, exportar, exportier*, exporter, エクスポート
caching etag: etag*, cach*, 304, if-none-match
errors problem: error respon*, error format, error codes, error code, problem json, error bodies
test network network: testnet*, test network, altnet, devnet
api key: apikey*, api-key*
sandbox receiver: webhook receiver
deploying production: deploy*, install*, host it, hosting, go live with, put it on, self-host*, self host*, selfhost*, desplegar, bereitstell*, aufsetz*, deployer, implantar, デプロイ, on my own server, own server, ubuntu, vps, bare metal
upgrading version migrate: upgrad*, new version, update to, newer version, aktualisier*, actualizar, mettre a jour, atualizar
rolling back rollback: rollback, roll back, bad release, revert
settings: config*, configuration, env var*, environment variable*, envs, umgebungsvariable*, variables de entorno
scheduler crons: cron*, scheduled job*, scheduler
proxy nginx: nginx, reverse proxy, caddy, load balancer
service systemd: systemd*, unit file
backup: backup*, back up, copia de seguridad, copias de seguridad, sicherung*, sauvegard*, copia de seguranca, backups, バックアップ, dump
restore restored: restor*, recover*, restaur*, wiederherstell*, 復元
cancelling cancel: cancel*, un-cancel, uncancel, abbrech*, annuler, cancelar, call off
pausing pause: paus*, pausier*, pausar, suspend*, mettre en pause, 一時停止
halt: halt*, stop everything, emergency, freeze everything, stop paying, notfall
sale: verkauf*, venta*, vente*, venda*
operator: betreiber*, operador*, operateur*, administrator*
changing launched: launched with, launched sale, after launch, after launching, after the launch, change the price*, change prices, edit the terms, extend the end, end date of a live, raise the limit, increase the limit, change the end, add a tier
launch first sale: launch*, create a sale, create and launch, start a sale, publish a sale, lanzar, starten, lancer, lancar
held payments: held, on hold, stuck payment, credit a payment, someone paid, somebody paid, an investor paid, paid without, retenid*
assign credit: credit it, assign it, credit the
payouts retry: payout*, stuck payout*
waiting holders: waiting_holder, waiting for holder*
releasing raised treasury: treasury, withdraw the raised, company wallet, get the raised, cash out, take out the xrp, tesorer*, raised xrp, raised money
administrators: admin token*, add an admin, another admin, read-only admin, new admin, admin user, admins
signing key stolen: signing key got stolen, private key leaked, hot wallet hacked, distributor key stolen
signing key replaced rotate: distributor key, rotate the signing key, replace the signing key
accounts ledger deposit: deposit account, distributor account, wallet keys
alert: alarm*, alerts
metrics prometheus: prometheus, grafana, metric*, monitoring, scraper
doctor: npx tranche doctor, doctor
late jobs: job late, is late, says late
costs cost: how much does it cost, price per month, monthly cost, expensive, what does it cost
allowlist: whitelist*, white list, lista blanca, 許可リスト
maintenance announce: maintenance, downtime window, wartung, mantenimiento
audit who did: audit*, who did, who changed, audit trail
admin console: dashboard, console
quote: quote, preisanfrage
investments wallet: wallets investments, investments of a wallet
holders: holder*
outside verify-sale: from outside, independently
register subscribe: subscribe*, unsubscribe*, sign up for
administrators read_only: view only, colleague, coworker
resume paused: unpause*, resume*, fortsetzen, reanudar, 再開
signing key rotate: signaturschlussel*, clave de firma, cle de signature, chave de assinatura
limits requests: poll*, polling
times utc: unix time*, epoch
healthy status: uptime, monitoring url, health check, healthcheck
duplicates event_id again: 二重, 二回
challenge sign proof: challenge, prove ownership, i own the wallet
revoke: revoke, delete a key, revocar, widerruf*, revoquer, revogar
migration database: migrat*
checklist production: checklist, go live, before going live
recorded replay time: replay attack*
`;

/** How a question may say what a section is about where its own words are others. Checked by a test against the guides. */
export const KEYWORDS: Readonly<Record<string, string>> = Object.fromEntries(
  `
webhooks#receive: twice duplicate again deduplicate exactly once least order ordering guaranteed timeout within ten seconds answer respond fast payload timestamp redirects same event status code 2xx return body format user agent
webhooks#verify: signature hmac sha algorithm verify genuine replay attack recorded raw bytes body header
webhooks#troubleshooting: signature mismatch fails match invalid raw bytes body nothing arrives error_kind ssl certificate refused econnrefused dns policy private address
webhooks#retries: retry schedule delays backoff how often give up attempts failed redirect many tries 500 marked
webhooks#register: subscribe create url only one project filter port pause change update delete https
webhooks#events: list of all event types which events catalogue fields schema payload investment confirmed created failed project
webhooks#limits: how many webhooks number maximum ports port
webhooks#the-log: delivery status response_code cancelled_reason deliveries
webhooks#send-again: replay missed resend outage down yesterday redeliver
webhooks#rotate-the-secret: change roll downtime rotation commit 24 hours old secret valid
webhooks#a-leaked-or-lost-secret: leaked stolen compromised lost show again exposed
webhooks#test-events: send sample fake try test webhook
webhooks#test-on-localhost: local locally localhost sandbox http port
webhooks#automatic-deactivation: disabled switched off inactive turn on back reactivate why
webhooks#retention: how long keep kept stored
webhooks#before-production: checklist go live ready production
api#errors: error format response problem codes request_id which safe retry request id x-request-id
api#limits: rate limits requests per minute quota throttle RateLimit header chat endpoint reads calls left remaining body size maximum
api#pages: pagination cursor next_cursor limit page items
api#amounts-and-times: drops decimal string number float timezone timestamps utc format
api#exports: csv jsonl download payments allocations payouts all
api#clients-and-sdks: sdk typescript types client library websocket graphql grpc oauth live updates postman
api#sending-a-request-again: idempotency idempotent retry post safely twice key remembered timeout send again
api#from-other-sites: cors browser frontend javascript react fetch
api#caching: etag if-none-match 304 cache
access#rotate: api key expired roll over replace downtime
access#list: all api keys
README#try-it: run locally laptop sandbox start play local machine testnet without spending real port crowd logs options whole
README#pay-into-the-demo-sale: test xrp faucet demo pay sandbox
deploying#settings: environment variables required env config
deploying#what-runs-where: where servers located hosted need redis postgres version requirements architecture several instances node docker kubernetes
deploying#on-a-machine-of-your-own: self hosting server ubuntu linux vps install
deploying#on-vercel: vercel setup steps hobby plan
deploying#the-app-as-a-service: systemd unit
deploying#the-proxy: nginx reverse proxy tls load balancer
deploying#the-scheduler: cron timers
deploying#upgrading-to-a-new-version: upgrade update version migrate deploy
deploying#rolling-back-on-vercel: rollback revert bad release
deploying#accounts-on-the-ledger: set up prepare deposit distributor issuer treasury account wallet keys
deploying#the-first-sale: create launch start new sale sale.json minimum
deploying#secrets-and-how-each-is-replaced: rotate replace secret key token leaked signing cron_secret database password
operations#is-everything-set-up: doctor check checks
operations#administrators: admin token add remove lost stolen read-only role
operations#database: migrations migrate order schema without downtime migration
operations#backup-and-restore: take backup dump pg_dump database point in time
operations#restoring-a-backup: restore restored recover procedure yesterday
operations#payments-that-are-missing-or-held: credit assign refund held hold stuck without tag give back
operations#allowlists: whitelist upload csv wallets parts
operations#pausing-resuming-and-ending-a-sale: pause halt difference resume end stop account
operations#changing-a-launched-sale: change price tier limit end date extend raise after launch edit terms
operations#cancelling-a-sale-soft-cap: cancel uncancel refund everyone all investors
operations#payouts: retry failed payout submitted stuck status hold settle
operations#waiting-holders-and-account-health: waiting_holder trust line missing payout
operations#releasing-what-was-raised: withdraw xrp treasury company wallet funds
operations#figures: prometheus metrics monitoring scraper grafana
operations#where-crons-are-too-rare: hobby plan qstash schedule cron free npx tranche setup
cost#what-it-costs: cost month price expensive run million payments
runbook#runbook: emergency stop everything halt now panic
runbook#late-jobs: doctor job late process-payments
security#a-signing-key-is-stolen: signing key stolen hacked thief hot wallet
security#keys-custody-theft-rotation: signing key wallet keys where stored custody
verification#verifying-a-sale: verify sale outside independently verify-sale check reproduce results from ledger
holders#ask: holders how many count list api all token
access#scopes: read only permission key may scope
operations#maintenance: announce window downtime planned
operations#who-did-what: audit log trail who changed
investing#where-a-payment-is: investments of a wallet list
runbook#database_down: db postgres
runbook#queue_down: qstash
runbook#stuck-payouts: nothing goes out
verification#1-inputs: terms hash computed canonical
README#what-differs-from-production: sandbox difference production tr_test tr_live
webhooks#with-a-library: svix standard library package compatible
webhooks#shell: bash openssl command line
access#sign-a-challenge: public key format secp256k1 ed25519 expired
access#a-key-of-your-wallet: prove ownership proof
access#limits: maximum number api keys wallet how many can have
security#what-is-kept-and-how: store stored secrets keys encrypted hashed
security#what-never-leaves: secrets in logs show
security#who-may-do-what: roles credentials permissions authentication
security#reporting: vulnerability security hole report
security#who-is-trusted-with-what: trust control of funds
runbook#figures_missing: database slow
runbook#ledger_down: xrpl node rippled down
operations#is-it-healthy: system status health degraded monitoring
operations#logs: where logs format
operations#rate-limits: redis away while counted process happens
operations#tests: run tests test suite
operations#encryption-keys: webhook_encryption_keys rotate
README#contributing: code organised structure source contribute
holders#figures: gini coefficient median
cost#cheaper-or-quicker: reduce cost save
verification#9-what-to-compare: verify-sale differs disagree result
verification#10-what-it-cannot-prove: verification limits not prove
operator-console#needs-a-hand: attention overview first page
deploying#deploying: production deploy need
webhooks#a-whole-receiver: example code server
operation#getOpenapi: openapi spec file document swagger
runbook#a-migration-does-not-get-its-lock: migration hangs lock
runbook#payout_ceiling: hourly ceiling limit reached
runbook#the-clock-of-a-machine-is-wrong: clock skew time
operator-console#signing-in: console login sign
`
    .trim()
    .split('\n')
    .map((line) => line.split(': ') as [id: string, words: string]),
);

/** Words that say nothing about what a question to the guides is about, beside those of the lexicon. */
const FILLERS = new Set(
  'wtf bug possible way official whole full exact exactly around currently give gave given say says said want wants trying try tries tried keeps keep come comes came look looks like see seen different difference between behind even though only own anyone anybody every each other another always never ever new old real really big small good bad best right wrong safe safely ready stuff problem issue question help support supported via over under into onto using used user users able call calling called correct properly simple simply quick quickly quite first last next until dosnt didnt doesn time times exist exists consider considered procedure automatically goes going nothing normal allowed cannot couldnt long soon getting become becomes default example'.split(
    ' ',
  ),
);

/** A rough English stem, the same for all forms of most words. */
function stemOf(word: string): string {
  if (word.length <= 3 || /[\d_/]/.test(word)) return word;
  const singular = word
    .replace(/(?<=[^s])ie[sd]$/, 'y')
    .replace(/(?<=ss|sh|ch|x|z)es$/, '')
    .replace(/(?<=[^su])s$/, '');
  const bare = singular.length > 5 ? singular.replace(/(?:ation|ing|ed|ly|able|ible)$/, '') : singular;
  return bare.replace(/(?<=[b-df-hj-np-tv-z])e$/, '').replace(/([b-df-hj-kmnp-rtv-z])\1$/, '$1');
}

const stems = new Map<string, string>();
/** The stem of a word; those of the guides are kept, so that no word is taken apart twice. */
export function stem(word: string): string {
  const kept = stems.get(word);
  if (kept !== undefined) return kept;
  const found = stemOf(word);
  if (stems.size < 20_000) stems.set(word, found);
  return found;
}

const WORD = /[\p{L}\p{N}](?:[\p{L}\p{N}_]*[\p{L}\p{N}])?/gu;
const tokenize = (text: string): string[] => folded(text).match(WORD) ?? [];

const termOf = (word: string): string[] => (STOP_WORDS.has(word) ? [] : [stem(word)]);
/** The stems of a text's words that say something; of names with an underscore also those of the words that they are made of. */
export const termsOf = (text: string): string[] =>
  tokenize(text).flatMap((word) => (word.includes('_') ? [word, ...word.split('_').flatMap(termOf)] : termOf(word)));

/** One thing that a question says. */
export interface Said {
  /** As it was said. */
  own: string[];
  /** What the guides call it, each of which will do. */
  also: string[][];
}

const PHRASES = SAID.trim()
  .split('\n')
  .map((line) => {
    const [meant = '', said = ''] = line.split(/:(.*)/);
    return { also: [...new Set(termsOf(meant))], pattern: formPattern(said.split(',')) };
  });

const JAPANESE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+/gu;

/** What a question says, one by one: words and phrases for which the guides have others, and its other words. */
export function saidIn(question: string, ignored: ReadonlySet<string>): Said[] {
  const words = wordsOf(question);
  const phrases = PHRASES.flatMap(({ also, pattern }) => {
    const found = words.match(pattern);
    if (found === null) return [];
    const own = [...new Set(found.flatMap(termsOf))];
    return [{ own: own.length === 0 ? also : own, also: [also] }];
  });
  const said: Said[] = [];
  // What is part of a longer phrase is said by it.
  for (const phrase of phrases.toSorted((a, b) => b.own.length - a.own.length)) {
    const whole = said.find(({ own }) => phrase.own.every((term) => own.includes(term)));
    if (whole === undefined) said.push(phrase);
    else whole.also.push(...phrase.also);
  }
  // Japanese parts no words: of it only phrases are known.
  for (const word of new Set(tokenize(question.replace(JAPANESE, ' ')))) {
    if (FILLERS.has(word) || ignored.has(word)) continue;
    for (const term of termOf(word))
      if (!said.some(({ own }) => own.includes(term))) said.push({ own: [term], also: [] });
  }
  return said;
}
