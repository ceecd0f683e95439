/** Words that are spelt as they are meant, although no example has them: they are not taken for misspelt others. */
export const COMMON_WORDS: ReadonlySet<string> = new Set(
  `able above across act actual after again against agree ahead air alive almost alone along although always among amount
   animal answer appear apple area arm around arrive art ask assume attack author aware away baby bad bag ball base basic
   bear beat beautiful become bed behave behind believe belong below beside best better between beyond big bird bit black
   blue board boat body book both bottom box boy brain bread break bring brother build business busy cake call calm camera
   capital car care carry case cat catch cause center certain chair chance chapter child choice choose church circle city
   class clean clear click climate close clothes coffee cold color come common company complete computer consider contain
   control cook cool correct country couple course cover crazy cry cup dad daily dance dark daughter day dead deal dear
   death deep degree describe design detail die dinner direct doctor dog door double doubt draw dream dress drink drive dry
   duty each early earth east eat edge education effect egg eight either email empty energy engine english enjoy equal
   especially evening event ever every exact example except exercise expect experience eye face fact fail fall family
   famous far farm father favorite fear feel few field fight figure file film final find fine finger fire fish five floor
   fly follow food foot foreign forest form forward four free fresh friend front fruit full fun funny future game garden
   girl give glad glass goes good grandma great green ground group grow guess gun hair half hall hand happy hard hate head
   health hear heart heat heavy height here hidden high hill history hit hold hole holiday home hope horse hospital hot
   hotel hour house huge human hundred hurry husband idea image imagine important inside instead interest island job joke
   judge jump keep kid kill kind king kitchen know lady lake land language large last late laugh law lazy lead leaf learn
   leave left leg less letter library life light like line lion list listen live load local long look loud love lunch
   machine made magic mail main make man map mark matter meal mean meat meet member mention middle might mile milk mind
   minute mix model mom monday month moon morning mother mountain mouse mouth move movie music must name narrow nation
   nature near neck need neighbor news nice night nine noise normal north nose note number ocean office often oil old one
   onion online only open opinion orange order other outside owner page paint pair paper parent paris park part party pass
   past path peace pen people perfect phone photo picture piece pink place plan plane plant plate play please plenty point
   police poor possible power practice prefer present president pretty print prison probably problem program promise
   proper public pull push quarter queen question quick quiet quite race radio rain raise reach read ready real really
   recipe record red region remain remember repeat report rest restaurant rice rich ride ring river road rock room round
   rule salt same sand save school science score sea search season seat second secret see seem self sentence serious serve
   seven several shake shall shape sharp shirt shoe shoot shop short shout side sight sign silver similar simple since sing
   single sister sit six size skin sky sleep slow small smell smile snow social soft song soon sorry sound soup south space
   speak special speech speed spell sport spring square stage stand star stay steal steel stone store storm story straight
   strange street strong student study style sugar summer sun sure surface surprise sweet swim table take talk tall taste
   taxi tea teach team tell ten test thank their there thing think third thousand three throw thus ticket tie till time
   tired title today together tomorrow tone tonight tool tooth top topic total touch tour towards town toy train tree trip
   trouble true truth try turn twelve twenty two uncle under university until upon use usual valley very video village
   visit voice wait walk wall want warm wash waste watch water weak wear weather web wedding week weight well west wet wheel
   white whole wide wife wild wind window wine winter wish woman wonder wood word work world worry worse worst worth would
   write wrong yard year yellow young zero zoo`.split(/\s+/),
);
