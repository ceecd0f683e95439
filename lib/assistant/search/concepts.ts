/**
 * What people say in many words, in the languages of the answers: a concept a line, then the words for it. `word-` stands for
 * all words that begin so, `two_words` for words in a row; a Japanese word is found anywhere in a text.
 */
const TABLE = `
refund | geld_wieder kohle_zuruck refund- reimburs- money_back get_back comes_back come_back sent_back gets_back give_back going_back returned reembols- devoluc- devolver- devuelv- devolv- devolvido estorn- erstatt- ruckerstatt- ruckzahl- zuruckgezahlt zuruckbekomm- geld_zuruck wiederbekomm- rembours- rendre retourn- 返金 払い戻 戻って 戻り 返して 返って
buy | buy- bought purchas- invest invested investing participat- take_part join- compr- invertir inverti invierto invertid- particip- kauf- gekauft mitmach- teilnehm- einsteig- investier- achet- achat- investir investi investis 購入 買う 買い 買え 買っ 投資 参加
pay | pay pays paid payed paying payment- pago pagos pagar pague paguei pagu- pagado pagamento- pagando pagou zahl- bezahl- gezahlt zahlung- uberwies- uberweis- einzahl- payer paye payee payez payes paiement- regler verse virement- 支払 払っ 払い 払う 入金
send | send- sent mand- enviar envie envio envia- enviad- enviei envoy- schick- geschickt gesend- sende senden transfer transferi- transferr- transfert 送金 送っ 送り 送る 送信
arrive | arriv- received receive recieve- show_up shows_up landed not_here didnt_come doesnt_come lleg- recib- cheg- receb- cai caiu ankomm- angekommen kommt_an erhalten bekomm- krieg- recu recevoir recois recevr- 届 着 受け取 反映
token | token- coin coins jeton- ficha- moneda- moeda- トークン コイン
sale | sale sales ico ido presale venta ventas verkauf- vente ventes venda vendas prevente preventa pre-sale セール 販売
start | start- begin- began open opens opened opening launch- go_live goes_live kick_off empiez- empez- comienz- comenz- abre abren abrir arranc- beginn- startet losgeh- los geht eroffn- geoffnet commenc- debut- ouvr- ouverture comec- abrir inici- lancamento 開始 始ま 始め オープン
end | end ends ended ending over finish- clos- deadline termin- acab- finaliz- cierr- fin final ende endet endete beendet vorbei schluss geschlossen ablauf- fini finit finir ferme- encerr- fecha fechou 終了 終わ 締切 閉
when | when how_soon how_long which_day what_time date dates cuando fecha fechas plazo wann datum uhrzeit bis_wann ab_wann quand date dates quando data horario prazo いつ 何時 何日 日程 日時 期限
price | price- pricing cost- rate expensive cheap- precio- cuesta- costo coste vale cotiza- preis- kost- kurs teuer prix coute- cout tarif preco- custa- custo quanto_custa 価格 値段 いくら 単価 コスト
tier | tier- round- stage- phase- tramo- fase etapa ronda stufe- phase- runde palier- tranche- nivel niveis faixa- ティア 段階 ラウンド フェーズ
next | next following later subsequent siguiente- proxim- nachst- danach prochain- suivant- 次 今後
minimum | minimum min least smallest lowest minimo- mindest- minimal- mindestens kleinste plus_petit 最低 最小 下限
maximum | maximum max limit limits cap most largest maximo- limite- tope hochst- obergrenz- maximal- plafond- teto 上限 最大 限度
left | left remain- still_available available supply quedan queda restan disponible- ubrig verfugbar reste restant- restam sobr- resta disponivel disponiveis 残り 残って 在庫
soldout | sold_out soldout sell_out sells_out sold agotad- agoto vendido esgot- ausverkauft verkauft epuise- vendu- complet 完売 売り切れ
paused | pause- paused pausing on_hold suspend- pausa- pausad- detenid- pausiert angehalten suspendu- 停止 一時 中断
cancel | cancel- abort- called_off annul- abgebroch- abbrech- abgesagt storn- 中止 キャンセル 取消 取り消
softcap | soft_cap softcap goal target soft-cap meta objetivo seuil objectif mindestziel ziel ソフトキャップ 目標
raised | raised raise fundrais- recaud- recauda- eingenommen gesammelt leve- collecte- arrecad- 調達 集ま
treasury | treasury tesoreria treasurer tresorerie tesouraria 財務
tag | tag tags dtag destination_tag etiqueta- zieltag zahlencode タグ
memo | memo- mensaje mensagem verwendungszweck nachricht message_field メモ
wrong | wrong incorrect mistake- mistaken typo mistyp- by_accident accidental- oops error equivoc- incorrect- falsch- vertipp- versehentlich verkehrt zahlendreher irrtum faux trompe- mauvais- erreur errad- engan- errei 間違 誤 ミス
forgot | forgot- forget- missing without no_tag left_out left_blank empty olvid- sin falta- vergess- ohne fehl- oubli- sans manqu- esquec- sem 忘れ なし 無し 抜け 空欄
lost | lost lose gone disappear- vanish- perdi perdid- perdio desaparec- verlor- weg verschwund- perdu- disparu- sumiu perdeu 失 なくなっ 消え 紛失 無くし
address | address- adress- direccion- endereco- アドレス 宛先
deposit | deposit depot deposito einzahlungs- einzahlungsadresse 入金 預
wallet | wallet- cartera- billetera- monedero- carteira- geldborse portefeuille- xaman xumm ledger_nano metamask trust_wallet exodus tangem gemwallet crossmark ウォレット 財布
exchange | exchange- binance coinbase kraken bitstamp bitso kucoin bybit okx bitpanda bitvavo bitget mexc upbit bithumb coincheck bitflyer gate.io uphold revolut robinhood crypto.com mercado_bitcoin corretora- borse boerse borsen bolsa casa_de_cambio plateforme_d_echange plateforme_dechange custodial broker 取引所
card | card cards credit_card debit tarjeta- karte kreditkarte carte cartao paypal sepa pix apple_pay bank banco banque bankuberweisung bankuberweisung iban usdt usdc rlusd stablecoin- bitcoin btc ethereum eth euro euros dollar- dolar- fiat stripe ideal クレジット カード 銀行 円 ドル
trustline | trust_line trustline- trust_lines trust-line linea_de_confianza ligne_de_confiance linha_de_confianca vertrauenslinie トラストライン 信頼ライン
mpt | mpt mptoken- mpts
deliver | deliver- distribut- payout- pay_out claim- get_my_tokens entrega- entreg- repart- reparto ausgeliefert auslief- zuteil- verteil- auszahl- livr- distribu- livraison 配布 配送 受領 付与
vesting | vest- cliff unlock- lockup lock-up locked bloquead- desbloque- gesperrt freigabe sperrfrist verrouill- debloc- bloque bloques ベスティング ロック
payment_lookup | hash txid tx_id transaction- transaccion- transaktion- transacao transacoes ハッシュ トランザクション
explorer | explorer bithomp xrpscan livenet explorador explorateur エクスプローラ
status | status state pending stuck estado zustand stand etat 状態 状況 ステータス
stuck | stuck hang- hung hanging frozen_screen atascad- hangt feststeck- bloque coince- travad- parado 止まっ 進まない
scam | scam- scams rug rugpull fraud- fake- phish- legit legitimate trustworthy safe ponzi suspicious shady estafa- fraude timo seguro betrug- betruger serios abzocke arnaque- escroc- fiable golpe- confiavel pilantr- 詐欺 怪し 安全 信頼 偽
contact_me | stranger a_guy some_guy reached_out messaged_me telegram whatsapp discord dm dms instagram facebook twitter emailed mailed phoned called_me text_message messaged contacted wrote_me correo_electronico escribio anrief angerufen angeschrieben kontaktiert appele contacte- ligou chamou メール 電話 dmで 連絡
support | support helpdesk help_desk staff admin moderator mod team_member contact- soporte contacto ayuda kundendienst kontakt hilfe ansprechpartner assistance equipe suporte contato atendimento 問い合わせ サポート 連絡先
link | link links claim_link website url button qr enlace- lien liens url- リンク
seed | seed- secret_key private_key recovery_phrase recovery_words secret_phrase passphrase mnemonic family_seed keyphrase semilla- clave_privada clave_secreta frase_de_recuperacion frase_secreta schlussel_geheim wiederherstell- geheime_phrase geheimschlussel phrase_secrete phrase_de_recuperation cle_privee chave_privada palavras シード 秘密鍵 リカバリ フレーズ
tax | tax taxes taxed taxation taxable impuesto- hacienda steuer- finanzamt impot- impots fiscal- imposto- receita_federal 税
legal | legal- law laws lawful regulat- security sec licence license jurisdiction ley leyes gesetz- recht rechtlich loi lois lei leis 法律 合法 規制
country | country countries citizen- resident- usa american germany japan pais paises land wohnsitz pays residence 国 居住 日本から
kyc | kyc identif- identity verify_my_identity passport pasaporte dni id_card ausweis- identitat piece_d_identite rg cpf documento- 本人確認 身分
allowlist | allowlist- whitelist- allow_list on_the_list waitlist registered registration en_la_lista lista_blanca lista auf_der_liste liste zulassungsliste inscrit- inscription angemeldet freigeschaltet cadastr- ホワイトリスト 許可リスト リスト 登録
fee | fee fees commission- charge- gebuhr- comision- comisiones tarifa- frais taxa taxas comissao 手数料
reserve | reserve reserves reserved locked_xrp reserva- 準備 リザーブ
freeze | freez- frozen clawback claw_back congel- einfrier- eingefroren geler gele 凍結
resell | resell- sell trade dex listed listing list_on secondary market liquidity vender revender listado cotizar verkaufen weiterverkauf- handeln gelistet borsengang revendre vendre cote negociar 売却 売れ 上場 転売
holder | holder- owners whales largest poseedor- tenedor- inhaber- halter detenteur- detentor- 保有者 ホルダー
issuer | issuer- issuing mint- emisor- emitent- ausgeber emetteur- emissor- 発行
team | team founder- ceo people_behind behind equipo fundador- grunder- equipe fondateur- time_do チーム 創業者 運営者
project | project- proyecto- projekt- projet- projeto- company empresa firma entreprise プロジェクト 会社
verify | verif- prove proof proofs check audit- comprob- comprueb- prufen nachprufen gepruft uberpruf- conferir 検証 確認 監査
quote | how_many how_much quanto- cuanto- cuant- wieviel wie_viel- combien 何枚 いくつ どのくらい どれだけ いくら分
change_wallet | other_wallet another_wallet different_wallet someone_else daughter wife husband child my_son on_behalf otra_cartera otra_billetera hija hijo anderes_wallet anderen_wallet tochter frau autre_portefeuille fille mari femme outra_carteira filha marido esposa 別のウォレット 家族 娘 妻
price_up | moon profit- return- gain- worth prognose prognos- gewinn- rendite ganancia- rentab- benefice- rendement lucro- valoriz- 儲 利益 値上
risk | risk- danger- riesgo- risiko risiken gefahr- risque- risco- リスク 危険
key | api_key api_keys apikey- key keys token_of clave- schlussel- cle cles chave- キー 鍵
leaked | leak- expos- committed pushed_my public_repo compromis- filtr- filtrad- geleakt offengelegt fuite divulgu- fuit- vaz- vazou 漏 流出
rotate | rotat- replac- renew- swap- rotar rotier- ersetz- austausch- tauschen remplac- troc- girar ローテ 交換 更新
scope | scope- permission- role roles permiso- berechtigung- droits permiss- スコープ 権限
webhook | webhook- callback_url webhok- ウェブフック
endpoint | endpoint- receiver- listener- エンドポイント 受信
event | event- evento- ereignis- evenement- イベント
delivery_log | deliveries delivery_log attempts intento- versuch- tentative- entregas 配信
retry | retr- resend re-send replay- again try_again reintent- reenvi- wiederhol- erneut reessay- rejou- renvoy- reenvi- 再送 再試行 リトライ
duplicate | duplic- twice doubl- two_times three_times dedup- dupes dupe same_event dos_veces doppelt zweimal deux_fois duas_vezes dobrado 重複 二重 2回 二回
signature | signature- signing hmac sign_the signed firma- signatur- unterschrift signe assinatura- 署名
test | test- sandbox staging testnet prueba- probar essai- teste- テスト サンドボックス
ratelimit | rate_limit- ratelimit- 429 too_many_requests throttl- limite_de_peticiones レート制限 リクエスト制限
pagination | paginat- cursor- next_page page_size paginac- seitenweise ページネーション カーソル
idempotency | idempoten- idempotency-key 冪等
poll | poll- polling consultar_cada abfrag- interroger ポーリング
error | error- fault exception- failure- fails failed failing fehler erreur- erro erros falla- falha- schlag- scheiter- echou- echec- エラー 失敗 不具合
units | drops decimal- unit units precision float decimales dezimal- einheit- unite- unidad- unidade- 単位 小数
export | export- csv download- spreadsheet descarg- herunterlad- telecharg- baix- exportar エクスポート ダウンロード
sdk | sdk client_library library npm_package librer- bibliothek bibliotheque biblioteca ライブラリ
docs | docs documentation openapi swagger reference documentacion dokumentation doku documentacao ドキュメント 仕様
partial | partial- tfpartialpayment delivered_amount parcial- teilweise teil partie partiel- 一部 部分
queue | queue qstash cola warteschlange file_d_attente fila キュー
cron | cron crons crontab scheduled_job job jobs scheduler tarea_programada geplante tache tarefa ジョブ クロン
backup | backup- back-up restore- dump respald- copia_de_seguridad sicherung- wiederherstellen sauvegard- restaur- バックアップ 復元
database | database postgres- db sql datenbank base_de_datos base_de_donnees banco_de_dados データベース
redis | redis
deploy | deploy- vercel host_it self-host- self_host- docker server own_server instal- bereitstell- deployer heberg- hosped- implant- デプロイ サーバー
upgrade | upgrad- new_version update_to migrat- actualiz- aktualisier- mettre_a_jour mise_a_jour atualiz- アップグレード 更新
admin | admin- administrator- operator_console sign_in log_in login console inloggen anmelden connexion iniciar_sesion acess- 管理者 ログイン
monitor | monitor- alert- alarm- health- prometheus uptime alerta- warnung- surveill- 監視 アラート
held | 未照合 未処理 held unmatched unassigned on_hold retenid- zuruckgehalten einbehalten retenu- retido 保留
single | one_investor individual only_one un_solo einzeln- einem_anleger seul_investisseur um_investidor 一人 個別
tickets | ticket tickets
sign_key | signing_key signing_keys hot_key signierschlussel cle_de_signature chave_de_assinatura 署名鍵
stolen | stolen steal hacked hack breach robad- robaron gestohlen gehackt vole- pirat- roubad- hacke- 盗 ハッキング
undo | undo undone revert reverse irreversible deshacer ruckgangig annuler_la desfazer 元に戻 取り消せ
bot | bot robot ai chatgpt human person_here persona_real mensch echter humain humano ボット 人間
hello | hello hi_there hey_there hola hallo bonjour ola oi こんにちは
thanks | thanks thank_you gracias danke merci obrigad- ありがとう
angry | terrible worst awful angry furious useless rip-off thieves ladron- verguenza frechheit sauerei honte scandaleux vergonha 最悪 ひどい
platformid | platform_id platform-id plattform-id プラットフォームid
notify | notif- reminder newsletter mailing_list aviso- avis- benachrichtig- bescheid prevenir prevenus alerte_mail notific- 通知 お知らせ
phone | phone mobile cell smartphone telefono movil celular handy telephone telefone 携帯 スマホ
heir | died death dead deceased heir- inherit- fallec- hered- gestorben verstorben erbe erben deced- herit- faleceu heranca 死亡 亡くな 相続
company | company companies gmbh llc multisig multi-sig multi-signature empresa firma societe entreprise 法人 会社
anonymous | anonym- privacy private see_my privacidad datenschutz vie_privee privacidade 匿名 プライバシー
airdrop | airdrop- referral bonus affiliate freebie referido- empfehlung- parrainage indicacao エアドロップ 紹介 ボーナス
stake | stak- interest yield apy dividend- voting zinsen dividende- interet- juros 利息 配当 ステーキング
discount | discount- coupon promo- descuento- rabatt- reduction remise desconto- 割引 クーポン
code_tec | tecpath_dry tefpast_seq tec tef tem tecno_dst terqueued
halt | halt halts halted halting stop stops stopped stopping anhalt- stoppen sofort_stoppen detener detengo parar paro arreter arreta stopper 止め ストップ
payouts | payouts auszahlung- versement- desembolso- pagamentos_de_saida 支払い処理
restart | restart- reboot- neu_starten neustart- reinici- redemarr- relanc- 再起動 再開
env | environment_variable- env variable- settings config- umgebungsvariable- einstellung- variables_de_entorno variables_d_environnement variaveis_de_ambiente configurac- konfigur- parametre- 環境変数 設定
node | node nodes xrpl_server rippled clio knoten nodo noeud noeud ノード サーバー
match | match- reconcil- tally add_up consistent coincide- cuadra- stimmt_uberein ubereinstimm- correspond- concord- bate batem confer- 一致 照合
blockchain | blockchain on-chain onchain ブロックチェーン 台帳
change | change- edit- modif- correct- fix fixed fixable cambi- corregir ander- korrigier- chang- corrig- mudar mudanca alterar 変更 修正
delete | delet- remov- borr- elimin- losch- supprim- apag- remover 削除
create | create- creat- set_up setup make_a crear anlegen erstell- creer cria- 作成 作り 作る
emergency | urgent emergency immediately right_now asap urgente- sofort dringend notfall immediatement urgence imediatamente 緊急 至急 すぐ
lawsuit | lawyer- police sue suing lawsuit complaint- denunci- abogado anwalt polizei anzeige avocat plainte policia advogad- 警察 弁護士 訴え
browser | browser cors react frontend javascript navegador navigateur ブラウザ
timezone | timezone time_zone utc zona_horaria zeitzone uhr fuseau fuso 日本時間 タイムゾーン
screenshot | screenshot- captura- bildschirmfoto capture print スクリーンショット
minor | minor underage years_old teenager menor_de_edad minderjahrig mineur menor_de_idade 未成年
language | english spanish german french portuguese japanese translate ingles espanol deutsch francais portugues 日本語 英語 翻訳
speed | slow fast latency per_second performance throughput lento langsam schnell lent rapide lento velocidade 遅い 速い
rules_break | several_wallets many_wallets bypass circumvent evade loophole umgehen eludir contourner burlar 回避
reorder | first_in_line queue_up in_line position turno reihe file fila 順番 先着
`;

