import { expect, test } from 'vitest'
import { inShort, notice } from './sample.ts'

const GOOGLE = 'Mail Delivery Subsystem <mailer-daemon@googlemail.com>'

test.each([
  [
    'Gmail, an address that does not exist',
    notice({
      ...{ from: GOOGLE, subject: 'Delivery Status Notification (Failure)' },
      headers: 'X-Failed-Recipients: bob@gmail.example\n',
      text: `
** Address not found **

Your message wasn't delivered to bob@gmail.example because the address couldn't be found, or is unable to receive mail.

Learn more here: https://support.google.com/mail/?p=NoSuchUser

The response was:

550 5.1.1 The email account that you tried to reach does not exist. Please try double-checking the recipient's email address for typos or unnecessary spaces. For more information, go to https://support.google.com/mail/?p=NoSuchUser d9443c01a7336-1 - gsmtp
`,
    }),
    ['bob@gmail.example hard'],
  ],
  [
    'Gmail, a message that was blocked',
    notice({
      ...{ from: GOOGLE, subject: 'Delivery Status Notification (Failure)' },
      text: `
** Message blocked **

Your message to eve@gmail.example has been blocked. See technical details below for more information.

The response from the remote server was:

550-5.7.26 This mail has been blocked because the sender is unauthenticated. Gmail requires all senders to authenticate with either SPF or DKIM.
`,
    }),
    ['eve@gmail.example block'],
  ],
  [
    'Gmail of old',
    notice({
      ...{ from: GOOGLE, subject: 'Delivery Status Notification (Failure)' },
      text: `Delivery to the following recipient failed permanently:

     bob@receiver.example

Technical details of permanent failure:
Google tried to deliver your message, but it was rejected by the recipient domain. We recommend contacting the other email provider for further information about the cause of this error. The error that the other server returned was: 550 550 5.1.1 unknown user (state 14).

----- Original message -----

%RETURNED%`,
    }),
    ['bob@receiver.example hard'],
  ],
  [
    'Gmail, a domain that is not there',
    notice({
      ...{ from: GOOGLE, subject: 'Delivery Status Notification (Failure)' },
      text: `Delivery to the following recipient failed permanently:

     bob@nowhere.example

Technical details of permanent failure:
DNS Error: Domain name not found

----- Original message -----

%RETURNED%`,
    }),
    ['bob@nowhere.example hard'],
  ],
  [
    'Google Groups',
    notice({
      ...{ from: GOOGLE, subject: 'Delivery Status Notification (Failure)' },
      headers: 'X-Failed-Recipients: club@groups.example\nAuto-Submitted: auto-replied\n',
      text: `Hello ada@sender.example,

We're writing to let you know that the group you tried to contact (club) may not exist, or you may not have permission to post messages to the group. A few more details on why you weren't able to post:

 * You might have spelled or formatted the group name incorrectly.
 * The owner of the group may have removed this group.

Google Groups
----- Original message -----
%RETURNED%`,
    }),
    ['club@groups.example block'],
  ],
  [
    'au (ISO-2022-JP and English)',
    notice({
      ...{ from: 'Postmaster@ezweb.example', subject: 'Mail System Error - Returned Mail' },
      text: `次のあて先へのメッセージはエラーのため送信できませんでした。

送信先メールアドレスが見つからないか、
送信先メールサーバの事由により送信できませんでした。

Each of the following recipients was rejected by a remote
mail server.

    Recipient: <bob@ezweb.example>
    >>> RCPT TO:<bob@ezweb.example>
    <<< 550 <bob@ezweb.example>: User unknown
`,
    }),
    ['bob@ezweb.example hard'],
  ],
  [
    'au, a filter of the recipient',
    notice({
      ...{ from: 'Postmaster@ezweb.example', subject: 'Mail System Error - Returned Mail' },
      text: `Each of the following recipients was rejected by a remote
mail server.

    Recipient: <eve@ezweb.example>
    <<< 550 : User unknown
`,
    }),
    ['eve@ezweb.example block'],
  ],
  [
    'docomo',
    notice({
      ...{ from: 'Mail Delivery Subsystem <MAILER-DAEMON@docomo.example>', subject: 'Returned mail: User unknown' },
      text: `   ----- The following addresses had permanent fatal errors -----
<bob@docomo.example>
    (reason: 550 Unknown user bob@docomo.example)

   ----- Transcript of session follows -----
... while talking to mfsmax.docomo.example.:
>>> RCPT To:<bob@docomo.example>
<<< 550 Unknown user bob@docomo.example
`,
    }),
    ['bob@docomo.example hard'],
  ],
])('bounce: the words of %s are read', async (_, raw, expected) => {
  expect(await inShort(raw)).toEqual(expected)
})
