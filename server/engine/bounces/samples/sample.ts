/** Reports as servers write them, made for the tests in the form of each server. */
import { expect } from 'vitest'
import { type Bounce, looksBounced, type Report, readReport } from '../bounce.ts'
import { openReport } from '../notices/mail.ts'

type Sample = { from: string; subject: string; headers?: string; text: string; type?: string; charset?: string }

const RETURNED = `Received: from mail.sender.example by mx.receiver.example; Tue, 24 Nov 2026 10:00:00 +0000
From: Ada <ada@sender.example>
To: someone@unrelated.example
Subject: News
Message-ID: <1@sender.example>

User unknown is what the newsletter is about.
`

/** A notice of one part, with the email it returns below the line that the server puts there. */
export function notice({ from, subject, headers = '', text, type = 'text/plain' }: Sample): Buffer {
  const returned = text.includes('%RETURNED%') ? text.replace('%RETURNED%', RETURNED) : text
  return Buffer.from(
    `Return-Path: <>\nFrom: ${from}\nTo: ada@sender.example\nSubject: ${subject}\n${headers}MIME-Version: 1.0\nContent-Type: ${type}; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n${returned}`,
  )
}

/** A report with parts: the words, the delivery status or the feedback, and the returned email. */
export function report(words: string, fields: string, type = 'delivery-status', headers = ''): Buffer {
  return Buffer.from(
    `Return-Path: <>\nFrom: Mail Delivery System <MAILER-DAEMON@mx.receiver.example>\nTo: ada@sender.example\nSubject: Undelivered Mail Returned to Sender\n${headers}MIME-Version: 1.0\nContent-Type: multipart/report; report-type=${type}; boundary="part"\n\n--part\nContent-Type: text/plain; charset=utf-8\n\n${words}\n\n--part\nContent-Type: message/${type}\n\n${fields}\n--part\nContent-Type: message/rfc822\n\n${RETURNED}\n--part--\n`,
  )
}

/** What a report says in short: `address class` for each recipient, or its kind where it is no bounce. */
export async function inShort(raw: Buffer): Promise<string[]> {
  const report: Report = await readReport(raw)
  if (report.kind === 'bounce') {
    const { headers } = await openReport(raw)
    expect(looksBounced(headers), 'it is recognized by its headers').toBe(true)
    return report.bounces.map((bounce: Bounce) => `${bounce.recipient} ${bounce.class}`)
  }
  return 'recipients' in report ? [report.kind, ...report.recipients] : [report.kind]
}
