/** Words before a number that make it something else: companies, banks, orders, things. Any one of them, close before it. */
const OWN = [
  // Companies and taxes
  'vat|ust|umsatzsteuer|mwst|uid|tva|iva|p\\.?\\s?iva|partita|btw|kvk|rsin|moms|cvr|org\\.?\\s?-?\\s?n[ro]|organisationsn|nip|regon|krs|pesel|ičo|ico|dič|dic|ič|siren|siret|rcs(?:\\s\\p{L}+)?(?:\\s[AB])?|contribuinte|alvará|ape|naf|nif|cif|nie|dni|rfc|curp|cnpj|cpf|cuit|ein|tin|ssn|abn|acn|gst|gstin|pan|cin|ogrn|огрн|инн|кпп|окпо|егрпоу|bulstat|eik|oib|mbs|emšo|vkn|vergi|mersis|handelsregister|hr[ab]|registergericht|registernummer|amtsgericht|steuer|st\\.?\\s?-?\\s?nr|company\\s(?:no|number|reg\\w*)|registered\\s(?:in|no|number|company|charity)|registration|reg\\.?\\s?(?:no|nr)|charity|adószám|cégjegyzék|y-tunnus|fiscal[e]?|fiscale|rea|albo|c\\.?\\s?f\\.?|codice|a\\/c|se|licen[cs]e|licence|lic|permit|zulassung|法人番号|登録番号|crm|dun(?:s|ning)?|lei|expediente|folio|tomo|hoja[s]?|gz|geschäftszeichen|dossier|agrément|orias|finess|adeli|rpps|bsn|pps|nino|nif|nuit|nit|ruc|rut|pib|mb|mbr|оквэд|снилс|едрпоу|ід|nir|insee|registr\\p{L}*',
  // Banks
  'iban|bic|swift|blz|kto|konto(?:nummer)?|account|acct|sort\\s?code|routing|aba|bank|rib|ccp|cbu|clabe|ifsc|numer konta|счет|р/с|бик|карт[аы]|card|visa|mastercard|cvv',
].join('|')
/** Words of things: they belong to what stands on the same line. */
const THING = [
  // Things, orders, dates
  'order|bestell(?:nummer|ung)?|auftrag\\w*|commande|pedido|ordine|zamówieni\\w*|invoice|rechnung\\w*|facture|factura|fattura|faktura|customer|kunden(?:nummer|nr)?|client|ticket|case|ref(?:erence|erenz|\\.)?|réf|art(?:ikel|icle|\\.)?(?:nummer|nr|no)?|sku|item|model|modell|serial|serien\\w*|part\\s?(?:no|number)|product|produkt\\w*|isbn|issn|ean|upc|gtin|asin|doi|pmid|arxiv|patent|barcode|tracking|sendung\\w*|parcel|colis|id|uuid|guid|code|pin|otp|key|hash|version|build|rev|release|v|imei|mac|ip|gps|lat|lon|lng|latitude|longitude|breite|länge|coord\\w*|zip|plz|postcode|postal|cap|postleitzahl|p\\.?o\\.?\\s?box|postfach|bp|cedex|date|datum|fecha|data|since|seit|depuis|desde|dal|founded|est(?:ablished|\\.)?|copyright|©|price|preis|prix|precio|prezzo|cena|eur|usd|chf|gbp|€|\\$|£|year|jahr|aktenzeichen|az|flug|flight|gleis|score|points|views|downloads|population|einwohner|km|isrc|nct|lot|lott?o|tirage|draw|batch|charge|contract|contrat|contrato|vertrag|police|policy|polizza|claim|confirmation|membership|member|badge|employee|matricule|matr[ií]cula|student|vin|chassis|plate|kennzeichen|plot|room|zimmer|seat|gate|meter|zähler|catalog(?:ue)?|cat|protocol(?:lo|o)?|prot|decreto|law|act|§|resolution|tender|grant|project|award|s\\/n|awb|container|cas|isin|wkn|orcid|isni|viaf|gnd|oclc|pubmed|sample|specimen|hs|nhs|utr|medicare|passport|passeport|pasaporte|reisepass|ausweis|\\p{L}{2,}-?(?:nummer|numer[o]?|nr|number|referenz|reference|code)|\\p{L}{2,}-id|(?:user|order|item|client|customer|product|account|member|ad|pixel|app)id|zertifikat\\w*|certificate',
].join('|')

