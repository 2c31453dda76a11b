/** Words before a number that make it something else: companies, banks, orders, things. Any one of them, close before it. */
const OWN = [
  // Companies and taxes
  'vat|ust|umsatzsteuer|mwst|uid|tva|iva|p\\.?\\s?iva|partita|btw|kvk|rsin|moms|cvr|org\\.?\\s?-?\\s?n[ro]|organisationsn|nip|regon|krs|pesel|ičo|ico|dič|dic|ič|siren|siret|rcs(?:\\s\\p{L}+)?(?:\\s[AB])?|contribuinte|alvará|ape|naf|nif|cif|nie|dni|rfc|curp|cnpj|cpf|cuit|ein|tin|ssn|abn|acn|gst|gstin|pan|cin|ogrn|огрн|инн|кпп|окпо|егрпоу|bulstat|eik|oib|mbs|emšo|vkn|vergi|mersis|handelsregister|hr[ab]|registergericht|registernummer|amtsgericht|steuer|st\\.?\\s?-?\\s?nr|company\\s(?:no|number|reg\\w*)|registered\\s(?:in|no|number|company|charity)|registration|reg\\.?\\s?(?:no|nr)|charity|adószám|cégjegyzék|y-tunnus|fiscal[e]?|fiscale|rea|albo|c\\.?\\s?f\\.?|codice|se|licen[cs]e|licence|lic|permit|zulassung|法人番号|登録番号|crm|dun(?:s|ning)?|lei|duns',
  // Banks
  'iban|bic|swift|blz|kto|konto(?:nummer)?|account|acct|sort\\s?code|routing|aba|bank|rib|ccp|cbu|clabe|ifsc|numer konta|счет|р/с|бик|карт[аы]|card|visa|mastercard|cvv',
].join('|')
/** Words of things: they belong to what stands on the same line. */
const THING = [
  // Things, orders, dates
  'order|bestell(?:nummer|ung)?|auftrag\\w*|commande|pedido|ordine|zamówieni\\w*|invoice|rechnung\\w*|facture|factura|fattura|faktura|customer|kunden(?:nummer|nr)?|client|ticket|case|ref(?:erence|erenz|\\.)?|réf|art(?:ikel|icle|\\.)?(?:nummer|nr|no)?|sku|item|model|modell|serial|serien\\w*|part\\s?(?:no|number)|product|produkt\\w*|isbn|issn|ean|upc|gtin|asin|doi|pmid|arxiv|patent|barcode|tracking|sendung\\w*|parcel|colis|id|uuid|guid|code|pin|otp|key|hash|version|build|rev|release|v|imei|mac|ip|gps|lat|lon|lng|latitude|longitude|breite|länge|coord\\w*|zip|plz|postcode|postal|cap|postleitzahl|p\\.?o\\.?\\s?box|postfach|bp|cedex|date|datum|fecha|data|since|seit|depuis|desde|dal|founded|est(?:ablished|\\.)?|copyright|©|price|preis|prix|precio|prezzo|cena|eur|usd|chf|gbp|€|\\$|£|year|jahr|aktenzeichen|az|flug|flight|gleis|score|points|views|downloads|population|einwohner|km|isrc|nct|\\p{L}{2,}-?(?:nummer|numer[o]?|nr|number|referenz|reference|id|code)|zertifikat\\w*|certificate',
].join('|')

/** Words before a number, or on the link, that make it a telephone or a fax. */
const PHONE =
  'tel(?:e(?:fon|phone|foon|fono|f|fonos|phon|fone|fax|fonsko)?)?|телефон|тел|phone|ph|call(?:\\sus)?|mob(?:il(?:e|ní|ny|telefon)?|iel|ilní)?|cell(?:ulare|phone)?|handy|gsm|móvil|movil|celular|portable|komórka|komórkowy|kom|fax|faks|факс|telefax|t[ée]l(?:é|e)?(?:phone|copie)?|hotline|helpline|freephone|toll\\s?-?free|durchwahl|zentrale|whats\\s?app|wa|viber|signal|sms|sím|fone|telefone|tlf|tlfn|tfno|teléfono|fijo|linea|numéro|n[°º]\\s?vert|num[eéè]ro\\s(?:vert|verde|azzurro)|freefone|telem[oó]vel|tlm|nummer\\sanrufen|anruf(?:en)?|rufen\\ssie|ruf(?:nummer)?|reach\\sus|dial|text|電話|tél|puh(?:elin)?|telefonnummer|telefonszám|τηλ(?:έφωνο)?|טלפון|هاتف|전화|电话|โทร|notruf|emergency|reservations?|booking|contact|kontakt|contacto|contatti|office|büro|praxis|m|t|f|p|e'

const EDGE_BEFORE = '(?:^|[^\\p{L}\\p{N}])'
const before = (words: string, space: string) =>
  new RegExp(
    `${EDGE_BEFORE}(?:${words})(?:[${space}.:#/–-]|n[ro°º]\\.?|num(?:ber|mer|éro|ero)?|№){0,8}(?:[A-Z]{1,3} ?)?$`,
    'iu',
  )
const OWN_BEFORE = before(OWN, '\\s')
const THING_BEFORE = before(THING, ' ')
const PHONE_BEFORE = new RegExp(
  `(?:${EDGE_BEFORE}(?:${PHONE})(?:s|y|i|es|nummern?|nr)?(?:[\\s.:/+&()–-]|n[ro°º]\\.?|num(?:ber|mer|éro|ero|er)?|№|\\bor\\b|\\boder\\b|\\bou\\b|\\(?(?:mobile?|home|work|office|privat|cell|free|fax|tel)\\)?){0,12}|[☎☏✆📞📱📠🕿🖷]\\uFE0F?\\s{0,3})$`,
  'iu',
)

/** Any word with "no.", "number" or the like behind it: a number of something, whatever that is. */
const NUMBERED =
  /[\p{L}][\p{L}./()-]*[ -]{0,2}(?:n[or]|n[°ºo]|n\.º|num|number|nummer|num[eé]ro|número|№|#|id|code|key|番号|编号|번호)\.? ?[:：#]? ?$/iu

const WINDOW = 48

/** What the words right before a number make of it. */
export function labelBefore(text: string, at: number): 'phone' | 'other' | 'none' {
  const words = text
    .slice(Math.max(0, at - WINDOW), at)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n\s*/g, '\n')
  if (PHONE_BEFORE.test(words)) return 'phone'
  return OWN_BEFORE.test(words) || THING_BEFORE.test(words) || NUMBERED.test(words) ? 'other' : 'none'
}
