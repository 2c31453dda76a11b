import { expect, test } from 'vitest'
import { inShort, notice } from './sample.ts'

test.each([
  [
    'Yahoo',
    notice({
      ...{ from: 'MAILER-DAEMON@yahoo.example', subject: 'Failure Notice' },
      text: `Sorry, we were unable to deliver your message to the following address.

<bob@yahoo.example>:
554: delivery error: dd This user doesn't have a yahoo.example account (bob@yahoo.example) [0] - mta1.mail.bf1.yahoo.example

<eve@yahoo.example>:
554: delivery error: dd Requested mail action aborted: mailbox over quota

---------- Forwarded message ----------
%RETURNED%`,
    }),
    ['bob@yahoo.example hard', 'eve@yahoo.example soft'],
  ],
  [
    'AOL',
    notice({
      ...{ from: 'Mail Delivery Subsystem <MAILER-DAEMON@aol.example>', subject: 'Mail Delivery Problem' },
      text: `Your mail to the following recipients could not be delivered because they are not accepting mail from ada@sender.example:
	bob@aol.example
`,
    }),
    ['bob@aol.example block'],
  ],
  [
    'GMX and web.de',
    notice({
      ...{
        from: '"GMX Mailer Daemon" <mailer-daemon@gmx.example>',
        subject: 'Mail delivery failed: returning message to sender',
      },
      text: `This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of
its recipients. This is a permanent error. The following address
failed:

"bob@receiver.example":
SMTP error from remote server after RCPT command:
host: mx.receiver.example
5.1.1 <bob@receiver.example>... User Unknown

"eve@receiver.example":
delivery retry timeout exceeded

--- The header of the original message is following. ---

%RETURNED%`,
    }),
    ['bob@receiver.example hard', 'eve@receiver.example soft'],
  ],
  [
    '1&1',
    notice({
      ...{
        from: 'Mail Delivery System <mailer-daemon@kundenserver.example>',
        subject: 'Mail delivery failed: returning message to sender',
      },
      text: `A message that you sent could not be delivered to one or more of
its recipients. This is a permanent error.

The following address failed:

bob@receiver.example

For the following reason:

Mail size limit exceeded. For explanation visit
http://postmaster.example/en/error-messages

--- The header of the original message is following. ---

%RETURNED%`,
    }),
    ['bob@receiver.example content'],
  ],
  [
    'Zoho',
    notice({
      ...{ from: 'mailer-daemon@mail.zoho.example', subject: 'Undelivered Mail Returned to Sender' },
      text: `This message was created automatically by mail delivery software.
A message that you sent could not be delivered to one or more of its recipients. This is a permanent error. 

bob@receiver.example Invalid Address, ERROR_CODE :550, ERROR_CODE :5.1.1 <bob@receiver.example>... User Unknown
eve@receiver.example Error, ERROR_CODE :552, ERROR_CODE :5.2.2 Mailbox full

Received:from mail.zoho.example by mx.zohomail.example
	with SMTP id 1; Tue, 24 Nov 2026 10:00:00 -0800 (PST)
`,
    }),
    ['bob@receiver.example hard', 'eve@receiver.example soft'],
  ],
  [
    'Zoho, a host that does not answer',
    notice({
      ...{ from: 'mailer-daemon@mail.zoho.example', subject: 'Delivery Failure' },
      text: `A message that you sent could not be delivered to one or more of its recipients.
[Status: Error, Address: <bob@receiver.example>, ResponseCode 421, , Host not reachable.]
`,
    }),
    ['bob@receiver.example soft'],
  ],
  [
    'Mail.ru',
    notice({
      ...{
        from: 'Mail Delivery System <Mailer-Daemon@mx.mail.example>',
        subject: 'Ваше сообщение не доставлено. Mail failure.',
      },
      text: `Это письмо создано автоматически сервером Mail.Ru, отвечать на него не нужно.

К сожалению, Ваше письмо не может быть доставлено одному или нескольким получателям:

**********************

A message that you sent could not be delivered to one or more of its recipients. This is a permanent error.
The following address(es) failed:

  bob@mail.example
    user not found

------ This is a copy of the message, including all the headers. ------
%RETURNED%`,
    }),
    ['bob@mail.example hard'],
  ],
  [
    'QQ',
    notice({
      ...{ from: '"Postmaster" <PostMaster@qq.example>', subject: '来自qq.example的退信' },
      text: `很抱歉您发送的邮件被退回。
收件人邮件地址：bob@qq.example
退信原因：收件人邮件地址不存在，邮件无法送达。
host mx.qq.example[192.0.2.3] said: 550 Mailbox not found. http://service.mail.qq.example/cgi-bin/help
`,
    }),
    ['bob@qq.example hard'],
  ],
  [
    '163',
    notice({
      ...{ from: 'Postmaster@163.example', subject: '系统退信' },
      text: `抱歉，您的邮件被退回来了……
收 件 人：	eve@163.example
退信原因：对方的邮箱已满，邮件无法投递。
`,
    }),
    ['eve@163.example soft'],
  ],
  [
    'Facebook',
    notice({
      ...{
        from: 'Facebook <mailer-daemon@mx.facebook.example>',
        subject: 'Sorry, your message could not be delivered',
      },
      text: `This message was created automatically by Facebook.

Sorry, your message could not be delivered to the following address:
bob@facebook.example

550 5.1.1 RCP-P1 http://postmaster.facebook.example/response_codes?ip=192.0.2.1#rcp Not accepted: user does not exist
`,
    }),
    ['bob@facebook.example hard'],
  ],
])('bounce: the words of %s are read', async (_, raw, expected) => {
  expect(await inShort(raw)).toEqual(expected)
})
