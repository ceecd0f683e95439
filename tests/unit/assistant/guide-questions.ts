/**
 * Questions of developers and operators to the guides, typed as they come: short, misspelt, angry, as pasted errors, in six languages.
 * Behind each the passages one of which answers it, or the topic of live data that does; `?` where none does. Only those
 * that passages alone answer are counted.
 */
export const GUIDE_QUESTIONS = `
how do i know if a webhook really came from you || webhooks#verify
whats the algorithm behind X-Platform-Signature || webhooks#verify
sig verification keeps failing in express, using body-parser || webhooks#troubleshooting,webhooks#verify
do i have to use the raw body for the hmac || webhooks#troubleshooting,webhooks#verify
python flask example for checking signatures || webhooks#python
got investment.confirmed 2x for the same payment || webhooks#receive
are deliveries exactly once or at least once || webhooks#receive
how do I deduplicate || webhooks#receive
is evt id stable across retries || webhooks#receive,webhooks#retries
full list of events please || webhooks#events
what event types can i subscribe to || webhooks#events,webhooks#register
payload of project.tier_completed || webhooks#events
how long until you give up retrying || webhooks#retries
backoff schedule for failed deliveries? || webhooks#retries
do you honor Retry-After from my server || webhooks#retries
my server returns 302, why is it counted as failed || webhooks#receive,webhooks#retries,webhooks#troubleshooting
how fast must my endpoint answer || webhooks#receive
response_code null in delivery log || webhooks#the-log
error_kind tls || webhooks#troubleshooting
error_kind: policy what is that || webhooks#troubleshooting
delivery status cancelled, cancelled_reason webhook_disabled || webhooks#the-log
webhook switched itself off || webhooks#automatic-deactivation
how do i turn my webhook back on after it was disabled || webhooks#automatic-deactivation
resend one delivery || webhooks#send-again
we had an outage from 2am to 4am, need all the events again || webhooks#send-again
my webhook secret ended up in a public repo, wtf do i do || webhooks#rotate-the-secret,webhooks#a-leaked-or-lost-secret
rotate webhook secret with zero downtime || webhooks#rotate-the-secret,webhooks#a-leaked-or-lost-secret
how many webhooks can one key have || webhooks#limits
can webhooks go to port 8080 || webhooks#register,webhooks#limits,security#webhook-targets
http://localhost:3000/hook gives invalid_request "must be an https address" || webhooks#test-on-localhost,webhooks#test-events,webhooks#register,problem#invalid_request
send a fake investment event to my endpoint || webhooks#test-events,operation#sendTestEvent
receive webhooks only for proj X || webhooks#register
nothing arrives at my endpoint and the log is empty || webhooks#troubleshooting
does the payload contain the event time or delivery time || webhooks#receive
prevent replay attacks on webhooks || webhooks#verify
webhook go live checklist || webhooks#before-production
{"code":"idempotency_key_in_use","status":409} || problem#idempotency_key_in_use
{"type":"urn:tranche:problem:not_eligible","status":403} || problem#not_eligible
422 on retry of my POST || problem#idempotency_key_reused
GET /api/projects returns 429 || problem#rate_limited
403 when calling POST /webhooks with my key || problem#forbidden
401 unauthorized even though i send the key || problem#unauthorized
413 error when uploading || problem#payload_too_large
409 limit_reached creating a webhook || problem#limit_reached
500 internal_error what should i do || problem#internal_error
503 ledger_unavailable || problem#ledger_unavailable
what do error responses look like || api#errors
which errors are safe to retry || api#errors
what does request_id do || api#errors
how many requests per minute am i allowed || api#limits
ratelimit for chat endpoint || api#limits
how do i read the RateLimit header || api#limits
next_cursor null means what || api#pages
how many items per page max || api#pages
get all investments page by page || api#pages,operation#listInvestments
safe way to retry a post without doing it twice || api#sending-a-request-again
how long are idempotency keys remembered || api#sending-a-request-again
can I fetch from a react app directly, getting a cors error || api#from-other-sites
where do i find the openapi.json || operation#getOpenapi,api#the-api
is there an official sdk for node || api#clients-and-sdks,api#the-api,operation#getOpenapi
typescript types for your api || api#clients-and-sdks,operation#getOpenapi,api#the-api
are amounts in drops or xrp || api#amounts-and-times
is total_raised_xrp a string or number || api#amounts-and-times
what timezone are timestamps in || api#amounts-and-times
how do i cache responses, etag? || api#caching
can i download all payments as csv || operation#exportPayments,operation#exportAllocations,api#exports
export allocations jsonl || api#exports,operation#getAllocations,operation#listAllocations
list my api keys || key
how do i revoke an api key || key
make a key that can only read webhooks || key,access#scopes,access#a-key-in-a-minute
api key expired what now || key
invalid_proof proof.signature || access#sign-a-challenge,problem#invalid_proof
how do i sign the challenge with xrpl-py || access#sign-a-challenge
difference between a key with and without proof || access#a-key-of-your-wallet,access#a-key-in-a-minute,key
difference tr_live and tr_test || security#who-may-do-what,README#what-differs-from-production,access#a-key-in-a-minute
is there a sandbox i can play with || README#try-it
how do i run the whole thing on my laptop || README#try-it
test xrp for the sandbox / faucet || README#pay-into-the-demo-sale,README#try-it
can i use the xrpl testnet || README#try-it,deploying#settings
verify a sale from outside || verify,verification#verifying-a-sale
npx tranche verify what does it check || verification#verifying-a-sale,verification#9-what-to-compare
terms hash how computed || verification#1-inputs
graphql? || ?,api#clients-and-sdks
do you support oauth || ?,api#clients-and-sdks
grpc endpoint || ?,api#clients-and-sdks
how do I get a wallets investments over rest || investing#where-a-payment-is,operation#listInvestments
get a quote via api || operation#quoteInvestment
how do i know how many holders a token has via the api || holders#ask,operation#listHolders,operation#getHolders
webhok retrys dont come || webhooks#retries,webhooks#troubleshooting
¿cómo roto el secreto del webhook? || webhooks#rotate-the-secret,webhooks#a-leaked-or-lost-secret
¿qué pasa si mi servidor no responde a tiempo? || webhooks#retries,webhooks#receive
Wie oft wird ein Webhook wiederholt? || webhooks#retries
Wie teste ich Webhooks lokal? || webhooks#test-events,webhooks#test-on-localhost
comment vérifier la signature d'un webhook || webhooks#verify
quelles sont les limites de requêtes de l'api || api#limits
como faço paginação na api || api#pages
webhookの署名を検証する方法 || webhooks#verify
レート制限は? || api#limits
how do i deploy this to production || deploying#deploying,deploying#on-vercel,deploying#on-a-machine-of-your-own
vercel setup steps || deploying#on-vercel
self hosting on ubuntu with nginx || deploying#on-a-machine-of-your-own,deploying#the-proxy,deploying#the-app-as-a-service,deploying#upgrading-to-a-new-version
systemd unit for the app || deploying#on-a-machine-of-your-own,deploying#the-proxy,deploying#the-app-as-a-service,deploying#upgrading-to-a-new-version
what env vars do i need || deploying#settings,operations#settings
do i need redis || deploying#what-runs-where
which postgres version || deploying#deploying,deploying#what-runs-where
qstash free plan enough? || deploying#on-vercel,operations#where-crons-are-too-rare
where do the wallet keys go || deploying#accounts-on-the-ledger,deploying#secrets-and-how-each-is-replaced,security#keys-custody-theft-rotation
how to set up the deposit account || deploying#accounts-on-the-ledger
create and launch my first sale || deploying#the-first-sale
launch fails with launch_not_ready || problem#launch_not_ready
pause a running sale || operations#pausing-resuming-and-ending-a-sale
whats the difference between pausing a sale and halting an account || operations#pausing-resuming-and-ending-a-sale,operator-console#doing-something
stop everything now, emergency || runbook#runbook
cancel a sale and refund everyone || operations#cancelling-a-sale-soft-cap
raise the per wallet limit after launch || operations#changing-a-launched-sale
can i extend the end date of a live sale || operations#changing-a-launched-sale
payment on hold, how do i credit it || operations#payments-that-are-missing-or-held,runbook#held-payments
refund all held payments at once || operations#payments-that-are-missing-or-held,operation#refundPayments
payout stuck in waiting_holder || operations#payouts,operations#waiting-holders-and-account-health
retry a failed payout || operations#payouts
payout has been 'submitted' for an hour || operations#payouts,runbook#stuck-payouts
take a backup || operations#restoring-a-backup,operations#backup-and-restore
restored the db from yesterday, now what?? || operations#restoring-a-backup,operations#backup-and-restore,runbook#a-database-was-restored
system.alert unknown_withdrawal WTF || runbook#unknown_withdrawal
alert: payout_ceiling || runbook#payout_ceiling
doctor says "late" for process-payments || runbook#job_late,runbook#late-jobs
what does npx tranche doctor check || operations#is-everything-set-up
how do I upgrade to a new version || deploying#on-a-machine-of-your-own,deploying#the-proxy,deploying#the-app-as-a-service,deploying#upgrading-to-a-new-version,operations#database
db migrations order || operations#database
rollback a bad release || deploying#rolling-back-on-vercel
move raised xrp to treasury || operations#releasing-what-was-raised
add a read-only admin || operations#administrators
admin token lost || operations#administrators
replace the signing key of the distributor || operations#payouts,deploying#secrets-and-how-each-is-replaced,security#keys-custody-theft-rotation
signing key got stolen help || security#a-signing-key-is-stolen
prometheus metrics endpoint? || operations#is-it-healthy,operations#figures
upload whitelist csv || operations#allowlists
how much does it cost per month to run || cost#what-it-costs
qstash callbacks refused signature || runbook#callbacks-of-the-queue-are-refused
redis down what happens || runbook#cache_down
¿cómo restauro una copia de seguridad? || operations#restoring-a-backup,operations#backup-and-restore
Wie pausiere ich einen Verkauf als Betreiber? || operations#pausing-resuming-and-ending-a-sale
comment déployer sur vercel || deploying#on-vercel
バックアップの復元方法 || operations#restoring-a-backup,operations#backup-and-restore
what http status should my webhook handler return || webhooks#receive
do webhooks get delivered in sequence? || webhooks#receive
i see the same evt_ id in my db twice || webhooks#receive
what user agent do your webhooks have || webhooks#receive
webhook body format || webhooks#receive,webhooks#events
TypeError [ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH] when verifying webhook || webhooks#verify,webhooks#node,webhooks#troubleshooting
how to compute whsec signature in bash || webhooks#shell
standard webhooks compatible? || webhooks#verify,webhooks#with-a-library
can i use svix library to verify || webhooks#with-a-library,webhooks#verify
after how many tries is a delivery marked failed || webhooks#retries
will you retry if i return 500 || webhooks#retries
ECONNREFUSED in the attempt log || webhooks#troubleshooting
error_kind refused || webhooks#troubleshooting
ssl certificate problem when you call my endpoint || webhooks#troubleshooting
how can i see what you sent me || webhooks#the-log
list failed deliveries of a webhook || webhooks#the-log,operation#listDeliveries
replay only investment.confirmed from last week || webhooks#send-again
dry run of a replay || webhooks#send-again
my webhook is disabled_reason: failing || webhooks#automatic-deactivation
can i pause a webhook for some time || webhooks#register
change the url of my webhook || webhooks#register,operation#updateWebhook
delete webhook || webhooks#register,operation#deleteWebhook
old secret still valid after rotation? || webhooks#rotate-the-secret
can i commit rotation later than 24 hours || webhooks#rotate-the-secret
somebody posted our whsec_ in slack || webhooks#a-leaked-or-lost-secret,webhooks#rotate-the-secret
webhook to private ip 10.0.0.5 refused || webhooks#troubleshooting,security#webhook-targets,webhooks#register,webhooks#limits
does 8443 work as a port || webhooks#register,webhooks#limits,security#webhook-targets
test event not booked, what is "test": true || webhooks#test-events,webhooks#before-production
when is project.tier_completed fired || webhooks#events
system.webhook_disabled || webhooks#events,runbook#systemwebhook_disabled
api versioning of events || webhooks#events
for how long can i replay || webhooks#retention,webhooks#send-again
error 405 || problem#method_not_allowed
"code": "unsupported_media_type" || problem#unsupported_media_type
malformed_json why || problem#malformed_json
409 conflict on PATCH project || problem#conflict,operations#changing-a-launched-sale
getting HTTP 410 from resend || problem#gone,webhooks#send-again
invalid_request errors[0].field tiers[0].price_per_token || problem#invalid_request,api#errors
where do i find the request id || api#errors
X-Request-Id || api#errors
how do i know how many calls i have left || api#limits
is there a max body size || api#limits
do cursors expire || api#pages
how to fetch the next 50 || api#pages
post got timeout, can i just send it again? || api#sending-a-request-again
Idempotency-Key header format || api#sending-a-request-again
Idempotency-Replayed header || api#sending-a-request-again
access-control-allow-origin missing on POST || api#from-other-sites
can i put the api key in frontend code || api#from-other-sites
304 not modified || api#caching
postman collection? || api#clients-and-sdks,operation#getOpenapi
is there a rust crate || api#clients-and-sdks
1 xrp = how many drops in your api || api#amounts-and-times
date format of created_at || api#amounts-and-times
decimals of token amounts || api#amounts-and-times
download the payouts of a sale as json lines || api#exports,operation#exportPayouts
how to list all holders of a token || holders#ask,operation#listHolders
gini coefficient how computed || holders#figures
what makes a wallet eligible for a platform id || platform-id#status,platform_id,platform-id#platform-id,investing#platform-id
proof challenge expired || access#a-key-of-your-wallet,problem#invalid_proof,access#sign-a-challenge
public key format for proof secp256k1 || access#sign-a-challenge
max number of api keys per wallet || access#limits,key
does my api key expire || key,access#a-key-in-a-minute
webhooks:write scope missing || access#scopes,problem#forbidden,webhooks#register
what scopes exist || access#scopes,key
start the sandbox on another port || README#try-it
sandbox without crowd || README#try-it
connect sandbox to xrpl testnet || README#try-it
where are sandbox logs || README#try-it
what is mocked in the sandbox || README#what-differs-from-production
run the tests || operations#tests,README#try-it,README#commands
how is the code organised || README#contributing
what license || README#license
how do i contribute || ?,README#contributing
how to reproduce the sale results from ledger || verification#verifying-a-sale,verify
verify-sale says DIFFERS || verification#9-what-to-compare,verification#verifying-a-sale,runbook#verification_failed
what can verification not prove || verification#10-what-it-cannot-prove
¿Qué eventos existen? || webhooks#events
¿Cómo puedo probar un webhook en local? || webhooks#test-on-localhost
límite de peticiones por minuto de la API || api#limits
Mein Webhook wurde deaktiviert, warum? || webhooks#automatic-deactivation
Welche Events gibt es? || webhooks#events
Wie exportiere ich alle Zahlungen als CSV? || api#exports
mon webhook a reçu le même événement deux fois || webhooks#receive
comment restaurer une sauvegarde de la base || operations#restoring-a-backup,operations#backup-and-restore
como testar webhooks localmente || webhooks#test-on-localhost
meu segredo do webhook vazou || webhooks#a-leaked-or-lost-secret,webhooks#rotate-the-secret
APIのレート制限を教えて || api#limits
webhookの再送スケジュール || webhooks#retries
what do i need before going to production || deploying#deploying,deploying#settings,webhooks#before-production,deploying#what-runs-where
docker image? || ?
kubernetes helm chart || ?
can i run several instances || deploying#what-runs-where
neon or supabase for postgres || deploying#on-vercel,deploying#what-runs-where
which node version || deploying#what-runs-where,README#try-it
vercel hobby plan crons fail || operations#where-crons-are-too-rare,deploying#on-vercel
npx tranche setup what does it do || operations#where-crons-are-too-rare
CRON_SECRET wrong || deploying#secrets-and-how-each-is-replaced
rotate WEBHOOK_ENCRYPTION_KEYS || operations#encryption-keys
regular key vs master key || security#keys-custody-theft-rotation,deploying#accounts-on-the-ledger,operations#payouts
do deposit accounts need requiredest || deploying#accounts-on-the-ledger
sale.json example || deploying#the-first-sale
min investment default || deploying#the-first-sale
status says paused but i resumed it || ?,operations#pausing-resuming-and-ending-a-sale
resume a paused sale || operations#pausing-resuming-and-ending-a-sale
end sale early || operations#pausing-resuming-and-ending-a-sale
halt the deposit account || runbook#runbook,operations#pausing-resuming-and-ending-a-sale,operation#haltDepositAccount
change description of a running project || operations#changing-a-launched-sale
price typo in launched sale, fix? || operations#changing-a-launched-sale
can i raise the hard cap midway || operations#changing-a-launched-sale
soft cap missed what happens to investors money as an operator || operations#cancelling-a-sale-soft-cap
held payment late_discovery || runbook#late_discoveries,runbook#late_discovery,operations#payments-that-are-missing-or-held
investor paid without tag, how do i assign it to a sale || operations#payments-that-are-missing-or-held
payouts waiting with signing_key_missing || operations#payouts
retry all payouts of one project || operations#payouts,operation#retryPayouts
settle a payout by hand || operations#payouts
hold a payout || operations#payouts
hourly ceiling reached || runbook#payout_ceiling,operations#payouts
trust line missing for 20 wallets, tokens not sent || operations#waiting-holders-and-account-health
how much can i release right now || operations#releasing-what-was-raised,operation#getRelease
point in time restore neon || operations#restoring-a-backup,operations#backup-and-restore
pg_dump command || operations#backup-and-restore
i restored an old dump and it's running with keys!!! || operations#restoring-a-backup,security#what-is-not-defended
alert balance_difference || runbook#balance_difference
alert ledger_servers_disagree || runbook#ledger_servers_disagree
system status shows degraded || operations#is-it-healthy
qstash is down || runbook#queue_down
database is slow, figures missing || runbook#figures_missing
xrpl node down || runbook#ledger_down,runbook#ledger_server_down
webhooks of all customers are failing || runbook#failing-webhooks
deploy without downtime || operations#database,deploying#upgrading-to-a-new-version
migration hangs on lock || runbook#a-migration-does-not-get-its-lock
remove an admin who left || operations#administrators
operator console login does not work || operator-console#signing-in
difference read_only and operator role || operations#administrators,operator-console#signing-in,security#who-may-do-what
announce downtime to users || operations#maintenance
cost of a million payments || cost#what-it-costs
how to reduce cost || cost#cheaper-or-quicker
report a vulnerability || security#reporting
how do you store webhook secrets || security#what-is-kept-and-how
is the platform audited || ?,verify
who can move the funds || security#who-is-trusted-with-what,security#keys-custody-theft-rotation,treasury
clock skew || runbook#the-clock-of-a-machine-is-wrong
nginx config || deploying#the-proxy
TRUSTED_PROXIES || deploying#the-proxy,deploying#settings
logs show secrets? || operations#logs,security#what-never-leaves
Wie sichere ich die Datenbank? || operations#backup-and-restore
Wie füge ich einen Administrator hinzu? || operations#administrators
cómo despliego en vercel || deploying#on-vercel
¿cómo cancelo una venta como operador? || operations#cancelling-a-sale-soft-cap
why does my hmac not equal the header value || webhooks#troubleshooting,webhooks#verify
hook delivered but my api was redeploying, is the event gone || webhooks#retries,webhooks#send-again
is there a list of ips you send webhooks from || ?
webhook latency, how fast after the payment || webhooks#receive
what does attempt 7 failed mean || webhooks#retries
cancelled deliveries in the log, why || webhooks#the-log
my dev url http://127.0.0.1:9000 isnt accepted on production || webhooks#test-on-localhost,webhooks#register
two secrets valid at the same time? || webhooks#rotate-the-secret
how do i unsubscribe from an event || webhooks#register,operation#updateWebhook
which header holds the event id || webhooks#verify,webhooks#receive
errors array empty in 400 response || api#errors,problem#invalid_request
{"title":"The request is not valid","status":400,"code":"invalid_request"} || problem#invalid_request
got 403 with not_eligible from platform-id || problem#not_eligible
do I get charged api limits for OPTIONS/HEAD || api#limits
limit=500 gives 400 || api#pages,problem#invalid_request
how often may i poll investments || api#limits
duplicate post after network error || api#sending-a-request-again
is price_per_token a float || api#amounts-and-times
unix timestamps or iso? || api#amounts-and-times
golang client? || api#clients-and-sdks
csv of all investors with amounts || api#exports,operation#exportAllocations
create key without wallet signature || access#a-key-in-a-minute,key
key leaked what now, im panicking || key,access#revoke
regenerate api key || key,access#rotate
get project by slug || operation#getProject
badges of a profile, how earned || platform-id#badges
how often are holders refreshed || holders#snapshots,holders#operate,operations#what-runs-by-itself
can my frontend listen to new investments live || api#clients-and-sdks,api#from-other-sites
does api work on xrpl devnet || deploying#settings,README#try-it
mpt vs iou tokens in payloads || webhooks#events
firewall: what ports must be open for self hosting || deploying#on-a-machine-of-your-own,deploying#what-runs-where,deploying#the-proxy
how do i move to another server || operations#backup-and-restore,operations#restoring-a-backup,deploying#on-a-machine-of-your-own
BASE_URL change what else || operations#where-crons-are-too-rare,deploying#settings
payouts not going out since this morning!!! || runbook#stuck-payouts,operations#payouts
account underfunded alert || runbook#account_health
sale launched with wrong treasury, now what || operations#changing-a-launched-sale
investor asks where the money is, how do i look up his payment || operations#payments-that-are-missing-or-held
delete a draft project || ?,operation#patchProject
is cancel reversible || operations#cancelling-a-sale-soft-cap
unpause || operations#pausing-resuming-and-ending-a-sale
doctor red on qstash signing keys || operations#is-everything-set-up,runbook#callbacks-of-the-queue-are-refused,deploying#secrets-and-how-each-is-replaced
redis token rotate || deploying#secrets-and-how-each-is-replaced
how do I see who released money last week || operations#who-did-what
grant a colleague view only access || operations#administrators
vacuum / disk size of the database growing || cost#what-it-costs
uptime monitoring url || operations#is-it-healthy,operation#getSystemStatus
verification job failed alert || runbook#verification_failed
what to do before announcing the sale || deploying#the-first-sale
set a max per investor for the sale || ?,deploying#the-first-sale,operations#changing-a-launched-sale
¿Por qué mi webhook está desactivado? || webhooks#automatic-deactivation
¿Cómo genero una clave de API nueva? || key
Wie hoch sind die Rate Limits? || api#limits
Wie wechsle ich den Signaturschlüssel? || security#keys-custody-theft-rotation,deploying#secrets-and-how-each-is-replaced,operations#payouts,webhooks#rotate-the-secret
erreur 429 que faire || problem#rate_limited
comment mettre à jour vers une nouvelle version || deploying#upgrading-to-a-new-version
como faço rollback || deploying#rolling-back-on-vercel
webhookが二重に届く || webhooks#receive
セールを一時停止する方法 || operations#pausing-resuming-and-ending-a-sale
`;
