import { expect, test } from 'vitest'
import { inShort, notice } from './sample.ts'

const DAEMON = 'Mail Delivery System <Mailer-Daemon@mx.receiver.example>'

test.each([
  [
    'Exim',
    notice({
      ...{ from: DAEMON, subject: 'Mail delivery failed: returning message to sender' },
      headers: 'X-Failed-Recipients: bob@receiver.example,\n  eve@receiver.example\nAuto-Submitted: auto-replied\n',
      text: `This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  bob@receiver.example
    host mx2.receiver.example [192.0.2.7]
    SMTP error from remote mail server after RCPT TO:<bob@receiver.example>:
    550 5.1.1 <bob@receiver.example>: Recipient address rejected: User unknown in virtual mailbox table
  eve@receiver.example
    mailbox is full (MTA-imposed quota exceeded while writing to file /var/mail/eve)

------ This is a copy of the message, including all the headers. ------

%RETURNED%`,
    }),
    ['bob@receiver.example hard', 'eve@receiver.example soft'],
  ],
  [
    'Exim, when the sender is refused',
    notice({
      ...{ from: DAEMON, subject: 'Mail delivery failed: returning message to sender' },
      text: `A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  bob@receiver.example
    SMTP error from remote mail server after MAIL FROM:<ada@sender.example> SIZE=1234:
    host mx.receiver.example [192.0.2.7]: 553 Domain of sender address ada@sender.example does not exist

------ This is a copy of the message, including all the headers. ------
%RETURNED%`,
    }),
    ['bob@receiver.example block'],
  ],
  [
    'Exim, when no host is known',
    notice({
      ...{ from: DAEMON, subject: 'Mail delivery failed: returning message to sender' },
      text: `A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  bob@nowhere.example
    all relevant MX records point to non-existent hosts
  eve@closed.example
    an MX or SRV record indicated no SMTP service
  kim@slow.example
    retry timeout exceeded

------ This is a copy of the message's headers. ------
%RETURNED%`,
    }),
    ['bob@nowhere.example hard', 'eve@closed.example hard', 'kim@slow.example soft'],
  ],
  [
    'qmail',
    notice({
      ...{ from: 'MAILER-DAEMON@receiver.example', subject: 'failure notice' },
      text: `Hi. This is the qmail-send program at receiver.example.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<bob@receiver.example>:
Sorry, no mailbox here by that name. (#5.1.1)

<eve@other.example>:
192.0.2.9 failed after I sent the message.
Remote host said: 554 5.7.1 The message was rejected as spam (state 18).

<kim@third.example>:
CNAME lookup failed temporarily. (#4.4.3)
I'm not going to try again; this message has been in the queue too long.

--- Below this line is a copy of the message.

%RETURNED%`,
    }),
    ['bob@receiver.example hard', 'eve@other.example block', 'kim@third.example soft'],
  ],
  [
    'qmail, before and after the recipient was named',
    notice({
      ...{ from: 'MAILER-DAEMON@receiver.example', subject: 'failure notice' },
      text: `Hi. This is the qmail-send program at receiver.example.
I'm afraid I wasn't able to deliver your message to the following addresses.

<bob@nowhere.example>:
Sorry, I couldn't find any host named nowhere.example. (#5.1.2)

<kim@receiver.example>:
Connected to 192.0.2.1 but sender was rejected.
Remote host said: 550 5.1.8 unknown domain

<lee@receiver.example>:
192.0.2.7 does not like recipient.
Remote host said: 550 sorry, no such account
Giving up on 192.0.2.7.

--- Below this line is a copy of the message.

%RETURNED%`,
    }),
    ['bob@nowhere.example hard', 'kim@receiver.example block', 'lee@receiver.example hard'],
  ],
  [
    'qmail-ldap',
    notice({
      ...{ from: 'MAILER-DAEMON@receiver.example', subject: 'failure notice' },
      text: `Hi. This is the qmail-send program at receiver.example.
I tried to deliver a bounce message to this address, but the bounce bounced!

<bob@receiver.example>:
Mailaddress is administrativly disabled. (#5.2.1)

<eve@receiver.example>:
The users mailfolder is over the allowed quota (size). (#5.2.2)

--- Below this line is the original bounce.

%RETURNED%`,
    }),
    ['bob@receiver.example hard', 'eve@receiver.example soft'],
  ],
  [
    'sendmail 8.8',
    notice({
      ...{
        from: 'Mail Delivery Subsystem <MAILER-DAEMON@mx.receiver.example>',
        subject: 'Returned mail: User unknown',
      },
      text: `The original message was received at Tue, 24 Nov 2026 10:00:00 +0100
from mail.sender.example [192.0.2.1]

   ----- The following addresses had permanent fatal errors -----
<bob@receiver.example>
<eve@receiver.example>

   ----- Transcript of session follows -----
... while talking to mx2.receiver.example.:
>>> RCPT To:<bob@receiver.example>
<<< 550 No such local user
550 <bob@receiver.example>... User unknown
>>> RCPT To:<eve@receiver.example>
<<< 552 Disk quota exceeded for this account
552 <eve@receiver.example>... Message could not be stored

   ----- Original message follows -----

%RETURNED%`,
    }),
    ['bob@receiver.example hard', 'eve@receiver.example soft'],
  ],
  [
    'sendmail 8.12, whose own summary is wrong',
    notice({
      ...{
        from: 'Mail Delivery Subsystem <MAILER-DAEMON@mx.receiver.example>',
        subject: 'Returned mail: see transcript for details',
      },
      text: `   ----- The following addresses had permanent fatal errors -----
<bob@receiver.example>
    (reason: 550 rejected: we do not relay, SPF check failed for sender.example)

   ----- Transcript of session follows -----
... while talking to mx2.receiver.example.:
>>> DATA
<<< 550 rejected: we do not relay, SPF check failed for sender.example
550 5.1.1 <bob@receiver.example>... User unknown

%RETURNED%`,
    }),
    ['bob@receiver.example block'],
  ],
  [
    'Postfix without delivery status',
    notice({
      ...{
        from: 'MAILER-DAEMON@mx.receiver.example (Mail Delivery System)',
        subject: 'Undelivered Mail Returned to Sender',
      },
      text: `This is the Postfix program at host mx.receiver.example.

I'm sorry to have to inform you that the message returned
below could not be delivered to one or more destinations.

For further assistance, please contact <postmaster@mx.receiver.example>

			The Postfix program

<bob@receiver.example>: host mx2.receiver.example[192.0.2.7] said: 550 5.1.1
    <bob@receiver.example>... User unknown (in reply to RCPT TO command)

<eve@other.example>: host mx.other.example[192.0.2.8] refused to talk to me: 554
    5.7.1 Service unavailable; Client host [192.0.2.1] blocked using
    zen.spamhaus.org

%RETURNED%`,
    }),
    ['bob@receiver.example hard', 'eve@other.example block'],
  ],
])('bounce: the words of %s are read', async (_, raw, expected) => {
  expect(await inShort(raw)).toEqual(expected)
})
