import { parsePhoneNumberFromString } from 'libphonenumber-js/max'

type OptChange = 'stop' | 'start'

/** What is said once to somebody who stops promotions or begins again, by language. */
const TEXTS = {
  en: {
    stop: (name: string) => `You will get no more promotions from ${name} here. Write START if you change your mind.`,
    start: (name: string) => `You will hear from ${name} again. Write STOP at any time to end it.`,
  },
  de: {
    stop: (name: string) => `Sie bekommen hier keine Werbung mehr von ${name}. Mit START beginnt sie wieder.`,
    start: (name: string) => `Sie hören wieder von ${name}. Mit STOPP endet das jederzeit.`,
  },
  fr: {
    stop: (name: string) => `Vous ne recevrez plus de promotions de ${name} ici. Écrivez START si vous changez d’avis.`,
    start: (name: string) => `Vous aurez de nouveau des nouvelles de ${name}. Écrivez STOP à tout moment pour arrêter.`,
  },
  es: {
    stop: (name: string) => `No recibirá más promociones de ${name} aquí. Escriba START si cambia de opinión.`,
    start: (name: string) => `Volverá a recibir noticias de ${name}. Escriba STOP cuando quiera para terminar.`,
  },
  pt: {
    stop: (name: string) => `Não receberá mais promoções de ${name} aqui. Escreva START se mudar de ideia.`,
    start: (name: string) => `Voltará a receber novidades de ${name}. Escreva STOP a qualquer momento para parar.`,
  },
  it: {
    stop: (name: string) => `Non riceverà più promozioni da ${name} qui. Scriva START se cambia idea.`,
    start: (name: string) => `Riceverà di nuovo notizie da ${name}. Scriva STOP in qualsiasi momento per smettere.`,
  },
  nl: {
    stop: (name: string) => `U krijgt hier geen reclame meer van ${name}. Schrijf START als u zich bedenkt.`,
    start: (name: string) => `U hoort weer van ${name}. Schrijf op elk moment STOP om dat te beëindigen.`,
  },
} satisfies Record<string, Record<OptChange, (name: string) => string>>

type Language = keyof typeof TEXTS

/** Words that only one of the languages has. */
const WORDS: [Language, RegExp][] = [
  ['de', /\b(stopp|bitte|danke|abmelden|abbestellen|austragen|keine|anmelden|weiter)\b/],
  ['fr', /\b(arret|arreter|desabonner|desinscrire|pub|svp|merci|reprendre|abonner)\b/],
  ['es', /\b(alto|baja|parar|mas|suscripcion|favor|gracias|reanudar|alta)\b/],
  ['pt', /\b(pare|sair|descadastrar|inscricao|quero|obrigad[oa]|retomar)\b/],
  ['it', /\b(disiscrivi|disiscrivimi|cancellami|iscrizione|grazie|riprendi)\b/],
  ['nl', /\b(afmelden|uitschrijven|stoppen|alstublieft|bedankt|aanmelden)\b/],
  ['en', /\b(all|unsubscribe|opt|quit|remove|promotions|messages|sending|please|thanks|resume|subscribe)\b/],
]

const COUNTRIES: [Language, string[]][] = [
  ['de', ['DE', 'AT', 'LI']],
  ['fr', ['FR', 'MC', 'SN', 'CI']],
  ['es', ['ES', 'MX', 'AR', 'CO', 'CL', 'PE', 'EC', 'VE', 'UY', 'PY', 'BO', 'CR', 'GT', 'HN', 'NI', 'PA', 'SV', 'DO']],
  ['pt', ['PT', 'BR', 'AO', 'MZ']],
  ['it', ['IT', 'SM']],
  ['nl', ['NL']],
]

/** The language of a person who wrote `said`: by their words, else by the country of their number (E.164), else English. */
function detectLanguage(said: string, phone: string | null): Language {
  const plain = said
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
  const spoken = WORDS.find(([, words]) => words.test(plain))?.[0]
  if (spoken) return spoken
  const country = phone && parsePhoneNumberFromString(phone)?.country
  return COUNTRIES.find(([, countries]) => country && countries.includes(country))?.[0] ?? 'en'
}

/** The confirmation of a wish, in the language of the one who has it. `name`: whose messages they are. */
export function buildConfirmation(wish: OptChange, name: string, said: string, phone: string | null): string {
  return TEXTS[detectLanguage(said, phone)][wish](name)
}
