import type { PageTexts } from './texts.ts'

export const nl: PageTexts = {
  title: 'Je e-mailvoorkeuren',
  intro: 'Kies wat {sender} naar {address} stuurt.',
  saved: 'Je wijzigingen zijn opgeslagen.',
  unsubscribed: 'Je bent afgemeld. {sender} schrijft je niet meer. Een bericht dat al onderweg is, kan nog aankomen.',
  linkSent: 'We hebben een link naar {address} gestuurd. Die werkt 24 uur.',
  tooMany: 'Deze pagina is het afgelopen uur heel vaak gebruikt. Probeer het later opnieuw. Er is niets gewijzigd.',
  noEmail:
    'De afzender heeft geen e-mailadres van je, dus er kan geen link worden gestuurd. Vraag het de afzender rechtstreeks.',
  blocked:
    'Je adres is geblokkeerd, dus er worden geen e-mails naartoe gestuurd. Neem contact op met {sender} om weer e-mails te ontvangen.',
  moved:
    'Deze e-mail ging naar {address}. {sender} heeft nu een ander adres van u. Uw voorkeuren kunt u daarom alleen wijzigen met de link in een e-mail naar dat andere adres. Afmelden kan hier nog steeds.',
  removed:
    '{sender} heeft je uit de contacten verwijderd, dus er zijn geen voorkeuren meer. Je gegevens kunnen nog maximaal 24 uur worden hersteld. Vraag een link aan om ze definitief te laten wissen: we sturen die naar {address}.',
  emailsOff: 'Je krijgt geen e-mails van {sender}. Selecteer E-mail en sla op om weer lijsten te kiezen.',
  lists: 'Wat wil je ontvangen?',
  noLists: 'Er zijn geen lijsten om uit te kiezen.',
  channels: 'Hoe mogen we je bereiken?',
  email: 'E-mail',
  frequency: 'Hoe vaak?',
  all: 'Alle e-mails',
  weekly: 'Hoogstens één e-mail per week',
  pause: '30 dagen geen e-mails',
  paused: 'Geen e-mails tot {date}',
  save: 'Wijzigingen opslaan',
  unsubscribeAll: 'Voor alles afmelden',
  unsubscribeHint: {
    email: 'Stopt meteen alle e-mails van {sender}.',
    whatsapp: 'Stopt meteen alle WhatsApp-berichten van {sender}.',
    both: 'Stopt meteen alle e-mails en WhatsApp-berichten van {sender}.',
  },
  why: 'Waarom heb ik deze e-mail gekregen?',
  sentOn: 'De e-mail ‘{subject}’ is op {date} naar {address} gestuurd.',
  sources: {
    import: '{sender} heeft je op {date} uit een bestand met contacten toegevoegd.',
    form: 'Je hebt je op {date} met een formulier aangemeld.',
    collected: '{sender} heeft je adres op een openbare webpagina gevonden en je op {date} toegevoegd.',
    other: '{sender} heeft je op {date} toegevoegd.',
  },
  confirmed: 'Je hebt er op {date} mee ingestemd om {list} te ontvangen.',
  agreed: 'Volgens {sender} heb je eerder met {list} ingestemd: ‘{evidence}’',
  found: 'Je adres is op {date} gevonden op {url}.',
  bases: {
    consent: 'Rechtsgrond: je toestemming.',
    customer: 'Rechtsgrond: je bent klant.',
    legitimate_interest: 'Rechtsgrond: gerechtvaardigd belang.',
  },
  noEvidence: 'Hier is geen bewijs van je toestemming opgeslagen. Vraag {sender} ernaar.',
  postalAddress: 'Postadres van de afzender',
  noPostalAddress: 'De afzender heeft geen postadres opgegeven.',
  data: 'Je gegevens',
  dataHint: 'Om je gegevens te beschermen, sturen we een link naar het adres dat {sender} van je heeft.',
  askData: 'Mijn gegevens downloaden',
  askErasure: 'Mijn gegevens wissen',
  download: {
    title: 'Je gegevens downloaden',
    text: 'Het bestand bevat alles wat {sender} hier over je heeft opgeslagen.',
    button: 'Bestand downloaden',
    subject: 'Je gegevens bij {sender}',
    body: 'Je hebt gevraagd om de gegevens die {sender} over je heeft opgeslagen. Download ze hier:\n\n{link}\n\nDe link werkt 24 uur. Heb je dit niet gevraagd, negeer dan deze e-mail.',
  },
  erase: {
    title: 'Je gegevens wissen?',
    text: '{sender} wist alles wat hier over je is opgeslagen en schrijft je niet meer. Dit kan niet ongedaan worden gemaakt.',
    button: 'Mijn gegevens wissen',
    subject: 'Bevestig dat {sender} je gegevens wist',
    body: 'Je hebt {sender} gevraagd alles te wissen wat over je is opgeslagen. Bevestig dat hier:\n\n{link}\n\nDe link werkt 24 uur. Zonder de link wordt er niets gewist. Heb je dit niet gevraagd, negeer dan deze e-mail.',
    done: 'Je gegevens zijn gewist',
    doneText:
      'Je krijgt geen e-mails meer van {sender}. Er blijft alleen een onleesbare code van je adres over, zodat je niet per ongeluk weer wordt toegevoegd.',
  },
  expired: {
    title: 'Deze link is verlopen',
    text: 'Links werken 24 uur. Vraag een nieuwe aan op de pagina met je voorkeuren.',
  },
  gone: {
    title: 'Er valt niets meer in te stellen',
    text: 'De afzender heeft je gegevens verwijderd, dus er zijn geen voorkeuren meer. Je krijgt geen e-mails meer, tenzij je je opnieuw aanmeldt.',
  },
  test: {
    title: 'Dit was een test',
    text: 'Het bericht was een test. In een echt bericht laat deze pagina zien wat de ontvanger kan kiezen.',
  },
  leave: {
    title: 'Afmelden',
    text: 'E-mail van {sender} aan {address}. Er is nog niets gewijzigd.',
    choice: 'Wat wil je niet meer ontvangen?',
    all: 'Alle e-mails van {sender}',
    list: 'Alleen de mailinglijst van dit bericht',
    button: 'Afmelden',
    done: 'Je bent afgemeld',
    doneAll: '{sender} stuurt geen e-mails meer naar {address}.',
    doneList:
      '{address} is van de mailinglijst van dat bericht gehaald. Andere e-mails van {sender} kunnen nog aankomen.',
    atOnce: 'Dit gaat meteen in. Een bericht dat al onderweg is, kan nog aankomen.',
    again:
      'Van gedachten veranderd? Alleen jij kunt dit ongedaan maken: meld je opnieuw aan bij de afzender of neem contact op.',
    preferences: 'Voorkeuren beheren',
    gone: {
      title: 'Je krijgt geen e-mails meer',
      text: 'De afzender van dat bericht heeft zijn account gesloten en al zijn contacten zijn verwijderd. Je krijgt geen e-mails meer van deze afzender.',
    },
    test: {
      title: 'Dit was een test',
      text: 'Het bericht was een test, dus er is niets om je voor af te melden. In een echt bericht vraagt deze pagina wat je niet meer wilt ontvangen.',
    },
  },
  confirm: {
    title: 'Bevestig je aanmelding',
    text: 'Je ontvangt {lists} zodra je bevestigt. Je kunt je op elk moment afmelden.',
    button: 'Aanmelding bevestigen',
    decline: 'Ik heb hier niet om gevraagd',
    done: {
      title: 'Je bent aangemeld',
      text: 'Bedankt. Je ontvangt {lists} per e-mail.',
    },
    declined: {
      title: 'We vragen het je niet opnieuw',
      text: 'Bedankt voor het melden. Je adres is nergens voor aangemeld.',
    },
    left: {
      title: 'Je bent afgemeld',
      text: 'Je hebt je afgemeld nadat deze link was verstuurd, dus hij werkt niet meer. Wil je {lists} weer ontvangen, meld je dan opnieuw aan waar je het had gevonden.',
    },
    expired: {
      title: 'Deze link is verlopen',
      text: 'Links werken {days} dagen en deze is niet gebruikt. Je bent niet aangemeld. Vul het formulier opnieuw in waar je het had gevonden om je aan te melden.',
    },
    again: {
      text: 'Je bent niet aangemeld voor {lists}. Als je dat nog wilt, kunnen we je een nieuwe link mailen.',
      button: 'Nieuwe link sturen',
    },
    sent: {
      title: 'Kijk in je inbox',
      text: 'We hebben je een nieuwe link gemaild. Die werkt {days} dagen.',
    },
    full: {
      title: 'Aanmelden is gesloten',
      text: 'Er is niets gewijzigd. Probeer het over een paar dagen opnieuw.',
    },
  },
}
