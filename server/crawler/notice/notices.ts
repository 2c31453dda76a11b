/** What a site says against collecting its contacts: the words, and whether they hold for the whole host. */
export interface Notice {
  text: string
  coversHost: boolean
}

interface Phrase {
  pattern: RegExp
  /** Where it holds for the whole host: wherever it stands, or on pages of terms, imprint and privacy; else for its page. */
  host: 'always' | 'legal'
  /** Counts only on pages of terms, imprint and privacy: elsewhere the words mean something else. */
  onlyLegal?: true
  /** The same words said of oneself ("we do not collect") or to subscribers. */
  unless?: RegExp
}

const CONTACTS =
  '(?:e-?mails?|mail ?addresses|addresses|contact (?:details|information|data)|contacts|(?:tele)?phone numbers?|personal (?:data|information|details)|names)'
const GATHER = '(?:harvest|scrap(?:e|ing)|collect|gather|extract|mining|crawl|spider)\\w*'
const FORBID =
  "(?:prohibited|forbidden|(?:not|never) (?:be )?(?:permitted|allowed|authori[sz]ed)|(?:may|must|shall|can|agree) ?not|agree not to|you (?:do not|don't)|without (?:our|the|prior|express)[^\\n]{0,40}(?:consent|permission))"
const OURSELVES =
  /\b(?:we|our (?:site|website|company)|this (?:site|website|page|app)|cookies?)\b[^\n]{0,40}\b(?:do|does|will|shall|may|can|are|is)(?: not|n't| never)\b[^\n]{0,40}\b(?:collect|gather|track|send|receive)/i
const SUBSCRIBERS =
  /\b(?:subscri|unsubscri|newsletter|sign(?:ed|ing)? ?up|mailing list|opt(?:ed)?[- ]?(?:in|out)|your inbox|any ?time)/i

/**
 * A sentence each. A promise to subscribers ("no spam, unsubscribe any time") is none; "we do not sell e-mail addresses" in a
 * privacy policy is the notice that 15 USC 7704 (b)(1)(A)(i) means.
 */
const PHRASES: Phrase[] = [
  // English
  {
    pattern:
      /(?:will|do|does|shall)(?: not|n't| never)\b[^\n]{0,80}\b(?:give|sell|transfer)\b[^\n]{0,120}\baddresses\b[^\n]{0,40}\b(?:maintained|published|listed|displayed|shown|contained|found)\b/i,
    host: 'always',
  },
  {
    pattern:
      /(?:will|do|does|shall)(?: not|n't| never)\b[^\n]{0,80}\b(?:give|sell|rent|trade|share|transfer|disclose)\b[^\n]{0,100}\be-?mail address(?:es)?\b|\be-?mail address(?:es)?\b[^\n]{0,60}\b(?:will|is|are)(?: not| never|n't)\b[^\n]{0,30}\b(?:given|sold|rented|traded|shared|transferred|disclosed)\b/i,
    host: 'legal',
    onlyLegal: true,
    unless: SUBSCRIBERS,
  },
  {
    pattern: new RegExp(
      `\\b${FORBID}[^\\n]{0,160}\\b${GATHER}[^\\n]{0,120}\\b${CONTACTS}\\b|\\b${GATHER}[^\\n]{0,120}\\b${CONTACTS}\\b[^\\n]{0,160}\\b${FORBID}`,
      'i',
    ),
    host: 'legal',
    unless: OURSELVES,
  },
  {
    pattern: /^\W*(?:please )?(?:do not|don't|never|no) (?:harvest|scrap(?:e|ing))\w*/i,
    host: 'legal',
  },
  {
    pattern: new RegExp(
      `\\b${FORBID}[^\\n]{0,200}\\b(?:robots?|spiders?|scrap(?:ers?|ing|e)|crawlers?|harvest\\w*|data[- ]mining|automated (?:means|systems?|software|tools?|devices?|process\\w*))\\b`,
      'i',
    ),
    host: 'legal',
    onlyLegal: true,
    unless: OURSELVES,
  },
  {
    pattern:
      /\b(?:do not|don't|please no|must not|may not|not to|not (?:be )?used? (?:for|to)|no|never|object to|not accept|not welcome)\b[^\n]{0,80}\bunsolicited\b[^\n]{0,40}\b(?:e-?mails?|mail|messages?|advertis\w+|offers?|communications?|calls?|solicitations?|marketing|commercial)/i,
    host: 'legal',
    unless:
      /\b(?:we|us|our)\b[^\n]{0,30}\b(?:do not|don't|will not|won't|never) (?:send|share|use)|\byou (?:will|do|may)(?: not|n't)? receive|\breceiv\w+[^\n]{0,40}\bfrom us\b/i,
  },
  {
    pattern:
      /\bno (?:cold[- ]?(?:e-?mails?|calls?|calling|outreach)|solicit(?:ing|ors|ations?)|sales (?:calls?|e-?mails?|pitches)|harvesting|scraping)\b|\b(?:no spam,? please|please,? (?:send )?no spam|(?:do not|don't) spam (?:us|me|this|our))\b/i,
    host: 'legal',
    unless: SUBSCRIBERS,
  },
  // German
  {
    pattern:
      /(?:Kontaktdaten|Adress\w*|E-?Mail\w*|Impressum\w*|Telefon\w*|Rufnummer\w*|Daten)[^\n]{0,250}(?:Werbung|Werbe\w*|Informationsmaterial\w*|Spam)[^\n]{0,120}(?:wird|werden|sei)[^\n]{0,60}(?:widersprochen|untersagt)/i,
    host: 'always',
  },
  {
    pattern:
      /(?:wir|ich)\s+widersprech\w+[^\n]{0,60}|widersprech\w+\s+(?:wir|ich)\b[^\n]{0,60}(?:Werbung|Werbe\w*|Nutzung|Verwendung)/i,
    host: 'legal',
    onlyLegal: true,
    unless: /\b(?:Ihnen|Ihre[rnms]?|Sie)\b/,
  },
  {
    pattern:
      /(?:Auslesen|Sammeln|Sammlung|Erfass\w+|Harvest\w*|Scrap\w*|Nutzung|Verwendung|Verwertung|Weitergabe)[^\n]{0,200}(?:Adressen|E-?Mail-?Adress\w*|Kontaktdaten|Telefonnummern|Rufnummern)[^\n]{0,200}(?:untersagt|verboten|nicht (?:gestattet|erlaubt|erwünscht|zulässig)|unzulässig|widersprochen)/i,
    host: 'legal',
  },
  {
    pattern:
      /\b(?:bitte )?keine (?:Werbe-?(?:anrufe|mails?|e-?mails?|post|sendungen)|Kaltakquise|Akquise-?\w*)\b|\b(?:Werbe-?(?:anrufe|mails?|e-?mails?)|Kaltakquise)\b[^\n]{0,40}\b(?:unerwünscht|nicht erwünscht|untersagt|verboten)|\bbitte keine Werbung\b/i,
    host: 'legal',
    unless: /\b(?:wir (?:ver)?senden|erhalten (?:sie )?keine|abbestell|abmeld)/i,
  },
  // French
  {
    pattern:
      /(?:collecte|utilisation|aspiration|extraction|récupération)[^\n]{0,160}(?:adresses?|coordonnées|e-?mails?|courriels?|numéros)[^\n]{0,200}(?:interdite?s?|prohibée?s?|(?:pas|non) autorisée?s?)|(?:interdit|interdiction|défense)[^\n]{0,60}(?:collecter|utiliser|aspirer|extraire|collecte|utilisation)[^\n]{0,160}(?:adresses? (?:e-?mail|électronique|mail)|coordonnées|courriels?|e-?mails?)/i,
    host: 'legal',
  },
  {
    pattern:
      /démarchage[^\n]{0,60}(?:interdit|refusé|non autorisé|pas (?:accepté|autorisé))|\b(?:pas de|aucun|non au) (?:démarchage|prospection)/i,
    host: 'legal',
  },
  // Spanish and Portuguese
  {
    pattern:
      /(?:prohib\w+|no (?:se |está |están )?(?:permit\w+|autoriza\w*)|pro[ií]bid\w+|não (?:é|são|está) (?:permitid|autorizad)\w+)[^\n]{0,200}(?:recopil\w+|recolec\w+|recog\w+|extra\w+|capturar?|coleta\w*|recolha|uso|utiliza\w+|env[ií]o)[^\n]{0,160}(?:direcci\w+ de correo|direcciones|correos? electrónicos?|endereços|e-?mails?|datos de contacto|dados de conta[c]?to|publicidad no solicitada|comunicaciones comerciales)/i,
    host: 'legal',
  },
  // Italian
  {
    pattern:
      /(?:vietat\w+|proibit\w+|divieto|non (?:è|sono) (?:consentit|autorizzat|permess)\w+)[^\n]{0,200}(?:raccolta|raccogliere|estra\w+|utilizz\w+|uso|invio)[^\n]{0,160}(?:indirizzi|e-?mail|recapiti|contatti|pubblicità|non richiest\w+)/i,
    host: 'legal',
  },
  // Dutch
  {
    pattern:
      /(?:verzamelen|gebruik\w*|overnemen|scrapen|harvesten)[^\n]{0,160}(?:e-?mail-?adressen|contactgegevens|telefoonnummers|adresgegevens)[^\n]{0,160}(?:verboden|niet toegestaan)|(?:verboden|niet toegestaan)[^\n]{0,120}(?:e-?mail-?adressen|contactgegevens)[^\n]{0,80}(?:verzamelen|gebruik\w*)|\b(?:geen|acquisitie)\b[^\n]{0,30}\b(?:acquisitie|ongevraagde reclame|niet op prijs gesteld)/i,
    host: 'legal',
  },
  // Polish
  {
    pattern:
      /nie (?:wyrażam|wyrażamy|wyraża się|życzymy sobie|życzę sobie)[^\n]{0,160}(?:handlow\w+|marketing\w+|reklam\w+|ofert\w*)|(?:zabrania się|zabronione|zakaz)[^\n]{0,160}(?:zbierani\w+|pozyskiwani\w+|wykorzyst\w+)[^\n]{0,120}(?:adres\w+|danych kontaktowych|e-?mail\w*)/i,
    host: 'legal',
  },
]

/** Stems of which one stands in every such sentence, for a first and fast look. */
const STEMS =
  /harvest|scrap(?:e|ing)|unsolicited|solicit|cold[- ]?(?:e-?mail|call|outreach)|spam|sales (?:call|e-?mail|pitch)|robots?\b|spiders?\b|data[- ]mining|automated|address|widersproch|widersprech|werbe|werbung|untersagt|verboten|gestattet|akquise|interdit|démarchage|prospection|prohib|pro[ií]bid|permit|autoriz|vietat|proibit|divieto|consentit|verboden|toegestaan|acquisitie|wyraża|życz|zabr[ao]n|zakaz/gi

const LEGAL =
  /terms|conditions|nutzungsbedingungen|\bagb\b|legal|impressum|imprint|disclaimer|haftung|mentions|\bcgu\b|note-?legali|aviso|privac|datenschutz|polic(?:y|ies)|regulamin|voorwaarden|termos|termini|condizioni|acceptable[- ]use/i

const MAX_SENTENCE_LENGTH = 700
const MAX_CHECKS = 400

/** The sentence around a place of a text: to the ends of its line, or full stops before capitals. */
function sentenceAt(text: string, at: number): { from: number; to: number } {
  const before = text.slice(Math.max(0, at - MAX_SENTENCE_LENGTH), at)
  const start = Math.max(before.lastIndexOf('\n'), before.search(/[.!?]\s+(?=[^.!?\n]*$)/))
  const after = text.slice(at, at + MAX_SENTENCE_LENGTH)
  const end = after.search(/\n|[.!?](?:\s|$)/)
  return { from: at - before.length + start + 1, to: end < 0 ? at + after.length : at + end + 1 }
}

/**
 * The first sentence of a page by which it forbids to collect or to use its contacts. `text`: as readers see it; `where`: its
 * path and title, which say whether it is a page of terms, imprint or privacy. Takes time linear in the text.
 */
export function findNotice(text: string, where: string): Notice | undefined {
  const isLegal = LEGAL.test(where)
  let looks = 0
  let done = 0
  for (const { index } of text.matchAll(STEMS)) {
    if (index < done) continue
    if (looks++ > MAX_CHECKS) return undefined
    const { from, to } = sentenceAt(text, index)
    done = to
    const sentence = text.slice(from, to).replace(/\s+/g, ' ').trim()
    const phrase = PHRASES.find(
      ({ pattern, onlyLegal, unless }) => (isLegal || !onlyLegal) && pattern.test(sentence) && !unless?.test(sentence),
    )
    if (phrase)
      return {
        text: sentence.length > 200 ? `${sentence.slice(0, 199)}…` : sentence,
        coversHost: phrase.host === 'always' || isLegal,
      }
  }
  return undefined
}
