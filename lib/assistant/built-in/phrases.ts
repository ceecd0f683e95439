import type { SaleState } from '../tools/sale-facts.ts';
import type { Language } from './language.ts';
import { dateText, plain } from './markdown.ts';

/**
 * What is said about money, and what is refused, in every language of the answers: a phrase a block, a language a line.
 * What stands in braces is filled in.
 */
const TABLE = `
closed
en **Please do not pay now**: a payment to {name} would buy nothing, because {why}.
es **Por favor, no pagues ahora**: un pago a {name} no compraría nada, porque {why}.
de **Bitte zahle jetzt nicht**: Eine Zahlung an {name} würde nichts kaufen, denn {why}.
fr **Ne payez pas maintenant, s’il vous plaît** : un paiement à {name} n’achèterait rien, car {why}.
pt **Por favor, não pague agora**: um pagamento a {name} não compraria nada, porque {why}.
ja **今は支払わないでください**。{why}ため、{name} への支払いでは何も購入できません。

why_draft
en the sale has not been launched
es la venta no se ha lanzado
de der Verkauf wurde noch nicht gestartet
fr la vente n’est pas lancée
pt a venda ainda não foi lançada
ja セールがまだ公開されていない

why_before_start
en the sale has not started yet
es la venta aún no ha empezado
de der Verkauf hat noch nicht begonnen
fr la vente n’a pas encore commencé
pt a venda ainda não começou
ja セールがまだ始まっていない

why_between_tiers
en the next tier has not started yet
es el siguiente tramo aún no ha empezado
de die nächste Stufe hat noch nicht begonnen
fr le palier suivant n’a pas encore commencé
pt o próximo nível ainda não começou
ja 次のティアがまだ始まっていない

why_not_active
en it takes no payments at the moment
es no acepta pagos en este momento
de er nimmt zurzeit keine Zahlungen an
fr elle n’accepte pas de paiements en ce moment
pt ela não aceita pagamentos no momento
ja 現在支払いを受け付けていない

why_none_open
en no sale takes payments at the moment
es ninguna venta acepta pagos en este momento
de zurzeit nimmt kein Verkauf Zahlungen an
fr aucune vente n’accepte de paiements en ce moment
pt nenhuma venda aceita pagamentos no momento
ja 現在支払いを受け付けているセールがない

any_sale
en any sale here
es cualquier venta de aquí
de einen Verkauf hier
fr une vente d’ici
pt qualquer venda daqui
ja ここのセール

why_paused
en the sale is paused
es la venta está en pausa
de der Verkauf ist pausiert
fr la vente est en pause
pt a venda está em pausa
ja セールが一時停止中の

why_halted
en payments are not being decided at the moment: its deposit account is halted
es en este momento no se procesan los pagos: su cuenta de depósito está detenida
de Zahlungen werden zurzeit nicht verarbeitet: das Einzahlungskonto ist angehalten
fr les paiements ne sont pas traités en ce moment : son compte de dépôt est suspendu
pt os pagamentos não estão sendo processados no momento: a conta de depósito está suspensa
ja 入金口座が停止中で支払いが処理されていない

why_after_end
en the sale is over
es la venta ha terminado
de der Verkauf ist beendet
fr la vente est terminée
pt a venda terminou
ja セールが終了している

why_sold_out
en it is sold out
es está agotada
de alles ist ausverkauft
fr tout est vendu
pt está esgotada
ja 完売している

why_cancelled
en the sale was cancelled
es la venta fue cancelada
de der Verkauf wurde abgebrochen
fr la vente a été annulée
pt a venda foi cancelada
ja セールが中止された

why_soft_cap_missed
en the sale missed its soft cap
es la venta no alcanzó su mínimo de recaudación (soft cap)
de der Verkauf hat sein Mindestziel (Soft Cap) verfehlt
fr la vente n’a pas atteint son seuil minimal (soft cap)
pt a venda não atingiu a meta mínima (soft cap)
ja セールが最低調達額(ソフトキャップ)に届かなかった

why_not_admitted
en it is for wallets on its allowlist only; tell me your wallet address and I check whether it is on the list
es solo admite carteras de su lista; dime la dirección de tu cartera y compruebo si está en ella
de nur Wallets auf der Zulassungsliste dürfen kaufen; nenne mir deine Wallet-Adresse, dann prüfe ich das
fr elle est réservée aux portefeuilles de sa liste ; donnez-moi votre adresse et je vérifie si elle y figure
pt ela só aceita carteiras da lista; diga-me o endereço da sua carteira e eu verifico
ja 許可リストに載っているウォレットだけが購入できる(ウォレットのアドレスを教えていただければ確認します)

why_above_wallet_cap
en this wallet has reached its limit
es esta cartera ha alcanzado su límite
de diese Wallet hat ihr Limit erreicht
fr ce portefeuille a atteint sa limite
pt esta carteira atingiu o limite
ja このウォレットが上限に達している

opens_at
en Payments count from {at}.
es Los pagos cuentan desde el {at}.
de Zahlungen zählen ab {at}.
fr Les paiements comptent à partir du {at}.
pt Os pagamentos contam a partir de {at}.
ja 受付開始: {at}。

goes_back
en What arrives now goes back whole to the wallet that paid; only your own network fee is spent.
es Lo que llegue ahora vuelve entero a la cartera que pagó; solo se gasta tu comisión de red.
de Was jetzt eintrifft, geht ganz an die zahlende Wallet zurück; nur deine Netzwerkgebühr ist ausgegeben.
fr Ce qui arrive maintenant est renvoyé en entier au portefeuille qui a payé ; seuls vos frais de réseau sont dépensés.
pt O que chegar agora volta inteiro para a carteira que pagou; só a sua taxa de rede é gasta.
ja 今届いた送金は全額が送金元のウォレットに返金されます(送金時にご自身が支払ったネットワーク手数料は戻りません)。

pay_open
en {name} takes payments now. Send XRP **from your own wallet**, never from an exchange, to this address **with this destination tag**. Both are needed:
es {name} acepta pagos ahora. Envía XRP **desde tu propia cartera**, nunca desde un exchange, a esta dirección **con esta etiqueta de destino (tag)**. Se necesitan ambas:
de {name} nimmt jetzt Zahlungen an. Sende XRP **aus deiner eigenen Wallet**, nie von einer Börse, an diese Adresse **mit diesem Destination Tag**. Beides ist nötig:
fr {name} accepte les paiements maintenant. Envoyez des XRP **depuis votre propre portefeuille**, jamais depuis une plateforme d’échange, à cette adresse **avec ce tag de destination**. Les deux sont nécessaires :
pt {name} aceita pagamentos agora. Envie XRP **da sua própria carteira**, nunca de uma corretora, para este endereço **com esta tag de destino**. Os dois são necessários:
ja {name} は現在支払いを受け付けています。取引所からではなく、**ご自身のウォレットから**、この**宛先タグを付けて**このアドレスへ XRP を送ってください。両方が必要です。

label_address
en deposit address
es dirección de depósito
de Einzahlungsadresse
fr adresse de dépôt
pt endereço de depósito
ja 入金アドレス

label_tag
en destination tag
es etiqueta de destino (tag)
de Destination Tag
fr tag de destination
pt tag de destino
ja 宛先タグ

label_both
en both in one (X-address)
es ambas en una (X-address)
de beides in einem (X-Adresse)
fr les deux en une (X-address)
pt os dois em um (X-address)
ja 両方を含む X-address

label_minimum
en minimum payment
es pago mínimo
de Mindestzahlung
fr paiement minimal
pt pagamento mínimo
ja 最低支払額

label_maximum
en maximum for one wallet
es máximo por cartera
de Höchstbetrag je Wallet
fr maximum par portefeuille
pt máximo por carteira
ja 1ウォレットの上限

none
en none
es ninguno
de keiner
fr aucun
pt nenhum
ja なし

pay_ready
en Your wallet must accept the token ({setup}); tokens wait until it does. Nobody here ever needs your seed or secret key.
es Tu cartera debe aceptar el token ({setup}); los tokens esperan hasta entonces. Nadie aquí necesita tu semilla ni tu clave secreta.
de Deine Wallet muss den Token annehmen ({setup}); bis dahin warten die Token. Niemand hier braucht je deinen Seed oder geheimen Schlüssel.
fr Votre portefeuille doit accepter le token ({setup}) ; les tokens attendent jusque-là. Personne ici n’a besoin de votre phrase ou clé secrète.
pt Sua carteira precisa aceitar o token ({setup}); os tokens esperam até lá. Ninguém aqui precisa da sua seed ou chave secreta.
ja ウォレットがトークンを受け取れる状態({setup})である必要があります。それまでトークンは待機します。シードや秘密鍵が必要になることはありません。

vesting_none
en Vesting means that tokens are sent in parts on set dates. {name} has none: all of them come at once.
es Vesting significa que los tokens se envían por partes en fechas fijas. {name} no lo tiene: llegan todos a la vez.
de Vesting heißt, dass Token in Teilen zu festen Terminen gesendet werden. {name} hat keines: alle kommen auf einmal.
fr Le vesting signifie que les tokens sont envoyés par parts à des dates fixées. {name} n’en a pas : tous arrivent en une fois.
pt Vesting significa que os tokens são enviados em partes em datas definidas. {name} não tem: todos chegam de uma vez.
ja ベスティングとは、トークンを決められた日に分割して送ることです。{name} にはなく、一度に全部送られます。

look_up
en Give me the **transaction hash** (64 characters, from your wallet) or the **address that paid** (r…), and I look up what became of your payment.
es Dame el **hash de la transacción** (64 caracteres, de tu cartera) o la **dirección que pagó** (r…), y miro qué pasó con tu pago.
de Nenne mir den **Transaktions-Hash** (64 Zeichen, aus deiner Wallet) oder die **Adresse, die gezahlt hat** (r…), dann sehe ich nach, was aus deiner Zahlung wurde.
fr Donnez-moi le **hash de la transaction** (64 caractères, dans votre portefeuille) ou l’**adresse qui a payé** (r…), et je regarde ce qu’est devenu votre paiement.
pt Dê-me o **hash da transação** (64 caracteres, da sua carteira) ou o **endereço que pagou** (r…), e eu vejo o que aconteceu com o pagamento.
ja **トランザクションハッシュ**(64文字、ウォレットで確認できます)または**送金元のアドレス**(r…)を教えていただければ、支払いの状況を確認します。

delivery_immediate
en In {name} tokens are sent **as soon as your payment is confirmed**, usually within a minute. You need not claim them.
es En {name} los tokens se envían **en cuanto se confirma tu pago**, normalmente en un minuto. No hay que reclamarlos.
de Bei {name} werden die Token gesendet, **sobald deine Zahlung bestätigt ist**, meist binnen einer Minute. Du musst sie nicht anfordern.
fr Pour {name}, les tokens sont envoyés **dès que votre paiement est confirmé**, en général en une minute. Il n’y a rien à réclamer.
pt Em {name} os tokens são enviados **assim que o pagamento é confirmado**, normalmente em um minuto. Não é preciso resgatá-los.
ja {name} のトークンは、**支払いが確定するとすぐに**(通常1分以内)送られます。請求の手続きは不要です。

delivery_end
en In {name} tokens are sent **after the sale has ended**{ends}, by themselves. You need not claim them.
es En {name} los tokens se envían solos **cuando termina la venta**{ends}. No hay que reclamarlos.
de Bei {name} werden die Token von selbst gesendet, **nachdem der Verkauf beendet ist**{ends}. Du musst sie nicht anfordern.
fr Pour {name}, les tokens sont envoyés d’eux-mêmes **après la fin de la vente**{ends}. Il n’y a rien à réclamer.
pt Em {name} os tokens são enviados sozinhos **depois que a venda termina**{ends}. Não é preciso resgatá-los.
ja {name} のトークンは、**セール終了後**{ends}に自動的に送られます。請求の手続きは不要です。

delivery_vesting
en {now} of them are due then; the rest vests in {parts} equal parts: the first after {first} days, then one every {every} days.
es Entonces se entrega {now}; el resto en {parts} partes iguales: la primera a los {first} días, luego una cada {every} días.
de {now} davon sind dann fällig; der Rest kommt in {parts} gleichen Teilen: der erste nach {first} Tagen, dann alle {every} Tage einer.
fr {now} sont dus à ce moment ; le reste en {parts} parts égales : la première après {first} jours, puis une tous les {every} jours.
pt {now} é entregue então; o resto em {parts} partes iguais: a primeira após {first} dias, depois uma a cada {every} dias.
ja その時点で {now}、残りは {parts} 回に均等に分けて配布されます(初回は {first} 日後、以後 {every} 日ごと)。

delivery_cancelled
en This sale was cancelled: tokens that were not distributed are not sent any more, and the XRP that paid for them is refunded to the accounts that paid.
es Esta venta fue cancelada: los tokens no distribuidos ya no se envían, y los XRP que los pagaron se devuelven a las cuentas que pagaron.
de Dieser Verkauf wurde abgebrochen: nicht verteilte Token werden nicht mehr gesendet, und die dafür gezahlten XRP gehen an die zahlenden Konten zurück.
fr Cette vente a été annulée : les tokens non distribués ne seront plus envoyés, et les XRP correspondants sont remboursés aux comptes qui ont payé.
pt Esta venda foi cancelada: tokens não distribuídos não serão mais enviados, e os XRP pagos por eles voltam às contas que pagaram.
ja このセールは中止されました。未配布のトークンは送られず、その代金の XRP は送金元の口座へ返金されます。

delivery_wallet
en Your wallet must accept the token ({setup}). Until it does, your tokens wait, and are sent by themselves once it does.
es Tu cartera debe aceptar el token ({setup}). Hasta entonces tus tokens esperan, y luego se envían solos.
de Deine Wallet muss den Token annehmen ({setup}). Bis dahin warten deine Token und werden danach von selbst gesendet.
fr Votre portefeuille doit accepter le token ({setup}). Jusque-là vos tokens attendent, puis sont envoyés d’eux-mêmes.
pt Sua carteira precisa aceitar o token ({setup}). Até lá seus tokens esperam e depois são enviados sozinhos.
ja ウォレットがトークンを受け取れる状態({setup})である必要があります。それまでトークンは待機し、準備ができると自動的に送られます。

setup_iou
en a trust line
es una trust line (línea de confianza)
de eine Trust Line
fr une trust line (ligne de confiance)
pt uma trust line (linha de confiança)
ja トラストライン

setup_mpt
en an MPT authorisation
es una autorización MPT
de eine MPT-Autorisierung
fr une autorisation MPT
pt uma autorização MPT
ja MPT の承認

dates
en {name}: {state}. Start: {start}. End: {end}.
es {name}: {state}. Inicio: {start}. Fin: {end}.
de {name}: {state}. Beginn: {start}. Ende: {end}.
fr {name} : {state}. Début : {start}. Fin : {end}.
pt {name}: {state}. Início: {start}. Fim: {end}.
ja {name}: {state}。開始: {start}。終了: {end}。

tier_starts
en Tier {tier} starts at {at}.
es El tramo {tier} empieza el {at}.
de Stufe {tier} beginnt am {at}.
fr Le palier {tier} commence le {at}.
pt O nível {tier} começa em {at}.
ja ティア {tier} の開始: {at}

no_end
en no date is set; it ends when everything is sold, or its operator ends it
es sin fecha; termina cuando todo esté vendido o el operador la termine
de kein Datum; er endet, wenn alles verkauft ist oder der Betreiber ihn beendet
fr pas de date ; elle finit quand tout est vendu ou que l’opérateur y met fin
pt sem data; termina quando tudo for vendido ou o operador a encerrar
ja 日付は未定(完売時、または運営者が終了したとき)

no_start
en with its launch
es con su lanzamiento
de mit dem Start durch den Betreiber
fr à son lancement
pt com o lançamento
ja 公開と同時

state_live
en is live and takes payments
es está abierta y acepta pagos
de ist offen und nimmt Zahlungen an
fr est ouverte et accepte les paiements
pt está aberta e aceita pagamentos
ja 開催中

price_now
en {name} is in **tier {tier}** of {tiers}: a token costs **{price} XRP**, and **{left} {token}** are left in it.
es {name} está en el **tramo {tier}** de {tiers}: un token cuesta **{price} XRP** y quedan **{left} {token}**.
de {name} ist in **Stufe {tier}** von {tiers}: ein Token kostet **{price} XRP**, und **{left} {token}** sind darin noch übrig.
fr {name} en est au **palier {tier}** sur {tiers} : un token coûte **{price} XRP**, et il reste **{left} {token}**.
pt {name} está no **nível {tier}** de {tiers}: um token custa **{price} XRP**, e restam **{left} {token}**.
ja {name} は {tiers} 段階中の**ティア {tier}** です。1トークンは **{price} XRP**、残りは **{left} {token}** です。

price_next
en {name} sells nothing at the moment. When it sells, tier {tier} costs **{price} XRP** a token.
es {name} no vende nada en este momento. Cuando venda, el tramo {tier} cuesta **{price} XRP** por token.
de {name} verkauft zurzeit nichts. Wenn verkauft wird, kostet ein Token in Stufe {tier} **{price} XRP**.
fr {name} ne vend rien en ce moment. Quand elle vendra, un token du palier {tier} coûtera **{price} XRP**.
pt {name} não vende nada no momento. Quando vender, um token do nível {tier} custa **{price} XRP**.
ja {name} は現在販売していません。販売時のティア {tier} の価格は1トークン **{price} XRP** です。

quote_ask
en Tell me an amount, such as \`500 XRP\`, and I ask for the exact quote.
es Dime una cantidad, como \`500 XRP\`, y pido la cotización exacta.
de Nenne mir einen Betrag, etwa \`500 XRP\`, dann frage ich den genauen Kurs ab.
fr Donnez-moi un montant, par exemple \`500 XRP\`, et je demande le devis exact.
pt Diga-me um valor, como \`500 XRP\`, e eu peço a cotação exata.
ja \`500 XRP\` のように金額を教えていただければ、正確な見積もりをお調べします。

quote_buys
en In {name}, **{amount} XRP would buy {tokens} {token}** if it arrived now.
es En {name}, **{amount} XRP comprarían {tokens} {token}** si llegaran ahora.
de Bei {name} würden **{amount} XRP jetzt {tokens} {token} kaufen**.
fr Pour {name}, **{amount} XRP achèteraient {tokens} {token}** s’ils arrivaient maintenant.
pt Em {name}, **{amount} XRP comprariam {tokens} {token}** se chegassem agora.
ja {name} では、今届けば **{amount} XRP で {tokens} {token}** になります。

quote_nothing
en In {name}, **{amount} XRP would buy nothing now**: {why}. {back} XRP would be refunded to the wallet that paid.
es En {name}, **{amount} XRP no comprarían nada ahora**: {why}. {back} XRP volverían a la cartera que pagó.
de Bei {name} würden **{amount} XRP jetzt nichts kaufen**: {why}. {back} XRP gingen an die zahlende Wallet zurück.
fr Pour {name}, **{amount} XRP n’achèteraient rien maintenant** : {why}. {back} XRP seraient renvoyés au portefeuille qui a payé.
pt Em {name}, **{amount} XRP não comprariam nada agora**: {why}. {back} XRP voltariam para a carteira que pagou.
ja {name} では、今 **{amount} XRP を送っても何も購入できません**({why}ため)。{back} XRP が送金元に返金されます。

quote_back
en {invested} XRP of it would be invested and **{back} XRP refunded**.
es Se invertirían {invested} XRP y **se devolverían {back} XRP**.
de Davon würden {invested} XRP investiert und **{back} XRP zurückerstattet**.
fr {invested} XRP seraient investis et **{back} XRP remboursés**.
pt {invested} XRP seriam investidos e **{back} XRP reembolsados**.
ja このうち {invested} XRP が投資され、**{back} XRP が返金されます**。

quote_note
en It is a quote, not a reservation: payments that arrive before yours count first.
es Es una cotización, no una reserva: los pagos que lleguen antes cuentan primero.
de Das ist ein Angebot, keine Reservierung: Zahlungen, die vorher eintreffen, zählen zuerst.
fr C’est un devis, pas une réservation : les paiements arrivés avant comptent d’abord.
pt É uma cotação, não uma reserva: pagamentos que chegarem antes contam primeiro.
ja これは見積もりであり予約ではありません。先に届いた支払いが優先されます。

quote_admission
en That is for a wallet on the allowlist. Give me your wallet address and I check yours.
es Vale para una cartera de la lista. Dime la dirección de la tuya y la compruebo.
de Das gilt für eine Wallet auf der Zulassungsliste. Nenne mir deine Wallet-Adresse, dann prüfe ich deine.
fr Cela vaut pour un portefeuille de la liste. Donnez-moi votre adresse et je vérifie le vôtre.
pt Vale para uma carteira da lista. Diga-me o endereço da sua e eu verifico.
ja これは許可リストに載っているウォレットの場合です。アドレスを教えていただければ確認します。

which_sale
en Which sale do you mean? There are several:
es ¿A qué venta te refieres? Hay varias:
de Welchen Verkauf meinst du? Es gibt mehrere:
fr De quelle vente parlez-vous ? Il y en a plusieurs :
pt A qual venda você se refere? Há várias:
ja どのセールのことですか。複数あります。

no_sale
en There is no sale on this platform at the moment, so I have no figures to give.
es En este momento no hay ninguna venta en esta plataforma.
de Zurzeit gibt es auf dieser Plattform keinen Verkauf.
fr Il n’y a pas de vente sur cette plateforme en ce moment.
pt No momento não há nenhuma venda nesta plataforma.
ja 現在、このプラットフォームにセールはありません。

from_guide
en From the guides, **{title}**:
es De las guías (en inglés), **{title}**:
de Aus den Anleitungen (auf Englisch), **{title}**:
fr Dans les guides (en anglais), **{title}** :
pt Dos guias (em inglês), **{title}**:
ja ガイド(英語)の **{title}** より:

no_resume
en Why it is paused, and when it goes on, I cannot see: no date is set. What was confirmed before stays as it is, and its tokens are sent as the terms say.
es No puedo ver por qué está en pausa ni cuándo sigue: no hay fecha. Lo confirmado antes queda como está, y sus tokens se envían según los términos.
de Warum er pausiert ist und wann es weitergeht, sehe ich nicht: es ist kein Datum gesetzt. Was vorher bestätigt wurde, bleibt bestehen, und die Token dafür kommen wie in den Bedingungen festgelegt.
fr Je ne vois ni pourquoi elle est en pause ni quand elle reprendra : aucune date n’est fixée. Ce qui a été confirmé avant reste acquis, et les tokens sont envoyés selon les conditions.
pt Não vejo por que está em pausa nem quando continua: não há data. O que foi confirmado antes permanece, e os tokens são enviados conforme os termos.
ja 一時停止の理由や再開日時はわかりません(日程は未定です)。停止前に確定した分はそのまま有効で、トークンは条件どおりに送られます。

no_further
en I know of no further round of this sale.
es No sé de ninguna otra ronda de esta venta.
de Von einer weiteren Runde dieses Verkaufs weiß ich nichts.
fr Je n’ai connaissance d’aucune autre phase de cette vente.
pt Não sei de nenhuma outra rodada desta venda.
ja このセールの次回の予定は把握していません。

cancelled_why
en Why it was cancelled is not published here; ask the project.
es Aquí no se publica por qué se canceló; pregunta al proyecto.
de Warum er abgebrochen wurde, steht hier nicht; frage das Projekt.
fr La raison de l’annulation n’est pas publiée ici ; demandez au projet.
pt O motivo do cancelamento não é publicado aqui; pergunte ao projeto.
ja 中止の理由はここでは公開されていません。プロジェクトにお問い合わせください。

price_after
en After it tier {tier} costs **{price} XRP** a token. It begins once the tier before it is sold out; no date is set for that.
es Después, el tramo {tier} cuesta **{price} XRP** por token. Empieza cuando se agota el anterior; no hay fecha para ello.
de Danach kostet ein Token in Stufe {tier} **{price} XRP**. Sie beginnt, wenn die vorige ausverkauft ist; ein Datum dafür gibt es nicht.
fr Ensuite, un token du palier {tier} coûte **{price} XRP**. Il commence quand le précédent est épuisé ; aucune date n’est fixée.
pt Depois, um token do nível {tier} custa **{price} XRP**. Ele começa quando o anterior se esgota; não há data para isso.
ja 次のティア {tier} は1トークン **{price} XRP** です。前のティアが完売すると始まります(日付は決まっていません)。

price_after_at
en After it tier {tier} costs **{price} XRP** a token. It begins once the tier before it is sold out, and not before {at}.
es Después, el tramo {tier} cuesta **{price} XRP** por token. Empieza cuando se agota el anterior, y no antes del {at}.
de Danach kostet ein Token in Stufe {tier} **{price} XRP**. Sie beginnt, wenn die vorige ausverkauft ist, und nicht vor dem {at}.
fr Ensuite, un token du palier {tier} coûte **{price} XRP**. Il commence quand le précédent est épuisé, et pas avant le {at}.
pt Depois, um token do nível {tier} custa **{price} XRP**. Ele começa quando o anterior se esgota, e não antes de {at}.
ja 次のティア {tier} は1トークン **{price} XRP** です。前のティアの完売後、{at} 以降に始まります。

only_xrp
en {name} takes **XRP only**, sent on the XRP Ledger: no cards, bank transfers, stablecoins or other coins. Anything else buys nothing, and may not come back by itself. I know no exchange rates.
es {name} acepta **solo XRP**, enviados en el XRP Ledger: ni tarjetas, ni transferencias bancarias, ni stablecoins, ni otras monedas. Lo demás no compra nada y quizá no vuelva solo. No conozco tipos de cambio.
de {name} nimmt **nur XRP** an, gesendet auf dem XRP Ledger: keine Karten, Überweisungen von der Bank, Stablecoins oder anderen Coins. Alles andere kauft nichts und kommt vielleicht nicht von selbst zurück. Wechselkurse kenne ich nicht.
fr {name} n’accepte **que des XRP**, envoyés sur le XRP Ledger : ni cartes, ni virements, ni stablecoins, ni autres monnaies. Le reste n’achète rien et ne revient peut-être pas de lui-même. Je ne connais aucun taux de change.
pt {name} aceita **apenas XRP**, enviado no XRP Ledger: nem cartões, nem Pix ou transferências, nem stablecoins, nem outras moedas. O resto não compra nada e talvez não volte sozinho. Não conheço cotações de câmbio.
ja {name} が受け付けるのは XRP Ledger 上の **XRP のみ**です。カード、銀行振込、ステーブルコイン、他の通貨は使えません。それ以外では何も購入されず、自動で戻らないことがあります。為替レートはわかりません。

minimum_is
en The smallest payment to {name} is **{least} XRP**. Less buys nothing and goes back; less than {refund} XRP is too little to be sent back.
es El pago mínimo a {name} es **{least} XRP**. Menos no compra nada y vuelve; menos de {refund} XRP es demasiado poco para devolverlo.
de Die kleinste Zahlung an {name} ist **{least} XRP**. Weniger kauft nichts und geht zurück; weniger als {refund} XRP ist dafür zu wenig.
fr Le plus petit paiement à {name} est de **{least} XRP**. Moins n’achète rien et est renvoyé ; moins de {refund} XRP est trop peu pour être renvoyé.
pt O menor pagamento a {name} é de **{least} XRP**. Menos não compra nada e volta; menos de {refund} XRP é pouco demais para voltar.
ja {name} の最低支払額は **{least} XRP** です。それ未満では購入されず返金されます({refund} XRP 未満は少額のため返金されません)。

minimum_none
en {name} sets **no minimum**: a payment counts that buys at least the smallest unit of the token. Less than {refund} XRP is too little to be sent back.
es {name} **no tiene mínimo**: cuenta un pago que compre al menos la unidad más pequeña del token. Menos de {refund} XRP es demasiado poco para devolverlo.
de {name} hat **kein Minimum**: Es zählt, was mindestens die kleinste Einheit des Tokens kauft. Weniger als {refund} XRP ist für eine Rücksendung zu wenig.
fr {name} n’a **pas de minimum** : un paiement compte s’il achète au moins la plus petite unité du token. Moins de {refund} XRP est trop peu pour être renvoyé.
pt {name} **não tem mínimo**: conta o pagamento que compre ao menos a menor unidade do token. Menos de {refund} XRP é pouco demais para voltar.
ja {name} に**最低額はありません**。トークンの最小単位以上を購入できる支払いが有効です({refund} XRP 未満は少額のため返金されません)。

maximum_is
en One wallet may invest **{most} XRP** in {name}, over all its payments. What goes beyond it comes back.
es Una cartera puede invertir **{most} XRP** en {name}, sumando todos sus pagos. Lo que exceda vuelve.
de Eine Wallet darf **{most} XRP** in {name} investieren, über alle Zahlungen. Was darüber liegt, kommt zurück.
fr Un portefeuille peut investir **{most} XRP** dans {name}, tous paiements compris. Ce qui dépasse est renvoyé.
pt Uma carteira pode investir **{most} XRP** em {name}, somando todos os pagamentos. O que passar disso volta.
ja {name} では1ウォレットの合計 **{most} XRP** まで投資できます。超えた分は返金されます。

maximum_none
en {name} sets **no maximum** for a wallet. {left} {token} are left over all tiers; what is paid beyond that comes back.
es {name} **no tiene máximo** por cartera. Quedan {left} {token} en todos los tramos; lo que se pague de más vuelve.
de {name} hat **kein Maximum** je Wallet. Über alle Stufen sind {left} {token} übrig; was darüber hinaus gezahlt wird, kommt zurück.
fr {name} n’a **pas de maximum** par portefeuille. Il reste {left} {token} sur tous les paliers ; ce qui est payé au-delà est renvoyé.
pt {name} **não tem máximo** por carteira. Restam {left} {token} em todos os níveis; o que for pago além disso volta.
ja {name} に1ウォレットの**上限はありません**。全ティアの残りは {left} {token} で、それを超えた分は返金されます。

list_only
en {name} is **for wallets on its allowlist only**{tiers}. XRP of other wallets goes back. Only the project can put a wallet on its list; I know no way to apply. With your wallet address I can check whether it is on it.
es {name} es **solo para carteras de su lista**{tiers}. Los XRP de otras vuelven. Solo el proyecto puede añadir una cartera a su lista; no conozco un modo de solicitarlo. Con la dirección de tu cartera puedo comprobarlo.
de {name} ist **nur für Wallets auf seiner Zulassungsliste**{tiers}. XRP anderer Wallets gehen zurück. Nur das Projekt kann eine Wallet auf die Liste setzen; wie man sich bewirbt, weiß ich nicht. Mit deiner Wallet-Adresse kann ich nachsehen.
fr {name} est **réservée aux portefeuilles de sa liste**{tiers}. Les XRP des autres sont renvoyés. Seul le projet peut y inscrire un portefeuille ; je ne connais pas de procédure. Avec votre adresse, je peux vérifier.
pt {name} é **só para carteiras da sua lista**{tiers}. XRP de outras voltam. Só o projeto pode pôr uma carteira na lista; não sei como se inscrever. Com o endereço da sua carteira posso verificar.
ja {name} は**許可リストのウォレット限定**です{tiers}。それ以外からの XRP は返金されます。リストに載せられるのはプロジェクトだけで、申請方法はわかりません。アドレスを教えていただければ確認します。

list_open
en {name} is **open to every wallet**: it has no allowlist, and its rules ask for no registration. Whether the law where you live lets you take part I cannot tell.
es {name} está **abierta a todas las carteras**: no tiene lista y sus reglas no piden registro. No puedo decir si la ley de donde vives te permite participar.
de {name} ist **offen für jede Wallet**: Es gibt keine Zulassungsliste, und die Regeln verlangen keine Anmeldung. Ob das Recht an deinem Wohnort die Teilnahme erlaubt, kann ich nicht sagen.
fr {name} est **ouverte à tous les portefeuilles** : pas de liste, et ses règles ne demandent aucune inscription. Je ne peux pas dire si la loi de votre pays vous permet de participer.
pt {name} está **aberta a todas as carteiras**: não tem lista, e as regras não pedem cadastro. Não posso dizer se a lei de onde você mora permite participar.
ja {name} は**すべてのウォレットが参加できます**。許可リストはなく、登録も求められません。お住まいの地域の法律で参加が認められるかどうかはわかりません。

raised_is
en {name} has raised **{raised} XRP**, from **{investors}** so far: {percent} % of what it brings when everything is sold. Sold are {sold} of {total} {token}.
es {name} ha recaudado **{raised} XRP**, de **{investors}** hasta ahora: el {percent} % de lo que da si se vende todo. Vendidos: {sold} de {total} {token}.
de {name} hat **{raised} XRP** eingenommen, bisher von **{investors}**: {percent} % dessen, was der volle Verkauf bringt. Verkauft sind {sold} von {total} {token}.
fr {name} a levé **{raised} XRP**, auprès de **{investors}** jusqu’ici : {percent} % de ce que rapporte la vente complète. Vendus : {sold} sur {total} {token}.
pt {name} arrecadou **{raised} XRP**, de **{investors}** até agora: {percent} % do que rende a venda completa. Vendidos: {sold} de {total} {token}.
ja {name} の調達額は **{raised} XRP**(投資ウォレット数 **{investors}**)で、完売時の {percent} % です。販売済み: {sold} / {total} {token}。

investors_one
en 1 investor
es 1 inversor
de 1 Anleger
fr 1 investisseur
pt 1 investidor
ja 1

investors
en {count} investors
es {count} inversores
de {count} Anlegern
fr {count} investisseurs
pt {count} investidores
ja {count}

in_english
en This I have in English:
es Esto solo lo tengo en inglés:
de Das habe ich nur auf Englisch:
fr Je n’ai ceci qu’en anglais :
pt Isto só tenho em inglês:
ja 以下は英語のみです:

unsure
en **I am not sure what you mean.** The nearest that I found:
es **No estoy seguro de lo que preguntas.** Lo más cercano que encontré:
de **Ich bin nicht sicher, was du meinst.** Am nächsten kommt:
fr **Je ne suis pas sûr de comprendre.** Ce que j’ai trouvé de plus proche :
pt **Não tenho certeza do que você quer dizer.** O mais próximo que encontrei:
ja **ご質問の意味がはっきりわかりません。** 近い項目は次のとおりです。

likely
en You are **likely** asking the first of these; see whether its question is yours.
es **Probablemente** preguntas lo primero; comprueba si es tu pregunta.
de **Wahrscheinlich** fragst du das Erste; prüfe, ob es deine Frage ist.
fr Vous demandez **probablement** le premier point ; vérifiez que c’est bien votre question.
pt **Provavelmente** você pergunta o primeiro; veja se é a sua pergunta.
ja **おそらく**最初の項目についてのご質問です。ご質問と合っているかご確認ください。

unknown
en **I do not know the answer to that.** I look up the sales, payments and guides of this platform, and nothing else.
es **No sé la respuesta a eso.** Solo consulto las ventas, los pagos y las guías de esta plataforma.
de **Das weiß ich nicht.** Ich schlage nur Verkäufe, Zahlungen und Anleitungen dieser Plattform nach.
fr **Je ne connais pas la réponse.** Je ne consulte que les ventes, les paiements et les guides de cette plateforme.
pt **Não sei a resposta para isso.** Consulto apenas as vendas, os pagamentos e os guias desta plataforma.
ja **それについてはわかりません。** 私が調べられるのは、このプラットフォームのセール、支払い、ガイドだけです。

ask_project
en What a project alone can tell (its people, plans, papers, law and taxes) ask the project itself: {page}.
es Lo que solo un proyecto sabe (personas, planes, documentos, leyes e impuestos) pregúntalo al propio proyecto: {page}.
de Was nur ein Projekt selbst sagen kann (Menschen, Pläne, Papiere, Recht und Steuern), frage bitte das Projekt: {page}.
fr Ce que seul un projet peut dire (équipe, plans, documents, droit et impôts), demandez-le au projet lui-même : {page}.
pt O que só um projeto sabe (pessoas, planos, documentos, leis e impostos) pergunte ao próprio projeto: {page}.
ja プロジェクト自身にしか分からないこと(運営者、計画、資料、法律、税金)は、プロジェクトに直接お尋ねください: {page}。

list_over
en **Nobody can buy in {name} any more**, with or without an allowlist.
es **Ya nadie puede comprar en {name}**, con lista o sin ella.
de **In {name} kann niemand mehr kaufen**, mit oder ohne Zulassungsliste.
fr **Plus personne ne peut acheter dans {name}**, avec ou sans liste.
pt **Ninguém mais pode comprar em {name}**, com lista ou sem lista.
ja **{name} では、リストの有無にかかわらず、もう誰も購入できません。**

then_price
en Tier {tier} then costs **{price} XRP** a token.
es El tramo {tier} cuesta entonces **{price} XRP** por token.
de Stufe {tier} kostet dann **{price} XRP** je Token.
fr Le palier {tier} coûtera alors **{price} XRP** par token.
pt O nível {tier} custa então **{price} XRP** por token.
ja ティア {tier} の価格は1トークン **{price} XRP** です。

refunds_run
en The XRP paid for tokens that were not distributed **is refunded by itself to the accounts that paid**; no date can be named.
es Los XRP pagados por tokens no distribuidos **se devuelven solos a las cuentas que pagaron**; no se puede dar una fecha.
de Die XRP für nicht verteilte Token **gehen von selbst an die zahlenden Konten zurück**; ein Datum lässt sich nicht nennen.
fr Les XRP payés pour des tokens non distribués **sont remboursés d’eux-mêmes aux comptes qui ont payé** ; aucune date ne peut être donnée.
pt Os XRP pagos por tokens não distribuídos **voltam sozinhos às contas que pagaram**; não há data definida.
ja 未配布のトークンの代金として支払われた XRP は、**自動的に送金元のアカウントへ返金されます**(日付はお約束できません)。

soft_cap_none
en {name} has **no soft cap**: no sum that it must reach. Raised: {raised} XRP.
es {name} **no tiene soft cap** (mínimo que deba alcanzar). Recaudado: {raised} XRP.
de {name} hat **kein Soft Cap**, also kein Mindestziel. Eingenommen: {raised} XRP.
fr {name} n’a **pas de soft cap** (seuil à atteindre). Levé : {raised} XRP.
pt {name} **não tem soft cap** (meta mínima). Arrecadado: {raised} XRP.
ja {name} に**ソフトキャップ(最低調達額)はありません**。調達額: {raised} XRP。

soft_cap_open
en The soft cap of {name} is **{cap} XRP**, and raised so far are **{raised} XRP**. It is decided at the end.
es El soft cap de {name} es de **{cap} XRP** y hasta ahora se han recaudado **{raised} XRP**. Se decide al final.
de Das Soft Cap von {name} ist **{cap} XRP**, bisher eingenommen sind **{raised} XRP**. Entschieden wird am Ende.
fr Le soft cap de {name} est de **{cap} XRP**, et **{raised} XRP** ont été levés jusqu’ici. Il est décidé à la fin.
pt O soft cap de {name} é de **{cap} XRP**, e até agora foram arrecadados **{raised} XRP**. Decide-se no fim.
ja {name} のソフトキャップは **{cap} XRP**、現在の調達額は **{raised} XRP** です。達成したかは終了時に決まります。

soft_cap_missed
en The soft cap of {name} was **{cap} XRP**, and it **was missed**: raised were {raised} XRP.
es El soft cap de {name} era de **{cap} XRP** y **no se alcanzó**: se recaudaron {raised} XRP.
de Das Soft Cap von {name} war **{cap} XRP** und **wurde verfehlt**: eingenommen wurden {raised} XRP.
fr Le soft cap de {name} était de **{cap} XRP** et **n’a pas été atteint** : {raised} XRP levés.
pt O soft cap de {name} era de **{cap} XRP** e **não foi atingido**: foram arrecadados {raised} XRP.
ja {name} のソフトキャップ **{cap} XRP** は**未達成**でした(調達額 {raised} XRP)。

soft_cap_met
en The soft cap of {name} was **{cap} XRP**, and it **was reached**: raised were {raised} XRP.
es El soft cap de {name} era de **{cap} XRP** y **se alcanzó**: se recaudaron {raised} XRP.
de Das Soft Cap von {name} war **{cap} XRP** und **wurde erreicht**: eingenommen wurden {raised} XRP.
fr Le soft cap de {name} était de **{cap} XRP** et **a été atteint** : {raised} XRP levés.
pt O soft cap de {name} era de **{cap} XRP** e **foi atingido**: foram arrecadados {raised} XRP.
ja {name} のソフトキャップ **{cap} XRP** は**達成**されました(調達額 {raised} XRP)。

left_now
en Left in {name} now: **{left} {token}** over all tiers.
es Quedan ahora en {name}: **{left} {token}** en todos los tramos.
de Übrig sind in {name} jetzt **{left} {token}** über alle Stufen.
fr Il reste maintenant dans {name} **{left} {token}** sur tous les paliers.
pt Restam agora em {name}: **{left} {token}** em todos os níveis.
ja {name} の残り: 全ティアで **{left} {token}**。

wallet_none
en No payment of {wallet} has reached a sale of this platform so far. If you have paid: was it from this very wallet, and is the transaction validated? Payments from an exchange come from the exchange’s account. With the transaction hash I can look for it on the ledger.
es Ningún pago de {wallet} ha llegado hasta ahora a una venta de esta plataforma. Si pagaste: ¿fue desde esta misma cartera, y está validada la transacción? Los pagos desde un exchange salen de la cuenta del exchange. Con el hash de la transacción puedo buscarla en el ledger.
de Bisher hat keine Zahlung von {wallet} einen Verkauf dieser Plattform erreicht. Falls du gezahlt hast: Kam es genau von dieser Wallet, und ist die Transaktion bestätigt? Zahlungen von einer Börse kommen von deren Konto. Mit dem Transaktions-Hash kann ich auf dem Ledger suchen.
fr Aucun paiement de {wallet} n’est arrivé jusqu’ici à une vente de cette plateforme. Si vous avez payé : était-ce depuis ce portefeuille précis, et la transaction est-elle validée ? Un paiement depuis une plateforme d’échange vient du compte de celle-ci. Avec le hash de la transaction, je peux chercher sur le ledger.
pt Nenhum pagamento de {wallet} chegou até agora a uma venda desta plataforma. Se você pagou: foi desta mesma carteira, e a transação está validada? Pagamentos de uma corretora saem da conta dela. Com o hash da transação posso procurar no ledger.
ja {wallet} からの支払いは、これまでこのプラットフォームのセールに届いていません。支払い済みの場合は、このウォレットから送ったか、取引が検証済みかをご確認ください。取引所からの支払いは取引所の口座から届きます。トランザクションハッシュがあれば台帳で調べられます。

wallet_from
en From {wallet}, the newest first:
es De {wallet}, lo más reciente primero:
de Von {wallet}, das Neueste zuerst:
fr De {wallet}, le plus récent d’abord :
pt De {wallet}, o mais recente primeiro:
ja {wallet} からの支払い(新しい順):

paid_pending
en Your payment of **{amount} XRP** into {name} (ledger {ledger}) has been **seen** and is being confirmed; it is expected to buy {tokens} {token}. Ask again in a minute.
es Tu pago de **{amount} XRP** a {name} (ledger {ledger}) se ha **visto** y se está confirmando; se espera que compre {tokens} {token}. Pregunta de nuevo en un minuto.
de Deine Zahlung von **{amount} XRP** an {name} (Ledger {ledger}) wurde **gesehen** und wird bestätigt; sie kauft voraussichtlich {tokens} {token}. Frage in einer Minute noch einmal.
fr Votre paiement de **{amount} XRP** à {name} (ledger {ledger}) a été **vu** et est en cours de confirmation ; il devrait acheter {tokens} {token}. Redemandez dans une minute.
pt Seu pagamento de **{amount} XRP** a {name} (ledger {ledger}) foi **visto** e está sendo confirmado; deve comprar {tokens} {token}. Pergunte de novo em um minuto.
ja {name} への **{amount} XRP** の支払い(レジャー {ledger})は**確認済み**で、確定待ちです。{tokens} {token} になる見込みです。1分後にもう一度お尋ねください。

paid_confirmed
en Your payment of **{amount} XRP** into {name} (ledger {ledger}) is **confirmed**: {invested} XRP bought **{tokens} {token}**.
es Tu pago de **{amount} XRP** a {name} (ledger {ledger}) está **confirmado**: {invested} XRP compraron **{tokens} {token}**.
de Deine Zahlung von **{amount} XRP** an {name} (Ledger {ledger}) ist **bestätigt**: {invested} XRP haben **{tokens} {token}** gekauft.
fr Votre paiement de **{amount} XRP** à {name} (ledger {ledger}) est **confirmé** : {invested} XRP ont acheté **{tokens} {token}**.
pt Seu pagamento de **{amount} XRP** a {name} (ledger {ledger}) está **confirmado**: {invested} XRP compraram **{tokens} {token}**.
ja {name} への **{amount} XRP** の支払い(レジャー {ledger})は**確定**しました。{invested} XRP で **{tokens} {token}** を購入しています。

paid_failed
en Your payment of **{amount} XRP** into {name} (ledger {ledger}) **bought nothing**: {why}.
es Tu pago de **{amount} XRP** a {name} (ledger {ledger}) **no compró nada**: {why}.
de Deine Zahlung von **{amount} XRP** an {name} (Ledger {ledger}) hat **nichts gekauft**: {why}.
fr Votre paiement de **{amount} XRP** à {name} (ledger {ledger}) **n’a rien acheté** : {why}.
pt Seu pagamento de **{amount} XRP** a {name} (ledger {ledger}) **não comprou nada**: {why}.
ja {name} への **{amount} XRP** の支払い(レジャー {ledger})では**何も購入されませんでした**(理由: {why})。

paid_back
en {back} XRP **are refunded** to the account that paid.
es Se devuelven {back} XRP a la cuenta que pagó.
de {back} XRP gehen an das zahlende Konto zurück.
fr {back} XRP sont remboursés au compte qui a payé.
pt {back} XRP voltam à conta que pagou.
ja {back} XRP が送金元のアカウントに返金されます。

paid_held
en {held} XRP are **held**; the operators can see them.
es {held} XRP están **retenidos**; los operadores los ven.
de {held} XRP sind **einbehalten (held)**; die Betreiber sehen sie.
fr {held} XRP sont **retenus** ; les opérateurs les voient.
pt {held} XRP estão **retidos**; os operadores os veem.
ja {held} XRP は**保留中**で、運営者が確認できます。

paid_stray
en {amount} XRP of ledger {ledger} (transaction {hash}) belong to no sale: {why}.
es {amount} XRP del ledger {ledger} (transacción {hash}) no pertenecen a ninguna venta: {why}.
de {amount} XRP aus Ledger {ledger} (Transaktion {hash}) gehören zu keinem Verkauf: {why}.
fr {amount} XRP du ledger {ledger} (transaction {hash}) n’appartiennent à aucune vente : {why}.
pt {amount} XRP do ledger {ledger} (transação {hash}) não pertencem a nenhuma venda: {why}.
ja レジャー {ledger} の {amount} XRP(トランザクション {hash})はどのセールにも属していません(理由: {why})。

refund_of
en refund of {back} XRP
es reembolso de {back} XRP
de Rückerstattung von {back} XRP
fr remboursement de {back} XRP
pt reembolso de {back} XRP
ja {back} XRP の返金

due
en due {at}
es previsto para el {at}
de fällig am {at}
fr prévu le {at}
pt previsto para {at}
ja 予定 {at}

payout_scheduled
en scheduled
es programado
de geplant
fr prévu
pt agendado
ja 予定

payout_waiting_holder
en waiting for your wallet
es esperando a tu cartera
de wartet auf deine Wallet
fr en attente de votre portefeuille
pt esperando sua carteira
ja ウォレットの準備待ち

payout_ready
en about to be sent
es a punto de enviarse
de wird gleich gesendet
fr sur le point d’être envoyé
pt prestes a ser enviado
ja まもなく送信

payout_submitted
en sent, pending on the ledger
es enviado, pendiente en el ledger
de gesendet, auf dem Ledger noch offen
fr envoyé, en attente sur le ledger
pt enviado, pendente no ledger
ja 送信済み、台帳で処理中

payout_validated
en done
es hecho
de erledigt
fr effectué
pt concluído
ja 完了

payout_held
en held; an operator must look at it
es retenido; un operador debe revisarlo
de einbehalten; ein Betreiber muss es ansehen
fr retenu ; un opérateur doit l’examiner
pt retido; um operador precisa verificar
ja 保留中(運営者の確認が必要)

payout_cancelled
en cancelled
es cancelado
de abgebrochen
fr annulé
pt cancelado
ja 取り消し

not_found
en No validated ledger shows that transaction (newest: {ledger}). If you sent it just now, wait a minute and ask again; else compare the hash, and look in your wallet whether it was really sent. While it is not validated, no XRP has left your wallet.
es Ningún ledger validado muestra esa transacción (el más reciente: {ledger}). Si la acabas de enviar, espera un minuto y pregunta de nuevo; si no, compara el hash y mira en tu cartera si realmente se envió. Mientras no esté validada, ningún XRP ha salido de tu cartera.
de Kein validierter Ledger zeigt diese Transaktion (neuester: {ledger}). Wenn du sie gerade gesendet hast, warte eine Minute und frage noch einmal; sonst vergleiche den Hash und sieh in deiner Wallet nach, ob sie wirklich gesendet wurde. Solange sie nicht validiert ist, hat kein XRP deine Wallet verlassen.
fr Aucun ledger validé ne montre cette transaction (le plus récent : {ledger}). Si vous venez de l’envoyer, attendez une minute et redemandez ; sinon comparez le hash et vérifiez dans votre portefeuille qu’elle a vraiment été envoyée. Tant qu’elle n’est pas validée, aucun XRP n’a quitté votre portefeuille.
pt Nenhum ledger validado mostra essa transação (o mais novo: {ledger}). Se você acabou de enviar, espere um minuto e pergunte de novo; senão, compare o hash e veja na carteira se ela foi mesmo enviada. Enquanto não for validada, nenhum XRP saiu da sua carteira.
ja 検証済みの台帳にその取引は見つかりません(最新: {ledger})。送ったばかりなら1分待ってもう一度お尋ねください。そうでなければハッシュを確認し、ウォレットで本当に送信されたかご確認ください。検証されるまで XRP はウォレットから出ていません。

list_on
en {wallet} **may buy** as the list stands now.
es {wallet} **puede comprar** según la lista actual.
de {wallet} **darf kaufen**, so wie die Liste jetzt ist.
fr {wallet} **peut acheter** selon la liste actuelle.
pt {wallet} **pode comprar** conforme a lista atual.
ja 現在のリストでは {wallet} は**購入できます**。

list_off
en {wallet} **may not buy** as the list stands now: it is not on it. Ask the project.
es {wallet} **no puede comprar** según la lista actual: no está en ella. Pregunta al proyecto.
de {wallet} **darf nicht kaufen**: Die Wallet steht nicht auf der jetzigen Liste. Frage das Projekt.
fr {wallet} **ne peut pas acheter** selon la liste actuelle : il n’y figure pas. Demandez au projet.
pt {wallet} **não pode comprar** conforme a lista atual: não está nela. Pergunte ao projeto.
ja {wallet} は現在のリストに載っていないため**購入できません**。プロジェクトにお問い合わせください。

broken_hash
en That is **no whole transaction hash**: it has 64 characters, 0 to 9 and A to F. Copy it again from your wallet, or give me the address that paid (r…).
es Eso **no es un hash completo**: tiene 64 caracteres, de 0 a 9 y de A a F. Cópialo de nuevo de tu cartera, o dame la dirección que pagó (r…).
de Das ist **kein vollständiger Transaktions-Hash**: Er hat 64 Zeichen, 0 bis 9 und A bis F. Kopiere ihn noch einmal aus deiner Wallet, oder nenne mir die zahlende Adresse (r…).
fr Ce n’est **pas un hash complet** : il a 64 caractères, de 0 à 9 et de A à F. Copiez-le de nouveau depuis votre portefeuille, ou donnez l’adresse qui a payé (r…).
pt Isso **não é um hash completo**: ele tem 64 caracteres, de 0 a 9 e de A a F. Copie de novo da carteira, ou dê o endereço que pagou (r…).
ja これは**完全なトランザクションハッシュではありません**。ハッシュは64文字(0〜9、A〜F)です。ウォレットからもう一度コピーするか、送金元のアドレス(r…)を教えてください。

broken_address
en That address has a slip in it: its checksum does not fit. Copy it again from your wallet, or give me the transaction hash.
es Esa dirección tiene un error: su suma de control no coincide. Cópiala de nuevo de tu cartera, o dame el hash de la transacción.
de Diese Adresse enthält einen Fehler: Ihre Prüfsumme stimmt nicht. Kopiere sie noch einmal aus deiner Wallet, oder nenne mir den Transaktions-Hash.
fr Cette adresse contient une erreur : sa somme de contrôle ne correspond pas. Copiez-la de nouveau depuis votre portefeuille, ou donnez le hash de la transaction.
pt Esse endereço tem um erro: a soma de verificação não confere. Copie de novo da carteira, ou dê o hash da transação.
ja そのアドレスには誤りがあります(チェックサムが一致しません)。ウォレットからもう一度コピーするか、トランザクションハッシュを教えてください。

how_much
en How much exactly do you mean by “{text}”? Give me a number, such as \`500 XRP\`: I quote to the drop and do not guess.
es ¿Cuánto exactamente quieres decir con “{text}”? Dame un número, como \`500 XRP\`: cotizo con exactitud y no adivino.
de Wie viel genau meinst du mit „{text}“? Nenne eine Zahl, etwa \`500 XRP\`: Ich rechne genau und rate nicht.
fr Combien exactement voulez-vous dire par « {text} » ? Donnez un nombre, par exemple \`500 XRP\` : je calcule exactement et ne devine pas.
pt Quanto exatamente você quer dizer com “{text}”? Dê um número, como \`500 XRP\`: calculo com exatidão e não adivinho.
ja 「{text}」は正確にいくらですか。\`500 XRP\` のように数字で教えてください。推測はせず正確に計算します。

which_amount
en “{text}” can be read in two ways: do you mean **{first}** or **{second}**? Write it without a thousands mark, such as \`{second} XRP\`.
es “{text}” se puede leer de dos maneras: ¿**{first}** o **{second}**? Escríbelo sin separador de miles, como \`{second} XRP\`.
de „{text}“ lässt sich auf zwei Arten lesen: **{first}** oder **{second}**? Schreibe es ohne Tausendertrennung, etwa \`{second} XRP\`.
fr « {text} » peut se lire de deux façons : **{first}** ou **{second}** ? Écrivez-le sans séparateur de milliers, par exemple \`{second} XRP\`.
pt “{text}” pode ser lido de dois jeitos: **{first}** ou **{second}**? Escreva sem separador de milhar, como \`{second} XRP\`.
ja 「{text}」は二通りに読めます。**{first}** ですか、**{second}** ですか。\`{second} XRP\` のように桁区切りなしで書いてください。

refuse_injection
en I can’t change or share how I am instructed; I can help with the sales, payments and guides of this platform.
es No puedo cambiar ni mostrar mis instrucciones; puedo ayudar con las ventas, los pagos y las guías de esta plataforma.
de Ich kann meine Anweisungen weder ändern noch zeigen; bei Verkäufen, Zahlungen und Anleitungen dieser Plattform helfe ich gern.
fr Je ne peux ni changer ni montrer mes instructions ; je peux aider pour les ventes, les paiements et les guides de cette plateforme.
pt Não posso mudar nem mostrar minhas instruções; posso ajudar com as vendas, os pagamentos e os guias desta plataforma.
ja 私への指示を変更したり開示したりすることはできません。このプラットフォームのセール、支払い、ガイドについてはお手伝いできます。

refuse_private
en I can’t give out who is behind a wallet or any personal data: I know only what is public on the ledger. With a wallet’s address I can show its investments here.
es No puedo dar datos personales ni decir quién está detrás de una cartera: solo conozco lo público del ledger. Con la dirección de una cartera puedo mostrar sus inversiones aquí.
de Ich kann keine persönlichen Daten nennen und nicht sagen, wem eine Wallet gehört: Ich kenne nur, was auf dem Ledger öffentlich ist. Mit der Adresse einer Wallet kann ich ihre Investitionen hier zeigen.
fr Je ne peux pas donner de données personnelles ni dire à qui appartient un portefeuille : je ne connais que ce qui est public sur le ledger. Avec l’adresse d’un portefeuille, je peux montrer ses investissements ici.
pt Não posso fornecer dados pessoais nem dizer de quem é uma carteira: só conheço o que é público no ledger. Com o endereço de uma carteira posso mostrar os investimentos dela aqui.
ja 個人情報やウォレットの持ち主をお伝えすることはできません。私が知っているのは台帳で公開されている情報だけです。ウォレットのアドレスがあれば、ここでの投資状況をお見せできます。

refuse_secret
en I can’t show, guess or handle secrets (API keys, webhook secrets, passwords, seeds, private keys): I have none of them. Never share yours here; if one has leaked, replace it at once.
es No puedo mostrar ni manejar secretos (claves de API, secretos de webhooks, contraseñas, semillas, claves privadas), los pida quien los pida: no tengo ninguno. No compartas los tuyos aquí; si alguno se ha filtrado, cámbialo enseguida.
de Ich kann keine Geheimnisse (API-Schlüssel, Webhook-Secrets, Passwörter, Seeds, private Schlüssel) zeigen oder annehmen, wer auch fragt: Ich habe keine. Teile deine nie hier; ist eines bekannt geworden, ersetze es sofort.
fr Je ne peux ni montrer ni traiter de secrets (clés d’API, secrets de webhook, mots de passe, phrases ou clés privées), qui que ce soit qui demande : je n’en ai aucun. Ne partagez jamais les vôtres ici ; si l’un a fuité, remplacez-le tout de suite.
pt Não posso mostrar nem lidar com segredos (chaves de API, segredos de webhook, senhas, seeds, chaves privadas), seja quem for que peça: não tenho nenhum. Nunca compartilhe os seus aqui; se algum vazou, troque-o logo.
ja 秘密情報(APIキー、Webhookシークレット、パスワード、シード、秘密鍵)は、どなたにもお見せできず、取り扱いもできません。私は一切持っていません。ここでは決して共有せず、漏れた場合はすぐに交換してください。

refuse_tenant
en I can’t show what belongs to others (their keys, webhooks or data), and I see nothing that is not public. The holder of an API key sees what belongs to that key’s tenant, through the API.
es No puedo mostrar lo que es de otros (sus claves, webhooks o datos), y no veo nada que no sea público. Quien tiene una clave de API ve lo suyo a través de la API.
de Ich kann nicht zeigen, was anderen gehört (ihre Schlüssel, Webhooks oder Daten), und sehe nur Öffentliches. Wer einen API-Schlüssel hat, sieht über die API, was dazu gehört.
fr Je ne peux pas montrer ce qui appartient à d’autres (leurs clés, webhooks ou données), et je ne vois que ce qui est public. Le détenteur d’une clé d’API voit par l’API ce qui lui appartient.
pt Não posso mostrar o que é de outros (chaves, webhooks ou dados), e só vejo o que é público. Quem tem uma chave de API vê o que é seu pela API.
ja 他の人のもの(キー、Webhook、データ)をお見せすることはできません。私に見えるのは公開情報だけです。APIキーの持ち主は、自分のものを API で確認できます。

refuse_action
en I can’t do that: I only look things up. I cannot pay, send, refund, cancel, sign or change anything, for anybody.
es No puedo hacer eso: solo consulto. No puedo pagar, enviar, devolver, cancelar, firmar ni cambiar nada, para nadie.
de Das kann ich nicht: Ich schlage nur nach. Ich kann für niemanden zahlen, senden, erstatten, abbrechen, signieren oder etwas ändern.
fr Je ne peux pas faire cela : je ne fais que consulter. Je ne peux ni payer, ni envoyer, ni rembourser, ni annuler, ni signer, ni modifier quoi que ce soit, pour personne.
pt Não posso fazer isso: só faço consultas. Não posso pagar, enviar, reembolsar, cancelar, assinar nem mudar nada, para ninguém.
ja それはできません。私は調べることしかできず、どなたのためにも支払い、送金、返金、取り消し、署名、変更を行うことはできません。

refuse_advice
en **I can’t advise on investing**: no recommendation, no promise, no prediction. Nobody can know what a token will be worth, and you could lose all that you pay. I can show the facts of a sale and how to verify it.
es **No puedo aconsejar sobre inversiones**: ni recomendación, ni promesa, ni predicción. Nadie sabe cuánto valdrá un token, y podrías perder todo lo que pagues. Puedo mostrar los datos de una venta y cómo verificarla.
de **Ich kann keine Anlageberatung geben**: keine Empfehlung, kein Versprechen, keine Prognose. Niemand weiß, was ein Token wert sein wird, und du könntest alles verlieren. Ich kann die Fakten eines Verkaufs zeigen und wie man ihn prüft.
fr **Je ne peux pas donner de conseil en investissement** : ni recommandation, ni promesse, ni prédiction. Personne ne sait ce que vaudra un token, et vous pourriez tout perdre. Je peux montrer les faits d’une vente et comment la vérifier.
pt **Não posso aconselhar sobre investimentos**: nenhuma recomendação, promessa ou previsão. Ninguém sabe quanto um token vai valer, e você pode perder tudo o que pagar. Posso mostrar os fatos de uma venda e como verificá-la.
ja **投資の助言はできません**。推奨も、約束も、予測もいたしません。トークンの将来の価値は誰にもわからず、支払った全額を失う可能性もあります。セールの事実と、その検証方法はお伝えできます。

introduction
en *I am the built-in assistant: what I say comes from this platform’s live data and its guides.*
es *Soy el asistente integrado: lo que digo viene de los datos en vivo de esta plataforma y de sus guías.*
de *Ich bin der eingebaute Assistent: Was ich sage, kommt aus den Live-Daten dieser Plattform und ihren Anleitungen.*
fr *Je suis l’assistant intégré : ce que je dis vient des données en direct de cette plateforme et de ses guides.*
pt *Sou o assistente integrado: o que digo vem dos dados ao vivo desta plataforma e dos seus guias.*
ja *内蔵アシスタントです。お答えする内容は、このプラットフォームの最新データとガイドに基づいています。*
`;

