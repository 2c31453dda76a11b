/**
 * Words by which people stop messages, as the whole of what they say. Small and strict on purpose: "stop by tomorrow" is
 * no wish to hear nothing more, and who is not understood can still tap the button or block.
 */
const STOP = new Set(
  [
    // English
    'stop',
    'stop all',
    'stopall',
    'unsubscribe',
    'unsubscribe me',
    'opt out',
    'optout',
    'opt-out',
    'quit',
    'remove me',
    'stop promotions',
    'no more messages',
    // German
    'stopp',
    'abmelden',
    'abbestellen',
    'austragen',
    'keine werbung',
    'keine nachrichten mehr',
    // French
    'arret',
    'arreter',
    'desabonner',
    'desinscrire',
    'me desabonner',
    'stop pub',
    // Spanish
    'alto',
    'baja',
    'parar',
    'darme de baja',
    'dar de baja',
    'no mas mensajes',
    'cancelar suscripcion',
    // Portuguese
    'pare',
    'sair',
    'descadastrar',
    'cancelar inscricao',
    'nao quero mais receber',
    // Italian
    'disiscrivi',
    'disiscrivimi',
    'cancellami',
    'annulla iscrizione',
    // Dutch
    'afmelden',
    'uitschrijven',
    'stoppen',
    // Polish, Czech, Romanian
    'wypisz',
    'wypisz mnie',
    'rezygnuje',
    'odhlasit',
    'dezabonare',
    // Scandinavian, Finnish
    'avmeld',
    'avregistrera',
    'afmeld',
    'lopeta',
    'peruuta tilaus',
    // Turkish, Indonesian, Malay, Vietnamese
    'dur',
    'iptal',
    'abonelikten cik',
    'berhenti',
    'henti',
    'huy dang ky',
    // Russian, Ukrainian, Greek
    'стоп',
    'отписаться',
    'отписка',
    'хватит',
    'відписатися',
    'διακοπη',
    'διαγραφη',
    // Arabic, Hebrew, Persian, Urdu
    'توقف',
    'ايقاف',
    'الغاء الاشتراك',
    'الغاء',
    'הסר',
    'הסרה',
    'עצור',
    'لغو',
    // Hindi, Bengali, Tamil
    'बंद',
    'बंद करो',
    'बंद करें',
    'रोको',
    'रोकें',
    'বন্ধ',
    'நிறுத்து',
    // Chinese, Japanese, Korean, Thai
    '停止',
    '退订',
    '退訂',
    '取消订阅',
    '取消訂閱',
    '配信停止',
    '停止する',
    '解除',
    '중지',
    '수신거부',
    '그만',
    'หยุด',
    'ยกเลิก',
  ].map(bare),
)

const START = new Set(
  [
    'start',
    'unstop',
    'subscribe',
    'resume',
    'anmelden',
    'weiter',
    'reprendre',
    'abonner',
    'reanudar',
    'alta',
    'retomar',
    'riprendi',
    'aanmelden',
    'старт',
    'возобновить',
    'ابدا',
    'शुरू',
    '开始',
    '開始',
    '再開',
    '시작',
  ].map(bare),
)

/** Words said around it out of politeness. */
const POLITE =
  /\b(please|pls|plz|thanks|thank you|thx|bitte|danke|svp|s il vous plait|merci|por favor|gracias|obrigado|obrigada|per favore|grazie|alstublieft|bedankt|now|jetzt)\b/g
const STOP_SENDING =
  /^stop (sending|messaging|texting|contacting|writing|spamming|bothering)( (me|us))?( (any|all|these|your|more|anymore|promotional|marketing))*( (messages?|promotions?|texts?|ads|marketing|spam|offers?))?$/

/** Letters and digits in one shape: small, without accents, signs and double spaces. */
function bare(text: string): string {
  return (
    text
      .normalize('NFKD')
      // Accents of Latin, Greek and Arabic; signs that other scripts need to be read stay.
      .replaceAll(/[\u0300-\u036f\u064b-\u065f\u0670]/g, '')
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
      .trim()
  )
}

const core = (text: string) => {
  const plain = bare(text.slice(0, 200))
  return plain.replaceAll(POLITE, ' ').replaceAll(/\s+/g, ' ').trim() || plain
}

/** Whether somebody who says this wants no more messages. */
export function isOptOut(text: string): boolean {
  if (text.length > 200) return false
  const said = core(text)
  return STOP.has(said) || STOP_SENDING.test(said)
}

/** Whether somebody who says this wants messages again. */
export function isOptBackIn(text: string): boolean {
  return text.length <= 200 && START.has(core(text))
}
