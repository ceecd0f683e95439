import { folded } from '../search/folded.ts';

export const LANGUAGES = ['en', 'es', 'de', 'fr', 'pt', 'ja'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Words that stand in nearly every sentence of a language, and those of money that it shares with no other here. */
const WORDS: Readonly<Record<Exclude<Language, 'ja'>, string>> = {
  en: 'as at never always before still only they them their he his she our we some out up down over by into im ive dont doesnt didnt cant wont isnt been being because while need want know think every many much all ignore previous instructions your list show give tell no yes more about then than too just like any the a an is are was do does did i you my your it what how when where why which who can could would should will have has had if in of to for with without and or not from this that there on be me get got sent paid pay buy please help refund wallet whats wheres',
  es: 'voy ganar garantizan nada algo me deja cuanto cuesta esta q hora empieza termina aceptan tarjeta cuanta gente cuantas luego vender abren instrucciones reglas ya hasta desde tengo tiene hacer hago pido puede pueden nos ha he fue ser estar aqui todo todos muy mas el la los las un una es son que como cuando donde por para con sin y o no mi mis tu su de del en lo le se me he hay puedo quiero esta este cuanto cuantos cual si pero ya olvide pague envie recibo recibire recibir venta dinero etiqueta direccion pasa puse hola gracias deberia invertir clave claves mejor precio todavia comprar dame dime ignora reembolso devolucion',
  de: 'gibts ne nen nix welche welcher welches denn hab habs krieg wieder spat kann man geht gehts es los wo mir anderen gibt es warum nehmt ihr ab bis durch uber bei aus nach vor konnen kannst kommt darf wird werden sich meinem meiner mich mir dir uns jetzt bin seit nur schon wieviel der die das ein eine einen ist sind was wie wann wo warum wer welche ich du sie mein meine meinen mit ohne und oder nicht kein keine auf von zu zum zur den dem im in habe hat kann bekomme geld wenn fur noch es ruckerstattung vergessen gezahlt zahle bitte hallo soll sollte alle schlussel zeig gib wieviel viel kostet verkauf offen kaufen adresse',
  fr: 'trop tard par carte payer combien peut il en reste puis acceptez ignore instructions consignes tous ca cela est etre peut faire fais jusqu depuis avant apres se sa ses leur leurs nous suis va prendre la a y le la les un une des est sont que quoi comment quand ou pourquoi qui je tu vous mon ma mes votre avec sans et pas ne de du au aux en dans ce cette cet jai ai il puis combien si mais oublie paye envoye recevoir vente argent adresse bonjour merci dois devrais investir cle toutes donne montre remboursement recevrai quest peux coute c koi kwa pk pkoi jpeux jsuis chui slt bjr stp svp jarrive faut deja toujours encore rien personne chez vers lui elle on',
  pt: 'q me n nd dps vai garante lucrar bateu pix burlar vcs cade pra direto da dos das quanto custa hora horas comeca termina preciso proximo novo aceita aceitam foi meta atingida quantas pessoas depois vender isso golpe dinheiro ignore instrucoes regras ate desde tenho tem fazer faco pode podem nos fui ser estar aqui tudo muito mais agora isso o a os as um uma e sao que como quando onde por para com sem ou nao meu minha seu sua de do da no na em eu voce posso quero este esta esse quanto quantos qual se mas ja esqueci paguei enviei recebo receber vou venda dinheiro endereco ola obrigado devo investir chave todas mostre reembolso custa comprar acontece fiz meus minhas aberta ainda pela pelo pelos pelas pq vc vcs blz tb tambem tbm entao cade cad quem dono tao sao nele nela num numa testo uso faco deu deram dizem ninguem algum alguem outro outra sumiu caiu',
};
const SETS = Object.entries(WORDS).map(
  ([language, words]) => [language as Language, new Set(words.split(' '))] as const,
);

/** Endings that one language alone gives its words, and words after each other that only it does; for questions of few words. */
const SIGNS: readonly (readonly [Language, RegExp])[] = [
  [
    'pt',
    /\p{L}{3,}(?:aram|eram|iram|cao|coes|inho|inha|agem|ndo|eu|iu|ou)(?!\p{L})|(?<!\p{L})(?:no|na) (?:localhost|sandbox|site|app|painel|banco|celular|servidor|endpoint|explorer|ledger|fim|final|dia|meu|seu)(?!\p{L})|k{4,}/gu,
  ],
  ['es', /\p{L}{3,}(?:aron|ieron|cion|ciones|ado|ados|ido|illo|ando|iendo)(?!\p{L})/gu],
  ['fr', /\p{L}{3,}(?:aient|eaux|eux|ez|ement|oir|eur|euse)(?!\p{L})/gu],
  ['de', /\p{L}{3,}(?:ung|ungen|lich|keit|heit|ieren|iert)(?!\p{L})/gu],
];
/** Words tell more than endings. */
const OF_SIGN = 0.5;

/**
 * The language of a question, of those that answers are written in; English where the words do not tell. Questions are short:
 * their commonest words tell more than the runs of letters that language detectors count.
 */
export function languageOf(text: string): Language {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]|\p{Script=Han}{2}/u.test(text)) return 'ja';
  // Signs that one of them alone writes say more than words that several share.
  if (/[¿¡ñ]/i.test(text)) return 'es';
  if (/[ãõ]/i.test(text)) return 'pt';
  const words = folded(text.replace(/\bw\/o?\b|['’]/g, ' ')).match(/[\p{L}\p{N}]+/gu) ?? [];
  const joined = words.join(' ');
  let [best, most]: [Language, number] = ['en', 0];
  for (const [language, known] of SETS) {
    const signs = SIGNS.filter(([one]) => one === language).flatMap(([, sign]) => joined.match(sign) ?? []);
    const count = words.filter((word) => known.has(word)).length + OF_SIGN * signs.length;
    if (count > most) [best, most] = [language, count];
  }
  if (most <= 2) {
    if (/[äöüß]/i.test(text)) return 'de';
    if (/[œèêàù]|\b[cdjlnst]['’](?=[aeiouyéh])/i.test(text)) return 'fr';
  }
  return best;
}