const PHRASES: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  TABLE.trim()
    .split('\n\n')
    .map((block) => {
      const [key = '', ...lines] = block.split('\n');
      return [key, new Map(lines.map((line) => [line.slice(0, 2), line.slice(3)] as const))] as const;
    }),
);

export const phraseKeys = (): readonly string[] => [...PHRASES.keys()];

const STATES: Readonly<Record<SaleState, string>> = {
  draft: 'why_draft',
  upcoming: 'why_before_start',
  live: 'state_live',
  between_tiers: 'why_between_tiers',
  paused: 'why_paused',
  ended: 'why_after_end',
  cancelled: 'why_cancelled',
};
/** What a sale is doing, in words; in Japanese a reason ends as the beginning of another clause. */
export const stateText = (state: SaleState, language: Language): string =>
  say(STATES[state], language).replace(/の$/, 'です');

/** A phrase in a language, with what it names filled in. */
export function say(key: string, language: Language, values: Readonly<Record<string, string | number>> = {}): string {
  const text = PHRASES.get(key)?.get(language);
  if (text === undefined) throw new Error(`There is no phrase ${key} in ${language}`);
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** Why a payment to a sale would buy nothing now, that nobody should pay, and what becomes of who does all the same. */
export function closedText(
  {
    name,
    closed_because,
    opens_at,
    next_tier,
  }: {
    name: string;
    closed_because: string | null;
    opens_at: string | null;
    next_tier?: { tier: number; price_per_token: string } | null;
  },
  language: Language,
): string {
  const why = whyText(closed_because ?? 'not_active', language) ?? say('why_not_active', language);
  const parts = [
    say('closed', language, { name: name === '' ? say('any_sale', language) : plain(name), why }),
    opens_at === null ? null : say('opens_at', language, { at: dateText(opens_at, language) }),
    opens_at === null || next_tier === undefined || next_tier === null
      ? null
      : say('then_price', language, { tier: next_tier.tier, price: next_tier.price_per_token }),
    closed_because === 'cancelled' || closed_because === 'soft_cap_missed' ? say('refunds_run', language) : null,
    // While nothing is decided, nothing goes back either.
    closed_because === 'halted' ? null : say('goes_back', language),
  ];
  return parts.filter((part) => part !== null).join(language === 'ja' ? '' : ' ');
}

/** Why a payment would buy nothing; reasons of single amounts have words in English alone. */
export const whyText = (reason: string, language: Language): string | null =>
  PHRASES.has(`why_${reason}`) ? say(`why_${reason}`, language) : null;
