import type { PageTexts } from './texts.ts'

export const de: PageTexts = {
  title: 'Ihre E-Mail-Einstellungen',
  intro: 'Wählen Sie, was {sender} an {address} sendet.',
  saved: 'Ihre Änderungen sind gespeichert.',
  unsubscribed:
    'Sie sind abgemeldet. {sender} schreibt Ihnen nicht mehr. Eine Nachricht, die schon unterwegs ist, kann noch ankommen.',
  linkSent: 'Wir haben einen Link an {address} gesendet. Er gilt 24 Stunden.',
  tooMany:
    'Diese Seite wurde in der letzten Stunde sehr oft benutzt. Versuchen Sie es später noch einmal. Es wurde nichts geändert.',
  noEmail:
    'Der Absender hat keine E-Mail-Adresse von Ihnen, daher kann kein Link gesendet werden. Fragen Sie den Absender direkt.',
  blocked:
    'Ihre Adresse ist gesperrt, es werden keine E-Mails an sie gesendet. Um wieder E-Mails zu erhalten, wenden Sie sich an {sender}.',
  moved:
    'Diese E-Mail ging an {address}. {sender} hat inzwischen eine andere Adresse von Ihnen. Ihre Einstellungen lassen sich deshalb nur mit dem Link einer E-Mail an diese andere Adresse ändern. Abmelden können Sie sich weiterhin hier.',
  removed:
    '{sender} hat Sie aus den Kontakten entfernt, daher gibt es keine Einstellungen mehr. Bis zu 24 Stunden lang können Ihre Daten wiederhergestellt werden. Um sie endgültig löschen zu lassen, fordern Sie einen Link an: Wir senden ihn an {address}.',
  emailsOff:
    'Sie erhalten keine E-Mails von {sender}. Wählen Sie E-Mail und speichern Sie, um wieder Listen zu wählen.',
  lists: 'Was möchten Sie erhalten?',
  noLists: 'Es gibt keine Listen zur Auswahl.',
  channels: 'Wie dürfen wir Sie erreichen?',
  email: 'E-Mail',
  frequency: 'Wie oft?',
  all: 'Alle E-Mails',
  weekly: 'Höchstens eine E-Mail pro Woche',
  pause: '30 Tage lang keine E-Mails',
  paused: 'Keine E-Mails bis {date}',
  save: 'Änderungen speichern',
  unsubscribeAll: 'Von allem abmelden',
  unsubscribeHint: {
    email: 'Beendet sofort alle E-Mails von {sender}.',
    whatsapp: 'Beendet sofort alle WhatsApp-Nachrichten von {sender}.',
    both: 'Beendet sofort alle E-Mails und WhatsApp-Nachrichten von {sender}.',
  },
  why: 'Warum habe ich diese E-Mail erhalten?',
  sentOn: 'Die E-Mail „{subject}“ wurde am {date} an {address} gesendet.',
  sources: {
    import: '{sender} hat Sie am {date} aus einer Kontaktdatei hinzugefügt.',
    form: 'Sie haben sich am {date} mit einem Formular angemeldet.',
    collected: '{sender} hat Ihre Adresse auf einer öffentlichen Webseite gefunden und Sie am {date} hinzugefügt.',
    other: '{sender} hat Sie am {date} hinzugefügt.',
  },
  confirmed: 'Sie haben am {date} zugestimmt, {list} zu erhalten.',
  agreed: 'Laut {sender} haben Sie {list} schon früher zugestimmt: „{evidence}“',
  found: 'Ihre Adresse wurde am {date} auf {url} gefunden.',
  bases: {
    consent: 'Rechtsgrundlage: Ihre Einwilligung.',
    customer: 'Rechtsgrundlage: Sie sind Kunde.',
    legitimate_interest: 'Rechtsgrundlage: berechtigtes Interesse.',
  },
  noEvidence: 'Hier ist kein Nachweis Ihrer Einwilligung gespeichert. Fragen Sie {sender} danach.',
  postalAddress: 'Postanschrift des Absenders',
  noPostalAddress: 'Der Absender hat keine Postanschrift angegeben.',
  data: 'Ihre Daten',
  dataHint: 'Zum Schutz Ihrer Daten senden wir einen Link an die Adresse, die {sender} von Ihnen hat.',
  askData: 'Meine Daten herunterladen',
  askErasure: 'Meine Daten löschen',
  download: {
    title: 'Ihre Daten herunterladen',
    text: 'Die Datei enthält alles, was {sender} hier über Sie gespeichert hat.',
    button: 'Datei herunterladen',
    subject: 'Ihre Daten bei {sender}',
    body: 'Sie haben die Daten angefordert, die {sender} über Sie gespeichert hat. Laden Sie sie hier herunter:\n\n{link}\n\nDer Link gilt 24 Stunden. Wenn Sie das nicht angefordert haben, ignorieren Sie diese E-Mail.',
  },
  erase: {
    title: 'Ihre Daten löschen?',
    text: '{sender} löscht alles, was hier über Sie gespeichert ist, und schreibt Ihnen nicht mehr. Das lässt sich nicht rückgängig machen.',
    button: 'Meine Daten löschen',
    subject: 'Bestätigen Sie, dass {sender} Ihre Daten löscht',
    body: 'Sie haben {sender} gebeten, alles zu löschen, was über Sie gespeichert ist. Bestätigen Sie das hier:\n\n{link}\n\nDer Link gilt 24 Stunden. Ohne ihn wird nichts gelöscht. Wenn Sie das nicht angefordert haben, ignorieren Sie diese E-Mail.',
    done: 'Ihre Daten sind gelöscht',
    doneText:
      'Sie erhalten keine E-Mails mehr von {sender}. Es bleibt nur ein unlesbarer Code Ihrer Adresse, damit Sie nicht versehentlich wieder hinzugefügt werden.',
  },
  expired: {
    title: 'Dieser Link ist abgelaufen',
    text: 'Links gelten 24 Stunden. Fordern Sie auf der Seite mit Ihren Einstellungen einen neuen an.',
  },
  gone: {
    title: 'Hier gibt es nichts mehr einzustellen',
    text: 'Der Absender hat Ihre Daten gelöscht, daher gibt es keine Einstellungen mehr. Sie erhalten keine E-Mails mehr, außer Sie melden sich wieder an.',
  },
  test: {
    title: 'Das war ein Test',
    text: 'Die Nachricht war ein Test. In einer echten zeigt diese Seite, was der Empfänger wählen kann.',
  },
  leave: {
    title: 'Abmelden',
    text: 'E-Mails von {sender} an {address}. Bisher wurde nichts geändert.',
    choice: 'Was soll enden?',
    all: 'Alle E-Mails von {sender}',
    list: 'Nur der Verteiler dieser Nachricht',
    button: 'Abmelden',
    done: 'Sie sind abgemeldet',
    doneAll: '{sender} sendet keine E-Mails mehr an {address}.',
    doneList:
      '{address} wurde aus dem Verteiler dieser Nachricht entfernt. Andere E-Mails von {sender} können weiterhin ankommen.',
    atOnce: 'Das gilt sofort. Eine Nachricht, die schon unterwegs ist, kann noch ankommen.',
    again:
      'Haben Sie es sich anders überlegt? Nur Sie können das rückgängig machen: Melden Sie sich beim Absender wieder an oder wenden Sie sich an ihn.',
    preferences: 'Einstellungen verwalten',
    gone: {
      title: 'Sie erhalten keine E-Mails mehr',
      text: 'Der Absender dieser Nachricht hat sein Konto geschlossen, und alle seine Kontakte sind gelöscht. Sie erhalten keine E-Mails mehr von ihm.',
    },
    test: {
      title: 'Das war ein Test',
      text: 'Die Nachricht war ein Test, daher gibt es nichts abzumelden. In einer echten fragt diese Seite, was enden soll.',
    },
  },
  confirm: {
    title: 'Bestätigen Sie Ihre Anmeldung',
    text: 'Sie erhalten {lists}, sobald Sie bestätigen. Sie können sich jederzeit abmelden.',
    button: 'Anmeldung bestätigen',
    decline: 'Ich habe das nicht angefordert',
    done: {
      title: 'Sie sind angemeldet',
      text: 'Vielen Dank. Sie erhalten {lists} per E-Mail.',
    },
    declined: {
      title: 'Sie werden nicht wieder gefragt',
      text: 'Danke für den Hinweis. Ihre Adresse wurde nirgends angemeldet.',
    },
    left: {
      title: 'Sie sind abgemeldet',
      text: 'Sie haben sich abgemeldet, nachdem dieser Link gesendet wurde. Er funktioniert deshalb nicht mehr. Um {lists} wieder zu erhalten, melden Sie sich dort an, wo Sie das Angebot gefunden haben.',
    },
    expired: {
      title: 'Dieser Link ist abgelaufen',
      text: 'Links gelten {days} Tage, und dieser wurde nicht benutzt. Sie sind nicht angemeldet. Um sich anzumelden, füllen Sie das Formular dort noch einmal aus, wo Sie es gefunden haben.',
    },
    again: {
      text: 'Sie sind nicht für {lists} angemeldet. Wenn Sie sich noch anmelden möchten, senden wir Ihnen einen neuen Link.',
      button: 'Neuen Link senden',
    },
    sent: {
      title: 'Sehen Sie in Ihr Postfach',
      text: 'Wir haben Ihnen einen neuen Link gesendet. Er gilt {days} Tage.',
    },
    full: {
      title: 'Anmeldungen sind geschlossen',
      text: 'Es wurde nichts geändert. Bitte versuchen Sie es in einigen Tagen noch einmal.',
    },
  },
}
