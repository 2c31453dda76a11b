import type { PageTexts } from './texts.ts'

export const pl: PageTexts = {
  title: 'Twoje ustawienia wiadomości',
  intro: 'Wybierz, co {sender} wysyła na adres {address}.',
  saved: 'Zmiany zostały zapisane.',
  unsubscribed:
    'Subskrypcja została anulowana. {sender} nie będzie już do Ciebie pisać. Wiadomość, która jest już w drodze, może jeszcze dotrzeć.',
  linkSent: 'Wysłaliśmy link na adres {address}. Działa przez 24 godziny.',
  tooMany: 'Tej strony użyto wiele razy w ciągu ostatniej godziny. Spróbuj później. Nic nie zostało zmienione.',
  noEmail: 'Nadawca nie ma Twojego adresu e-mail, więc nie można wysłać linku. Skontaktuj się bezpośrednio z nadawcą.',
  blocked:
    'Twój adres jest zablokowany i nie są na niego wysyłane e-maile. Aby znów je otrzymywać, skontaktuj się z: {sender}.',
  moved:
    'Ten e-mail wysłano na adres {address}. {sender} ma teraz inny Państwa adres, dlatego preferencje można zmienić tylko za pomocą linku z e-maila wysłanego na ten inny adres. Tutaj nadal można zrezygnować z subskrypcji.',
  removed:
    '{sender} usuwa Cię ze swoich kontaktów, więc nie ma ustawień do zmiany. Przez maksymalnie 24 godziny może przywrócić Twoje dane. Aby zostały usunięte na stałe, poproś o link: wyślemy go na adres {address}.',
  emailsOff: 'Nie otrzymujesz e-maili od: {sender}. Zaznacz E-mail i zapisz, aby ponownie wybrać listy.',
  lists: 'Co chcesz otrzymywać?',
  noLists: 'Nie ma list do wyboru.',
  channels: 'Jak możemy się z Tobą kontaktować?',
  email: 'E-mail',
  frequency: 'Jak często?',
  all: 'Wszystkie e-maile',
  weekly: 'Najwyżej jeden e-mail w tygodniu',
  pause: 'Żadnych e-maili przez 30 dni',
  paused: 'Żadnych e-maili do {date}',
  save: 'Zapisz zmiany',
  unsubscribeAll: 'Zrezygnuj ze wszystkiego',
  unsubscribeHint: {
    email: 'Natychmiast kończy wszystkie e-maile od: {sender}.',
    whatsapp: 'Natychmiast kończy wszystkie wiadomości WhatsApp od: {sender}.',
    both: 'Natychmiast kończy wszystkie e-maile i wiadomości WhatsApp od: {sender}.',
  },
  why: 'Dlaczego otrzymano tę wiadomość?',
  sentOn: 'E-mail „{subject}” wysłano na adres {address} dnia {date}.',
  sources: {
    import: '{sender}: dodano Cię z pliku kontaktów dnia {date}.',
    form: 'Zapisano Cię przez formularz dnia {date}.',
    collected: '{sender}: Twój adres znaleziono na publicznej stronie i dodano dnia {date}.',
    other: '{sender}: dodano Cię dnia {date}.',
  },
  confirmed: 'Zgoda na otrzymywanie {list} została udzielona dnia {date}.',
  agreed: '{sender} oświadcza, że zgoda na {list} została udzielona wcześniej: „{evidence}”',
  found: 'Twój adres znaleziono na {url} dnia {date}.',
  bases: {
    consent: 'Podstawa prawna: Twoja zgoda.',
    customer: 'Podstawa prawna: relacja z klientem.',
    legitimate_interest: 'Podstawa prawna: prawnie uzasadniony interes.',
  },
  noEvidence: 'Nie zapisano tu dowodu Twojej zgody. Zapytaj o niego: {sender}.',
  postalAddress: 'Adres pocztowy nadawcy',
  noPostalAddress: 'Nadawca nie podał adresu pocztowego.',
  data: 'Twoje dane',
  dataHint: 'Aby chronić Twoje dane, wysyłamy link na adres, który zna {sender}.',
  askData: 'Pobierz moje dane',
  askErasure: 'Usuń moje dane',
  download: {
    title: 'Pobierz swoje dane',
    text: 'Plik zawiera wszystko, co {sender} przechowuje tu o Tobie.',
    button: 'Pobierz plik',
    subject: 'Twoje dane: {sender}',
    body: 'Otrzymaliśmy prośbę o dane, które {sender} przechowuje o Tobie. Pobierz je tutaj:\n\n{link}\n\nLink działa przez 24 godziny. Jeśli to nie Twoja prośba, zignoruj tę wiadomość.',
  },
  erase: {
    title: 'Usunąć Twoje dane?',
    text: '{sender} usunie wszystko, co jest tu o Tobie zapisane, i nie będzie już do Ciebie pisać. Tego nie można cofnąć.',
    button: 'Usuń moje dane',
    subject: 'Potwierdź usunięcie danych: {sender}',
    body: 'Otrzymaliśmy prośbę o usunięcie wszystkiego, co {sender} przechowuje o Tobie. Potwierdź to tutaj:\n\n{link}\n\nLink działa przez 24 godziny. Bez niego nic nie zostanie usunięte. Jeśli to nie Twoja prośba, zignoruj tę wiadomość.',
    done: 'Twoje dane zostały usunięte',
    doneText:
      'Nie otrzymasz już e-maili od: {sender}. Pozostaje tylko nieczytelny kod Twojego adresu, aby nie dodano Cię ponownie przez pomyłkę.',
  },
  expired: {
    title: 'Ten link wygasł',
    text: 'Linki działają przez 24 godziny. Poproś o nowy na stronie ze swoimi ustawieniami.',
  },
  gone: {
    title: 'Nie ma już czego ustawiać',
    text: 'Nadawca usunął Twoje dane, więc nie ma ustawień do zmiany. Nie otrzymasz więcej e-maili, chyba że zapiszesz się ponownie.',
  },
  test: {
    title: 'To był test',
    text: 'Wiadomość była testem. W prawdziwej ta strona pokazuje, co może wybrać odbiorca.',
  },
  leave: {
    title: 'Anulowanie subskrypcji',
    text: 'Wiadomości od: {sender}, na adres {address}. Nic jeszcze nie zostało zmienione.',
    choice: 'Czego nie chcesz już otrzymywać?',
    all: 'Wszystkich wiadomości od: {sender}',
    list: 'Tylko listy mailingowej tej wiadomości',
    button: 'Anuluj subskrypcję',
    done: 'Subskrypcja została anulowana',
    doneAll: '{sender} nie będzie już wysyłać wiadomości na adres {address}.',
    doneList:
      'Adres {address} usunięto z listy mailingowej tej wiadomości. Inne wiadomości od: {sender} mogą nadal przychodzić.',
    atOnce: 'Zmiana działa natychmiast. Wiadomość, która jest już w drodze, może jeszcze dotrzeć.',
    again: 'Chcesz to zmienić? Tylko Ty możesz to cofnąć: zapisz się ponownie u nadawcy lub skontaktuj się z nim.',
    preferences: 'Zarządzaj ustawieniami',
    gone: {
      title: 'Nie otrzymasz więcej wiadomości',
      text: 'Nadawca tej wiadomości zamknął konto, a wszystkie jego kontakty zostały usunięte. Nie otrzymasz od niego więcej wiadomości.',
    },
    test: {
      title: 'To był test',
      text: 'Wiadomość była testem, więc nie ma subskrypcji do anulowania. W prawdziwej ta strona pyta, czego nie chcesz już otrzymywać.',
    },
  },
  confirm: {
    title: 'Potwierdź subskrypcję',
    text: 'Po potwierdzeniu będziesz otrzymywać: {lists}. Subskrypcję możesz anulować w każdej chwili.',
    button: 'Potwierdź subskrypcję',
    decline: 'Nie prosiłem o to',
    done: {
      title: 'Subskrypcja potwierdzona',
      text: 'Dziękujemy. Będziesz otrzymywać e-mailem: {lists}.',
    },
    declined: {
      title: 'Nie zapytamy ponownie',
      text: 'Dziękujemy za informację. Twój adres nie został nigdzie zapisany.',
    },
    left: {
      title: 'Subskrypcja została anulowana',
      text: 'Subskrypcja została anulowana po wysłaniu tego linku, więc już nie działa. Aby znowu otrzymywać {lists}, zapisz się ponownie tam, gdzie poprzednio.',
    },
    expired: {
      title: 'Ten link wygasł',
      text: 'Linki działają przez {days} dni, a tego nikt nie użył. Nie masz subskrypcji. Aby się zapisać, wypełnij formularz ponownie tam, gdzie poprzednio.',
    },
    again: {
      text: 'Nie masz subskrypcji: {lists}. Jeśli nadal chcesz ją otrzymywać, możemy wysłać nowy link e-mailem.',
      button: 'Wyślij nowy link',
    },
    sent: {
      title: 'Sprawdź skrzynkę odbiorczą',
      text: 'Wysłaliśmy e-mailem nowy link. Działa przez {days} dni.',
    },
    full: {
      title: 'Zapisy są zamknięte',
      text: 'Nic nie zostało zmienione. Spróbuj ponownie za kilka dni.',
    },
  },
}