/** Words before a number that make it a telephone or a fax, as many languages write them; \\p{L} for their endings. */
const PHONE = [
  'tel(?:e(?:fon|phone|foon|fono|f|fonos|phon|fone|fax|fonsko|fonul|fona)?)?|t[ée]l(?:é|e)?(?:phone|copie(?:ur)?)?|tel[eé]fonos?|fonos?|tfnos?|tlf|tlfn|tlm|telp|telpon|phone|ph|t\\/f|fon|fono|fone|fax|faks|faksi|telefaks|telefax|sím|sími|simi|simu|puh(?:elin)?',
  'mob(?:il(?:e|ní|ny|telefon|nummer)?|iel|ilní)?|cell(?:ulare|phone)?|cel|celu|celular(?:es)?|handy|gsm|móvil(?:es)?|movil(?:es)?|móv|mov|portable|komórk\\p{L}{0,3}|kom|telem[oó]vel|natel|matkapuhelin|cep|sabit|hp|sdt|sđt|đt|điện thoại|di động',
  'call(?:\\sus)?|ring|ring\\still|ring\\sus|bel|bel\\sons|dial|text|reach\\s(?:us|me)|appelez|appel|llam[ae]\\p{L}{0,4}|chiama\\p{L}{0,4}|zadzwoń|dzwoń|ligue|volejte|anruf(?:en)?|rufen\\ssie|ruf(?:nummer)?|nummer\\sanrufen|erreichen\\ssie\\suns\\sunter',
  'hotline|helpline|infoline|freephone|freefone|toll\\s?-?free|free\\s?call|gratis(?:nummer)?|durchwahl|zentrale|centrale|centralita|switchboard|växel|sentralbord|notruf|emergency|urgences?|urgencias|linea|fijo|fisso|fixe|reservations?|rezeption|reception|recepci[oó]n|recepcja|booking|vakttelefon|numéro|n[°º]\\svert|num[eéè]ro\\s(?:vert|verde|azzurro)|telefonnummer|telefonszám|vezetékes',
  'whats\\s?app|wa|viber|signal|sms|contact|kontakt|contacto|contatti|contato|office|büro|praxis|sekretariat|secretar\\p{L}{1,5}',
  'телефон\\p{L}{0,3}|тел|моб\\p{L}{0,8}|сот\\p{L}{0,6}|факс|звоните|τηλ(?:έφωνο|έφωνα)?|κιν(?:ητό)?|φαξ',
  'טלפון|טל|נייד|פקס|هاتف|جوال|موبايل|محمول|نقال|تليفون|تلفون|فاكس|واتساب|اتصل|تلفن|موبایل|फ़ोन|फोन|मोबाइल|दूरभाष',
  '電話(?:番号)?|電話|お電話|携帯(?:電話)?|ファックス|ファクス|フリーダイヤル|代表|전화(?:번호)?|휴대폰|휴대전화|핸드폰|팩스|대표|연락처|문의|电话|手机|手機|热线|熱線|传真|傳真|座机|联系(?:方式)?|โทร(?:ศัพท์)?|มือถือ|โทรสาร|แฟกซ์',
].join('|')
/** Words that say it only with a colon behind them. */
const PLACE =
  'main|work|home|desk|direct|day|night|jour|standard|central|accueil|sales|support|service|enquiries|bookings|accounts|front\\sdesk|out\\sof\\shours|after\\shours|customer\\s(?:care|service)|international|cabinet|agence|boutique|magasin|bureau|filiale|ordination|kancelaria|rezerva\\p{L}{1,5}|prenotazioni|prenota|emergenze|werkstatt|filial|warsztat|orders|info'
/** Letters that stand for a telephone, a mobile, a fax: alone, at the beginning of what they say. */
const LETTER = '(?:^|[\\s|·•,;()–-])[tfmphcd](?:[.:：)\\s]|$)'

const EDGE_BEFORE = '(?:^|[^\\p{L}\\p{N}])'
const before = (words: string, space: string) =>
  new RegExp(
    `${EDGE_BEFORE}(?:${words})(?:[${space}.:#/–-]|n[ro°º]\\.?|num(?:ber|mer|éro|ero)?|№){0,8}(?:(?-i:[A-Z]{1,3}) ?)?$`,
    'iu',
  )
const OWN_BEFORE = before(OWN, '\\s')
const THING_BEFORE = before(THING, ' ')
const PHONE_BEFORE = new RegExp(
  `(?:(?:${EDGE_BEFORE}(?:${PHONE})(?:s|y|i|es|nummern?|nr)?|${LETTER})(?:[\\s.:：/+&()–-]|n[ro°º]\\.?|num(?:ber|mer|éro|ero|er)?|№|\\bor\\b|\\boder\\b|\\bou\\b|\\(?(?:mobile?|home|work|office|privat|cell|free|fax|tel)\\)?){0,12}|${EDGE_BEFORE}(?:${PLACE})\\s?[:：]\\s{0,2}|[☎☏✆📞📱📠🕿🖷]\\uFE0F?\\s{0,3})$`,
  'iu',
)

/** Any word with "no.", "number" or the like behind it: a number of something, whatever that is. */
const NUMBERED =
  /\p{L}(?:[\p{L}./()-]*[ -]{0,2}(?:n[°º]|n\.º|number|nummer|num[eé]ro|número|№|#|番号|编号|번호)|[\p{L}./()-]*[ ._/-]{1,2}(?:n[or]|num|id|code|key)|[\p{L}-]*(?<=[n-t])nr|[a-z]+(?-i:Id|ID|Code|Key|No))\.? ?[:：#]? ?$/iu

const WINDOW = 48
const LINE = 100
const CALLING = new RegExp(`${EDGE_BEFORE}(?:${PHONE})(?![\\p{L}\\p{N}])`, 'iu')
const COUNTING = new RegExp(`${EDGE_BEFORE}(?:${OWN}|${THING})(?![\\p{L}\\p{N}])`, 'iu')

/** Whether the words before a number, on its line, are about calling and name no other kind of number. */
export function speaksOfCalling(text: string, at: number): boolean {
  const line = text.slice(Math.max(0, at - LINE), at).replace(/^[\s\S]*\n/, '')
  return CALLING.test(line) && !COUNTING.test(line)
}

/** What the words right before a number make of it. */
export function labelBefore(text: string, at: number): 'phone' | 'other' | 'none' {
  const words = text
    .slice(Math.max(0, at - WINDOW), at)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n\s*/g, '\n')
  if (PHONE_BEFORE.test(words)) return 'phone'
  return OWN_BEFORE.test(words) || THING_BEFORE.test(words) || NUMBERED.test(words) ? 'other' : 'none'
}
