import type { PageTexts } from './texts.ts'

export const it: PageTexts = {
  title: 'Le tue preferenze email',
  intro: 'Scegli che cosa {sender} invia a {address}.',
  saved: 'Le modifiche sono state salvate.',
  unsubscribed:
    'La tua iscrizione è annullata. {sender} non ti scriverà più. Un messaggio già in viaggio può ancora arrivare.',
  linkSent: 'Abbiamo inviato un link a {address}. È valido per 24 ore.',
  tooMany: 'Questa pagina è stata usata molte volte nell’ultima ora. Riprova più tardi. Non è stato modificato nulla.',
  noEmail:
    'Il mittente non ha un tuo indirizzo email, quindi non è possibile inviare un link. Rivolgiti direttamente al mittente.',
  blocked: 'Il tuo indirizzo è bloccato e non gli vengono inviate email. Per riceverle di nuovo, contatta {sender}.',
  moved:
    'Questa email è stata inviata a {address}. Ora {sender} ha un altro suo indirizzo, quindi le preferenze si possono modificare solo con il link di un’email inviata a quell’altro indirizzo. Qui può comunque annullare l’iscrizione.',
  removed:
    '{sender} ti ha rimosso dai suoi contatti, quindi non ci sono preferenze da modificare. Per un massimo di 24 ore può ripristinare i tuoi dati. Per farli cancellare definitivamente, richiedi un link: lo inviamo a {address}.',
  emailsOff: 'Non ricevi email da {sender}. Seleziona Email e salva per scegliere di nuovo le liste.',
  lists: 'Che cosa vuoi ricevere?',
  noLists: 'Non ci sono liste tra cui scegliere.',
  channels: 'Come possiamo contattarti?',
  email: 'Email',
  frequency: 'Con quale frequenza?',
  all: 'Tutte le email',
  weekly: 'Al massimo un’email alla settimana',
  pause: 'Nessuna email per 30 giorni',
  paused: 'Nessuna email fino al {date}',
  save: 'Salva le modifiche',
  unsubscribeAll: 'Annulla tutte le iscrizioni',
  unsubscribeHint: {
    email: 'Interrompe subito tutte le email di {sender}.',
    whatsapp: 'Interrompe subito tutti i messaggi WhatsApp di {sender}.',
    both: 'Interrompe subito tutte le email e i messaggi WhatsApp di {sender}.',
  },
  why: 'Perché ho ricevuto questa email?',
  sentOn: 'L’email «{subject}» è stata inviata a {address} il {date}.',
  sources: {
    import: '{sender} ti ha aggiunto da un file di contatti il {date}.',
    form: 'Ti sei iscritto con un modulo il {date}.',
    collected: '{sender} ha trovato il tuo indirizzo su una pagina web pubblica e ti ha aggiunto il {date}.',
    other: '{sender} ti ha aggiunto il {date}.',
  },
  confirmed: 'Hai accettato di ricevere {list} il {date}.',
  agreed: '{sender} dichiara che avevi già accettato {list}: «{evidence}»',
  found: 'Il tuo indirizzo è stato trovato su {url} il {date}.',
  bases: {
    consent: 'Base giuridica: il tuo consenso.',
    customer: 'Base giuridica: sei cliente.',
    legitimate_interest: 'Base giuridica: interesse legittimo.',
  },
  noEvidence: 'Qui non è conservata alcuna prova del tuo consenso. Chiedila a {sender}.',
  postalAddress: 'Indirizzo postale del mittente',
  noPostalAddress: 'Il mittente non ha indicato un indirizzo postale.',
  data: 'I tuoi dati',
  dataHint: 'Per proteggere i tuoi dati, inviamo un link all’indirizzo che {sender} ha di te.',
  askData: 'Scarica i miei dati',
  askErasure: 'Cancella i miei dati',
  download: {
    title: 'Scarica i tuoi dati',
    text: 'Il file contiene tutto ciò che {sender} ha conservato qui su di te.',
    button: 'Scarica il file',
    subject: 'I tuoi dati presso {sender}',
    body: 'Hai chiesto i dati che {sender} ha conservato su di te. Scaricali qui:\n\n{link}\n\nIl link è valido per 24 ore. Se non li hai chiesti tu, ignora questa email.',
  },
  erase: {
    title: 'Cancellare i tuoi dati?',
    text: '{sender} cancellerà tutto ciò che è conservato qui su di te e non ti scriverà più. Non si può annullare.',
    button: 'Cancella i miei dati',
    subject: 'Conferma la cancellazione dei tuoi dati presso {sender}',
    body: 'Hai chiesto a {sender} di cancellare tutto ciò che è conservato su di te. Confermalo qui:\n\n{link}\n\nIl link è valido per 24 ore. Senza di esso non viene cancellato nulla. Se non l’hai chiesto tu, ignora questa email.',
    done: 'I tuoi dati sono cancellati',
    doneText:
      'Non riceverai più email da {sender}. Resta solo un codice illeggibile del tuo indirizzo, per non aggiungerti di nuovo per errore.',
  },
  expired: {
    title: 'Questo link è scaduto',
    text: 'I link sono validi per 24 ore. Chiedine uno nuovo nella pagina delle tue preferenze.',
  },
  gone: {
    title: 'Non c’è più nulla da gestire',
    text: 'Il mittente ha eliminato i tuoi dati, quindi non ci sono preferenze da modificare. Non riceverai più email, a meno che tu non ti iscriva di nuovo.',
  },
  test: {
    title: 'Era una prova',
    text: 'Il messaggio era una prova. In uno vero, questa pagina mostra che cosa può scegliere il destinatario.',
  },
  leave: {
    title: 'Annulla l’iscrizione',
    text: 'Email da {sender} a {address}. Non è ancora stato modificato nulla.',
    choice: 'Che cosa non vuoi più ricevere?',
    all: 'Tutte le email di {sender}',
    list: 'Solo la mailing list di questo messaggio',
    button: 'Annulla l’iscrizione',
    done: 'La tua iscrizione è annullata',
    doneAll: '{sender} non invierà più email a {address}.',
    doneList:
      '{address} non fa più parte della mailing list di quel messaggio. Possono ancora arrivare altre email di {sender}.',
    atOnce: 'Ha effetto immediato. Un messaggio già in viaggio può ancora arrivare.',
    again: 'Hai cambiato idea? Solo tu puoi tornare indietro: iscriviti di nuovo presso il mittente o contattalo.',
    preferences: 'Gestisci le preferenze',
    gone: {
      title: 'Non riceverai altre email',
      text: 'Il mittente di quel messaggio ha chiuso il suo account e tutti i suoi contatti sono stati eliminati. Non riceverai altre email da lui.',
    },
    test: {
      title: 'Era una prova',
      text: 'Il messaggio era una prova, quindi non c’è alcuna iscrizione da annullare. In uno vero, questa pagina chiede che cosa non vuoi più ricevere.',
    },
  },
  confirm: {
    title: 'Conferma la tua iscrizione',
    text: 'Riceverai {lists} non appena confermi. Puoi annullare l’iscrizione in qualsiasi momento.',
    button: 'Conferma l’iscrizione',
    decline: 'Non l’ho chiesto io',
    done: {
      title: 'La tua iscrizione è confermata',
      text: 'Grazie. Riceverai {lists} via email.',
    },
    declined: {
      title: 'Non te lo chiederemo più',
      text: 'Grazie per la segnalazione. Il tuo indirizzo non è stato iscritto a nulla.',
    },
    left: {
      title: 'La tua iscrizione è annullata',
      text: 'Hai annullato l’iscrizione dopo l’invio di questo link, che quindi non funziona più. Per ricevere di nuovo {lists}, iscriviti dove l’avevi trovato.',
    },
    expired: {
      title: 'Questo link è scaduto',
      text: 'I link sono validi per {days} giorni e nessuno ha usato questo. Non risulti iscritto. Per iscriverti, compila di nuovo il modulo dove l’avevi trovato.',
    },
    again: {
      text: 'Non risulti iscritto a {lists}. Se vuoi ancora iscriverti, possiamo inviarti un nuovo link via email.',
      button: 'Invia un nuovo link',
    },
    sent: {
      title: 'Controlla la tua posta',
      text: 'Ti abbiamo inviato un nuovo link via email. È valido per {days} giorni.',
    },
    full: {
      title: 'Le iscrizioni sono chiuse',
      text: 'Non è stato modificato nulla. Riprova tra qualche giorno.',
    },
  },
}
