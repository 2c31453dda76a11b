import { expect, test } from 'vitest'
import { blame } from '../classify.ts'
import { inShort, notice } from './sample.ts'

test.each([
  [
    'German Domino',
    notice({
      ...{
        from: 'Postmaster@empfaenger.example',
        subject:
          'Zustellung fehlgeschlagen: Benutzer bob (bob@empfaenger.example) nicht im Domino-Verzeichnis aufgeführt',
      },
      text: `Ihre Nachricht

  Betreff: News

konnte nicht zugestellt werden an:

  bob@empfaenger.example

da:

  Benutzer bob (bob@empfaenger.example) nicht im Domino-Verzeichnis aufgeführt
`,
    }),
    ['bob@empfaenger.example hard'],
  ],
  [
    'German Exchange',
    notice({
      ...{ from: 'postmaster@empfaenger.example', subject: 'Unzustellbar: News' },
      text: `Fehler bei der Nachrichtenzustellung an folgende Empfänger oder Verteilerlisten:

bob@empfaenger.example
Das Postfach des Empfängers ist voll. Die Nachricht konnte nicht zugestellt werden.
`,
    }),
    ['bob@empfaenger.example soft'],
  ],
  [
    'French Domino',
    notice({
      ...{ from: 'Postmaster@destinataire.example', subject: 'ECHEC DE DISTRIBUTION' },
      text: `Votre message

  Objet : News

n'a pas été distribué à :

  bob@destinataire.example

car :

  L'utilisateur bob (bob@destinataire.example) est non répertorié dans l'annuaire Domino
`,
    }),
    ['bob@destinataire.example hard'],
  ],
  [
    'French Exchange',
    notice({
      ...{ from: 'postmaster@destinataire.example', subject: 'Non remis : News' },
      text: `Échec de la remise pour ces destinataires ou listes de distribution :

eve@destinataire.example
La boîte aux lettres du destinataire est pleine.
`,
    }),
    ['eve@destinataire.example soft'],
  ],
  [
    'Spanish Exchange',
    notice({
      ...{ from: 'postmaster@destino.example', subject: 'No se puede entregar: News' },
      text: `No se pudo entregar el mensaje a los siguientes destinatarios:

bob@destino.example
La dirección de correo no existe en la organización.
`,
    }),
    ['bob@destino.example hard'],
  ],
  [
    'Japanese Domino',
    notice({
      ...{ from: 'Postmaster@atesaki.example', subject: '=?UTF-8?B?6YWN5L+h5LiN6IO9?=' },
      text: `次の宛先には配信できませんでした:

  bob@atesaki.example

理由:

  ユーザー bob (bob@atesaki.example) は、Domino ディレクトリには見つかりません
`,
    }),
    ['bob@atesaki.example hard'],
  ],
  [
    'a Russian server',
    notice({
      ...{ from: 'postmaster@poluchatel.example', subject: 'Недоставленное сообщение' },
      text: `Ваше письмо не может быть доставлено следующему получателю:

bob@poluchatel.example: почтовый ящик не существует
`,
    }),
    ['bob@poluchatel.example hard'],
  ],
])('bounce: the words of %s are read', async (_, raw, expected) => {
  expect(await inShort(raw)).toEqual(expected)
})

test('bounce: Japanese in ISO-2022-JP is read, with and without a declared charset', async () => {
  // 「ユーザーが存在しません」 in the bytes of that charset.
  const words = '\x1b$B%f!<%6!<$,B8:_$7$^$;$s\x1b(B'
  for (const type of ['text/plain; charset=iso-2022-jp', 'text/plain']) {
    const raw = `From: MAILER-DAEMON@atesaki.example\nTo: ada@sender.example\nSubject: Returned mail\nContent-Type: ${type}\n\n<bob@atesaki.example>: 550 ${words}\n`
    expect(await inShort(Buffer.from(raw, 'latin1'))).toEqual(['bob@atesaki.example hard'])
  }
})

test.each([
  ['550 Empfänger unbekannt', 'hard'],
  ['550 Adresse d au moins un destinataire invalide. Invalid recipient. OFR_416 [416]', 'hard'],
  ['550 Mail rejete. Mail rejected. OFR_506 [506]', 'block'],
  ['550 Boite du destinataire pleine', 'soft'],
  ['554 El buzón del destinatario está lleno', 'soft'],
  ['550 Usuário inexistente', 'hard'],
  ['550 nessun utente simile in questo indirizzo', 'hard'],
  ['550 5.1.1 用户不存在', 'hard'],
  ['550 该邮件被认为是垃圾邮件', 'block'],
  ['550 受信拒否されました', 'block'],
  ['550 사용자가 존재하지 않습니다', 'hard'],
  ['550 Skrzynka odbiorcy jest przepełniona', 'soft'],
  ['550 Absender abgelehnt: Spamverdacht', 'block'],
  ['552 Taille limite du message atteinte', 'content'],
])('classify: "%s" is classified as %s', (reply, expected) => {
  expect(blame(Number(reply.slice(0, 3)), /\d\.\d\.\d/.exec(reply)?.[0] ?? null, reply)).toBe(expected)
})
