/** Words of developers and of operators, by which a question is known for one of theirs. A star stands for any ending. */
const WORDS_OF = {
  operator:
    'deploy*, vercel, postgres*, database, db, backup*, restore*, redis, qstash, cron*, env var*, environment variable*, migrat*, server*, runbook, administrator*, admin, operator*, console, signing key*, signer, hot key, payout job, treasury release, release the raised, halted account, distributor, monitor*, alert*, invariant*, held payment*, assign a payment, log line*, logs, sandbox, doctor, self host*, self-host*, host it, upgrade, reconcil*, ledger node, rippled, clio, hourly ceiling, launch a sale, create a sale, create a project, pause the sale, cancel the sale, upload*, announce*, run this, to run, hosting, self hosted, audit log, audit trail, incident, on call, disaster, failover, scale, cpu, prometheus, metrics, staging, production deploy, docker, kubernetes, npm, env, cli, as an operator, as operator, change the, edit the, modify the, someone paid, somebody paid, an investor paid, a customer paid, investor sent, after launch, procedure, hobby plan, raised xrp to, raised xrp to the treasury, admin token, terms of the sale, pause a, halt*, launch my, create and launch, refund everyone, refund all, end date of a live, extend the, set up the deposit, prepare the deposit, running sale, un-cancel*, uncancel*, payout stuck, payouts are stuck, retry a failed, betreiber, operador*, operateur, als betreiber, nginx, systemd, hobby, rollback, roll back a, go live, whitelist csv, resume a, resume the, end sale, end a sale, end the sale early, launched sale, running project, a million payments, reduce cost, reduce costs, all customers, assign it to, credit it to, node version, instances, vulnerability, downtime, announc*, launched with, unpause*, 一時停止する, 再開する, self hosting, another server, firewall, uptime, admins, payout ceiling, the feed, demo sale, operateurs, en tant qu operateur',
  developer:
    'webhook*, web hook*, hook, api, endpoint*, curl, json, http, sdk, status code, error code, http error, header*, request*, signature*, hmac, payload*, idempoten*, pagination, cursor, rate limit*, cors, openapi, swagger, bearer, integration, integrate, callback*, scope*, retry, retries, retried, replay*, redeliver*, node.js, nodejs, python, etag, api call*, rest api, client library, types, typescript client, csv, jsonl, export*, event_id, receiver, receivers, handler, deliveries, delivery log, x-platform-signature, secret*, events arrive, same event, event twice, timeout, timeouts, polling, poll, http client, user agent, rfc, problem json, error codes, test mode, test network, testnet, redirect*, port, ports, delay*, order guaranteed, delivery order, ordering, tls, spec, schema, fields, field, firma, signatur, assinatura, 署名, locally, localhost, event, events, deliver webhook*, graphql, grpc, websocket*, resend*, deduplicat*, exactly once, at least once, oauth, flask, django, express, php, golang, xrpl-py, xrpl.js, laptop, my server, our server, delivering, 2xx, 302, raw body, rest api, over rest, npm run, faucet, attempt, attempts, poll, unsubscribe*, unix time*, postman, certificate, how many calls, frontend, cursors, body size',
} as const;

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
  text: string;
  /** Any ending may follow. */
  isStem: boolean;
}

const formOf = (given: string): Form => {
  const form = given.trim();
  const isStem = form.endsWith('*');
  return { text: folded(isStem ? form.slice(0, -1) : form), isStem };
};

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
/** Finds any of some forms in what wordsOf makes of a text; a star stands for any ending. */
export const formPattern = (forms: readonly string[]): RegExp =>
  new RegExp(
    forms
      .map(formOf)
      .map(({ text, isStem }) =>
        isJapanese(text) ? escaped(text) : `(?<= )${escaped(text)}${isStem ? '[^ ]*' : ''}(?= )`,
      )
      .join('|'),
    'gu',
  );

/** Words that say nothing about what a text is about. */
export const STOP_WORDS = new Set(
  'a an and any are as at be been but by can could did do does doing for from get gets getting go got had has have having hello hey hi how i id im if in into is it its ive just know let like make many may me mean much must my need no not of on one or our out please should so some tell than thanks that the their them then there these they thing this to too up us use used using want was way we were what whats when where which who whose why will with without would you your yours happen happens work works working still really guys someone something show explain help able after before about ok okay dont doesnt didnt cant wont isnt am now also again right yes ill per else yet xrp xrps ripple drops day today tomorrow currently actually maybe hope wonder question already often lol haha hw mny plz pls u ur ya btw procedure please'.split(
    ' ',
  ),
);

const PATTERN_OF = {
  operator: formPattern(WORDS_OF.operator.split(',')),
  developer: formPattern(WORDS_OF.developer.split(',')),
};
/** Names that only programs and their authors write; investors meet these on the page of a payment. */
const NAME_IN_CODE = / (?!waiting_holder|not_admitted|pending_confirmation)[a-z]+(?:_[a-z]+)+ /;

/** Whose words a text is in; null where it may be anybody's. */
export function speakerOf(text: string): 'operator' | 'developer' | null {
  const words = wordsOf(text);
  if (words.search(PATTERN_OF.operator) !== -1) return 'operator';
  return words.search(PATTERN_OF.developer) !== -1 || NAME_IN_CODE.test(words) ? 'developer' : null;
}