const JAPANESE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const NO_LETTERS = /[^\p{L}\p{N}]+/gu;
const SHORTEST_BEGINNING = 3;

const words = new Map<string, Set<string>>();
const beginnings = new Map<string, Set<string>>();
/** Words in a row, and Japanese ones, which are looked for in the whole text. */
const inTexts: { said: string; concept: string }[] = [];

for (const line of TABLE.trim().split('\n')) {
  const [concept = '', said = ''] = line.split(' | ');
  const add = (to: Map<string, Set<string>>, word: string) =>
    to.set(word, (to.get(word) ?? new Set<string>()).add(`@${concept}`));
  for (const word of said.split(' ')) {
    if (JAPANESE.test(word)) inTexts.push({ said: word, concept: `@${concept}` });
    else if (word.includes('_')) inTexts.push({ said: ` ${word.replaceAll('_', ' ')} `, concept: `@${concept}` });
    else if (word.endsWith('-')) add(beginnings, word.slice(0, -1));
    else add(words, word);
  }
}

/** The concepts of a word, by the word itself and by its longest known beginning. Pure. */
export function conceptsOf(word: string): string[] {
  for (let length = word.length; length >= SHORTEST_BEGINNING; length--) {
    const found = beginnings.get(word.slice(0, length));
    if (found !== undefined) return [...found.union(words.get(word) ?? new Set<string>())];
  }
  return [...(words.get(word) ?? [])];
}

/** The concepts that words in a row say, and those of a Japanese text. Pure; the text is folded (terms.ts). */
export function conceptsIn(text: string): string[] {
  const spaced = ` ${text.replace(NO_LETTERS, ' ')} `;
  return [...new Set(inTexts.filter(({ said }) => spaced.includes(said)).map(({ concept }) => concept))];
}
