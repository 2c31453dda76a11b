import { expect, test } from 'vitest'
import { inShort, notice, report } from './sample.ts'

const block = (fields: string) => `Reporting-MTA: dns; mx.service.example\n\n${fields}\n`
const failed = (address: string, status: string, diagnostic: string) =>
  block(
    `Final-Recipient: rfc822; ${address}\nAction: failed\nStatus: ${status}\nDiagnostic-Code: smtp; ${diagnostic}\n`,
  )

test.each([
  [
    'Amazon SES',
    report(
      'An error occurred while trying to deliver the mail to the following recipients:\nbob@receiver.example',
      failed('bob@receiver.example', '5.1.1', '550 5.1.1 The email account that you tried to reach does not exist.'),
    ),
    ['bob@receiver.example hard'],
  ],
  [
    'Amazon SES, with an address that is not verified',
    report('', failed('bob@receiver.example', '5.0.0', '554 Message rejected: Email address is not verified.')),
    ['bob@receiver.example block'],
  ],
  [
    'Mimecast',
    report(
      '',
      failed(
        'bob@receiver.example',
        '5.0.0',
        '550 Invalid Recipient - https://community.mimecast.example/docs/DOC-1369#550',
      ),
    ),
    ['bob@receiver.example hard'],
  ],
  [
    'Mimecast, a policy',
    report(
      '',
      failed(
        'bob@receiver.example',
        '5.0.0',
        '554 Email rejected due to security policies - https://community.mimecast.example/docs/DOC-1369#554',
      ),
    ),
    ['bob@receiver.example block'],
  ],
  [
    'Proofpoint',
    report(
      '',
      failed('bob@receiver.example', '5.7.1', '554 Blocked - see https://ipcheck.proofpoint.example/?ip=192.0.2.1'),
    ),
    ['bob@receiver.example block'],
  ],
  [
    'Barracuda',
    report(
      '',
      failed(
        'bob@receiver.example',
        '5.0.0',
        '550 permanent failure for one or more recipients (bob@receiver.example:550 No such user here)',
      ),
    ),
    ['bob@receiver.example hard'],
  ],
  [
    'Barracuda, a blocked recipient list',
    report(
      '',
      failed(
        'bob@receiver.example',
        '5.0.0',
        '554 Service unavailable; Client host [mail.sender.example] blocked by Barracuda Reputation System',
      ),
    ),
    ['bob@receiver.example block'],
  ],
  [
    'MessageLabs',
    report(
      '',
      failed(
        'bob@receiver.example',
        '5.0.0',
        '553-Message filtered. Refer to the Troubleshooting page at 553-http://www.symantec.example/ for more information. (#5.7.1)',
      ),
    ),
    ['bob@receiver.example block'],
  ],
  [
    'MessageLabs, an unknown address',
    report('', failed('bob@receiver.example', '5.0.0', '550 Invalid recipient <bob@receiver.example> (#5.1.1)')),
    ['bob@receiver.example hard'],
  ],
  [
    'IronPort',
    notice({
      ...{
        from: '"Mail Delivery System" <MAILER-DAEMON@ironport.example>',
        subject: 'Delivery Status Notification (Failure)',
      },
      text: `The following message to <bob@receiver.example> was undeliverable.
The reason for the problem:
5.1.0 - Unknown address error 550-'5.1.1 User unknown'

%RETURNED%`,
    }),
    ['bob@receiver.example hard'],
  ],
  [
    'SendGrid',
    report(
      'Hello, this is the mail server on sendgrid.example.\nI am sending you this message to inform you on the delivery status of a message you previously sent.',
      `Reporting-MTA: dns; sendgrid.example\n\nOriginal-Recipient: bob@receiver.example\nFinal-Recipient: bob@receiver.example\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: 550 5.1.1 <bob@receiver.example>... User Unknown\n`,
    ),
    ['bob@receiver.example hard'],
  ],
  [
    'Exchange Online',
    report(
      "Your message to bob@receiver.example couldn't be delivered.\nbob wasn't found at receiver.example.",
      failed(
        'bob@receiver.example',
        '5.1.10',
        '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup',
      ),
    ),
    ['bob@receiver.example hard'],
  ],
  [
    'Exchange 2010 in HTML',
    notice({
      ...{
        from: 'MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@receiver.example',
        subject: 'Undeliverable: News',
        type: 'text/html',
      },
      text: `<html><body><p><b>Delivery has failed to these recipients or groups:</b></p>
<p><a href="mailto:bob@receiver.example">bob@receiver.example</a><br>The e-mail address you entered couldn't be found. Please check the recipient's e-mail address and try to resend the message.</p>
<p><b>Diagnostic information for administrators:</b></p><p>Generating server: mx.receiver.example</p>
<p>bob@receiver.example<br>#550 5.1.1 RESOLVER.ADR.RecipNotFound; not found ##</p>
<p>Original message headers:</p><pre>Received: from mail.sender.example</pre></body></html>`,
    }),
    ['bob@receiver.example hard'],
  ],
  [
    'Microsoft, in words that say nothing',
    report(
      '',
      failed('bob@receiver.example', '5.4.1', '550 5.4.1 Recipient address rejected: Access denied. AS(201806281)'),
    ),
    ['bob@receiver.example hard'],
  ],
  [
    'Microsoft, a listed address',
    report(
      '',
      failed(
        'bob@hotmail.example',
        '5.7.1',
        "550 5.7.1 Unfortunately, messages from [192.0.2.1] weren't sent. Please contact your Internet service provider since part of their network is on our block list (S3140).",
      ),
    ),
    ['bob@hotmail.example block'],
  ],
  [
    'hMailServer',
    notice({
      ...{ from: '<mailer-daemon@receiver.example>', subject: 'Undeliverable: News' },
      text: `Your message did not reach some or all of the intended recipients.

   Sent: Tue, 24 Nov 2026 10:00:00 +0000
   Subject: News

The following recipient(s) could not be reached:

bob@receiver.example
   Error Type: SMTP
   Remote server (192.0.2.7) issued an error.
   hMailServer sent: RCPT TO:<bob@receiver.example>
   Remote server replied: 550 Unknown user

hMailServer
`,
    }),
    ['bob@receiver.example hard'],
  ],
  [
    'MailEnable',
    notice({
      ...{ from: '"Delivery Subsystem" <POSTMASTER@receiver.example>', subject: 'Message Delivery Failure' },
      text: `MailEnable: Message could not be delivered to some recipients.
The following recipient(s) could not be reached:

	Recipient: [SMTP:bob@receiver.example]
	Reason: The message was not accepted because the mailbox is over its quota

Message headers follow:
%RETURNED%`,
    }),
    ['bob@receiver.example soft'],
  ],
  [
    'IMail',
    notice({
      ...{ from: '"Postmaster" <postmaster@receiver.example>', subject: 'Undeliverable Mail' },
      text: `Unknown user: bob@receiver.example

RCPT TO generated following response:
550 not local host receiver.example, not a gateway

Unknown host: eve@nowhere.example

Original message follows.

%RETURNED%`,
    }),
    ['bob@receiver.example block', 'eve@nowhere.example hard'],
  ],
  [
    'CommuniGate',
    report(
      "Failed to deliver to 'bob@receiver.example'\nSMTP module(domain receiver.example) reports:\n host mx.receiver.example says:\n 550 5.1.1 <bob@receiver.example>... User unknown",
      block(
        'Original-Recipient: rfc822;<bob@receiver.example>\nFinal-Recipient: rfc822;<bob@receiver.example>\nAction: failed\nStatus: 5.0.0\n',
      ),
    ),
    ['bob@receiver.example hard'],
  ],
  [
    'SurgeMail',
    notice({
      ...{ from: 'Postmaster@receiver.example', subject: 'Undeliverable mail (no such user)' },
      text: `Your message cannot be delivered to the following recipients:

Recipient address: bob@receiver.example
Reason: Remote SMTP server has rejected address
Diagnostic code: smtp;550 User bob does not exist here

%RETURNED%`,
    }),
    ['bob@receiver.example hard'],
  ],
  [
    'Symantec',
    notice({
      ...{ from: 'Symantec_AntiVirus@receiver.example', subject: 'Delivery failure notification' },
      text: `Your message with Subject: News
could not be delivered to the following recipients:

bob@receiver.example

Please do not resend your original message.
Delivery attempts will continue to be made for 5 day(s).
`,
    }),
    ['delayed'],
  ],
  [
    'McAfee',
    notice({
      ...{ from: 'Mail Delivery System <MAILER-DAEMON@receiver.example>', subject: 'Mail delivery failed' },
      text: `--- The following addresses had delivery problems ---

<bob@receiver.example>   (User unknown bob@receiver.example)

-------------- Original message headers
%RETURNED%`,
    }),
    ['bob@receiver.example hard'],
  ],
])('bounce: the words of %s are read', async (_, raw, expected) => {
  expect(await inShort(raw)).toEqual(expected)
})
