import { expect, test } from 'vitest'
import { inShort, notice } from './sample.ts'

test.each([
  [
    'Exchange 5.5',
    notice({
      ...{ from: 'System Administrator <postmaster@receiver.example>', subject: 'Undeliverable: News' },
      text: `Your message

  To:      someone@unrelated.example
  Subject: News
  Sent:    Tue, 24 Nov 2026 10:00:00 -0000

did not reach the following recipient(s):

bob@receiver.example on Tue, 24 Nov 2026 10:00:05 -0000
    The recipient name is not recognized
	The MTS-ID of the original message is: c=us;a= ;p=firm;l=EXCH0001
    MSEXCH:IMS:Firm:SITE:EXCH 0 (000C05A6) Unknown Recipient
`,
    }),
    ['bob@receiver.example hard'],
  ],
  [
    'Exchange 2003',
    notice({
      ...{ from: 'System Administrator <postmaster@receiver.example>', subject: 'Undeliverable: News' },
      text: `Your message did not reach some or all of the intended recipients.

      Subject:	News
      Sent:	11/24/2026 10:00 AM

The following recipient(s) could not be reached:

      bob@receiver.example on 11/24/2026 10:01 AM
            The e-mail account does not exist at the organization this message was sent to.  Check the e-mail address, or contact the recipient directly to find out the correct address.
            <mx.receiver.example #5.1.1>
      eve@receiver.example on 11/24/2026 10:01 AM
            You do not have permission to send to this recipient.  For assistance, contact your system administrator.
            <mx.receiver.example #5.7.1 smtp;550 5.7.1 Unable to relay for eve@receiver.example>
`,
    }),
    ['bob@receiver.example hard', 'eve@receiver.example block'],
  ],
  [
    'Exchange 2007 without delivery status',
    notice({
      ...{ from: 'postmaster@receiver.example', subject: 'Undeliverable: News' },
      text: `Delivery has failed to these recipients or distribution lists:

bob@receiver.example
The recipient's e-mail address was not found in the recipient's e-mail system.

Diagnostic information for administrators:

Generating server: receiver.example

bob@receiver.example
#550 5.1.1 RESOLVER.ADR.RecipNotFound; not found ##

eve@receiver.example
#550 5.7.1 RESOLVER.RST.AuthRequired; authentication required ##

Original message headers:

%RETURNED%`,
    }),
    ['bob@receiver.example hard', 'eve@receiver.example block'],
  ],
  [
    'MailMarshal',
    notice({
      ...{ from: 'postmaster@receiver.example', subject: 'Message Delivery Failure' },
      text: `Your message:
   From:    ada@sender.example
   Subject: News

Could not be delivered because of

550 5.1.1 User unknown

The following recipients were affected:
    bob@receiver.example
    eve@receiver.example

Original Sender:    <ada@sender.example>
`,
    }),
    ['bob@receiver.example hard', 'eve@receiver.example hard'],
  ],
  [
    'James',
    notice({
      ...{ from: 'postmaster@receiver.example', subject: 'Returned mail: News' },
      text: `Hi. This is the James mail server at receiver.example.
I'm afraid I wasn't able to deliver your message to the following addresses.

Error message:
550 - Requested action not taken: no such user here

Message details:
  Subject: News
  MAIL FROM: ada@sender.example
  RCPT TO: bob@receiver.example
  From: Ada <ada@sender.example>
`,
    }),
    ['bob@receiver.example hard'],
  ],
  [
    'Domino',
    notice({
      ...{
        from: 'Postmaster@receiver.example',
        subject: 'DELIVERY FAILURE: User bob (bob@receiver.example) not listed in Domino Directory',
      },
      text: `Your message

  Subject: News

was not delivered to:

  bob@receiver.example

because:

  User bob (bob@receiver.example) not listed in Domino Directory
`,
    }),
    ['bob@receiver.example hard'],
  ],
  [
    'Notes 4 SMTP MTA',
    notice({
      ...{ from: 'Postmaster@receiver.example', subject: 'Undeliverable message' },
      text: `------- Failure Reasons  --------

User not listed in public Name & Address Book
bob@receiver.example

------- Returned Message --------

%RETURNED%`,
    }),
    ['bob@receiver.example hard'],
  ],
  [
    'GroupWise',
    notice({
      ...{ from: 'Mailer-Daemon@receiver.example', subject: 'Message status - undeliverable' },
      text: `The message that you sent was undeliverable to the following:
	bob@receiver.example (user not found)
	eve@receiver.example (mailbox is full)

Possibly truncated original message follows:

%RETURNED%`,
    }),
    ['bob@receiver.example hard', 'eve@receiver.example soft'],
  ],
  [
    'Courier',
    notice({
      ...{ from: '"Courier mail server at mx.receiver.example" <@>', subject: 'NOTICE: mail delivery status.' },
      headers: 'X-Failed-Recipients: bob@receiver.example\n',
      text: `This is a delivery status notification from mx.receiver.example,
running the Courier mail server, version 0.65.2.

The original message was received on Tue, 24 Nov 2026 10:00:00 +0000

---------------------------------------------------------------------------

                           UNDELIVERABLE MAIL

Your message to the following recipients cannot be delivered:

<bob@receiver.example>:
    mx2.receiver.example [192.0.2.7]:
>>> RCPT TO:<bob@receiver.example>
<<< 550 Unknown user bob@receiver.example

---------------------------------------------------------------------------
`,
    }),
    ['bob@receiver.example hard'],
  ],
  [
    'OpenSMTPD',
    notice({
      ...{ from: 'Mailer Daemon <MAILER-DAEMON@mx.receiver.example>', subject: 'Delivery status notification: error' },
      text: `    Hi!

    This is the MAILER-DAEMON, please DO NOT REPLY to this e-mail.

    An error has occurred while attempting to deliver a message for
    the following list of recipients:

bob@receiver.example: 550 5.1.1 <bob@receiver.example>: Recipient address rejected: User unknown

eve@receiver.example: 550 5.2.2 <eve@receiver.example>... Mailbox Full

    Below is a copy of the original message:

%RETURNED%`,
    }),
    ['bob@receiver.example hard', 'eve@receiver.example soft'],
  ],
  [
    'MDaemon',
    notice({
      ...{ from: 'MDaemon@receiver.example', subject: 'Warning: bob@receiver.example - User unknown!' },
      text: `The attached message had PERMANENT fatal delivery errors!

Failed address: bob@receiver.example

--- Session Transcript ---
 Tue 2026-11-24 10:00:00: --> RCPT To:<bob@receiver.example>
 Tue 2026-11-24 10:00:00: <-- 550 5.1.1 Recipient unknown <bob@receiver.example>
 Tue 2026-11-24 10:00:00: --> QUIT
--- End Transcript ---
`,
    }),
    ['bob@receiver.example hard'],
  ],
])('bounce: the words of %s are read', async (_, raw, expected) => {
  expect(await inShort(raw)).toEqual(expected)
})
