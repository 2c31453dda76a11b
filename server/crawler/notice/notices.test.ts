import { expect, test } from 'vitest'
import { processorTime } from '#server/testing/processor-time.ts'
import { findNotice } from './notices.ts'

const HOST = { coversHost: true }
const PAGE = { coversHost: false }

test.each<[string, string, object]>([
  // 15 USC 7704 (b)(1)(A)(i), as sites write it.
  [
    'This site will not give, sell, or otherwise transfer addresses maintained by this web site to any other party for the purposes of initiating electronic mail messages.',
    '/',
    HOST,
  ],
  ['We will never sell, rent or give your e-mail address to third parties.', '/privacy-policy Privacy', HOST],
  ['Your email address will not be shared with third parties.', '/privacy', HOST],
  ['You may not harvest or collect e-mail addresses or other contact information of users.', '/terms', HOST],
  ['Harvesting of email addresses from this site is strictly prohibited.', '/contact', PAGE],
  ['Please do not harvest the addresses on this page', '/team', PAGE],
  ['You agree not to use any robot, spider or scraper to access the site.', '/terms-of-service', HOST],
  ['These contact details must not be used for unsolicited advertising.', '/contact', PAGE],
  ['We object to the use of our data for unsolicited commercial e-mails.', '/imprint', HOST],
  ['Sales: no cold calls, no solicitation.', '/contact', PAGE],
  ['info@firma.de (no spam please)', '/contact', PAGE],
  [
    'Der Nutzung von im Rahmen der Impressumspflicht veröffentlichten Kontaktdaten durch Dritte zur Übersendung von nicht ausdrücklich angeforderter Werbung und Informationsmaterialien wird hiermit ausdrücklich widersprochen.',
    '/',
    HOST,
  ],
  [
    'Die Nutzung der Kontaktdaten, insbesondere der E-Mail-Adressen, zu Werbezwecken ist nicht gestattet.',
    '/impressum',
    HOST,
  ],
  ['Bitte keine Werbeanrufe.', '/kontakt', PAGE],
  ["L'utilisation des adresses e-mail de ce site à des fins de prospection est interdite.", '/mentions-legales', HOST],
  ['Démarchage commercial interdit', '/contact', PAGE],
  ['Queda prohibido el uso de las direcciones de correo para publicidad no solicitada.', '/aviso-legal', HOST],
  ['È vietato utilizzare gli indirizzi e-mail per pubblicità.', '/note-legali', HOST],
  ['Acquisitie wordt niet op prijs gesteld.', '/contact', PAGE],
  ['Nie wyrażamy zgody na przesyłanie ofert handlowych na podany adres.', '/kontakt', PAGE],
  ['É proibida a coleta de endereços de e-mail.', '/termos', HOST],
])('notice: "%s" on %s is a notice', (text, where, expected) => {
  expect(findNotice(`Welcome\n${text}\nMore`, where)).toMatchObject(expected)
})

test.each<[string, string]>([
  ['No spam, unsubscribe any time.', '/'],
  ['Subscribe to our newsletter. We will never share your e-mail address.', '/'],
  ['We hate spam and never sell your email address. Unsubscribe any time.', '/privacy'],
  ['We do not collect e-mail addresses or other personal data.', '/privacy'],
  ['This website does not use cookies to collect personal information.', '/privacy'],
  ['We do not send unsolicited e-mails.', '/privacy'],
  ['You will not receive unsolicited messages from us.', '/newsletter'],
  ['We do not sell your personal information.', '/privacy'],
  [
    'Sie haben das Recht, der Verarbeitung Ihrer Daten zum Zwecke der Direktwerbung jederzeit zu widersprechen.',
    '/datenschutz',
  ],
  ['Sie können der Zusendung von Werbung jederzeit widersprechen.', '/datenschutz'],
  ['Wir bieten Werbung, Werbemittel und Beschriftungen aller Art.', '/'],
  ['Combine harvesters and robots for modern farms', '/products'],
  ['Scrap metal is collected at this address', '/'],
  ['Is smoking permitted? No, it is prohibited in all rooms. Contact us for details.', '/'],
  ['Parken verboten. Unsere Adresse: Hauptstraße 1', '/anfahrt'],
  ['Stationnement interdit devant nos adresses', '/'],
])('notice: "%s" on %s is no notice', (text, where) => {
  expect(findNotice(`Welcome\n${text}\nMore`, where)).toBeUndefined()
})

test('notice: a long text of a notice is shortened', () => {
  const text = `You may not harvest the e-mail addresses ${'of this very long page '.repeat(20)}`
  expect(findNotice(text, '/')?.text).toMatch(/^You may not harvest.*…$/)
})

test('notice: two megabytes of text are read in less than three seconds of processor time', () => {
  const texts = ['you may not harvest and '.repeat(80_000), 'address '.repeat(250_000), 'x'.repeat(2_000_000)]
  const read = () => texts.forEach((text) => void findNotice(text, '/terms'))
  return expect(processorTime(read)).resolves.toBeLessThan(3_000)
})
