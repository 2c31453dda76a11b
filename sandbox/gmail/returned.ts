/** The end of a mail's headers, or of all of it. */
function readHead(raw: Buffer): string {
  const text = raw.toString('latin1')
  const end = text.indexOf('\r\n\r\n')
  return end < 0 ? text : text.slice(0, end)
}

/** What Gmail puts into the mailbox of a person who wrote to an address that did not take it (RFC 3464). */
export function returned(account: string, to: string, response: string, raw: Buffer): Buffer {
  const status = /\b([45]\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1] ?? '5.0.0'
  const name = /^Message-ID:\s*(\S+)/im.exec(readHead(raw))?.[1]
  const lines = [
    'From: Mail Delivery Subsystem <mailer-daemon@googlemail.com>',
    `To: ${account}`,
    'Auto-Submitted: auto-replied',
    'Subject: Delivery Status Notification (Failure)',
    ...(name ? [`In-Reply-To: ${name}`, `References: ${name}`] : []),
    `X-Failed-Recipients: ${to}`,
    `Date: ${new Date().toUTCString().replace('GMT', '+0000')}`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; boundary="returned"; report-type=delivery-status',
    '',
    '--returned',
    'Content-Type: text/plain; charset="UTF-8"',
    '',
    `** Message not delivered **`,
    '',
    `Your message was not delivered to ${to}. The response was:`,
    '',
    response,
    '',
    '--returned',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; googlemail.com',
    '',
    `Final-Recipient: rfc822; ${to}`,
    'Action: failed',
    `Status: ${status}`,
    `Diagnostic-Code: smtp; ${response}`,
    '',
    '--returned',
    'Content-Type: text/rfc822-headers',
    '',
    readHead(raw),
    '',
    '--returned--',
    '',
  ]
  return Buffer.from(lines.join('\r\n'), 'latin1')
}
