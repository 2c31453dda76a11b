import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Empty, Moment, PageOf, PageQuery } from './values.ts'

const MailId = z.object({ id: z.string().regex(/^\d{1,12}$/) })
export const SandboxMail = z.object({
  id: z.string(),
  from: z.string(),
  to: z.array(z.string()),
  subject: z.string(),
  size: z.number().int(),
  at: Moment,
})
export type SandboxMail = z.infer<typeof SandboxMail>

export const sandbox = {
  list: endpoint('GET /api/sandbox/mails', 'admin', {
    summary: 'Mail that would have left, newest first',
    query: PageQuery.extend({ q: z.string().max(200).optional() }),
    answer: PageOf(SandboxMail),
  }),
  get: endpoint('GET /api/sandbox/mails/:id', 'admin', {
    summary: 'One mail, taken apart',
    params: MailId,
    answer: SandboxMail.extend({
      headers: z.array(z.object({ name: z.string(), value: z.string() })),
      html: z.string().nullable(),
      text: z.string().nullable(),
      /** It left through a Gmail account of the stand-in, whose mailbox takes an answer. */
      answerable: z.boolean(),
      attachments: z.array(
        z.object({ index: z.number().int(), name: z.string(), type: z.string(), size: z.number().int() }),
      ),
    }),
  }),
  answer: endpoint('POST /api/sandbox/mails/:id/answer', 'admin', {
    summary: 'Answer a mail that left through Gmail as whoever got it: it comes into the mailbox of the account',
    params: MailId,
    body: z.strictObject({
      text: z.string().trim().min(1, 'is required').max(10_000),
      /** A machine answers for somebody who is away: no reply. */
      by: z.enum(['person', 'machine']).default('person'),
    }),
    answer: Empty,
  }),
  source: endpoint('GET /api/sandbox/mails/:id/source', 'admin', {
    summary: 'One mail as it was received',
    transport: 'file',
    params: MailId,
  }),
  attachment: endpoint('GET /api/sandbox/mails/:id/attachments/:index', 'admin', {
    summary: 'One attachment',
    transport: 'file',
    params: MailId.extend({ index: z.string().regex(/^\d{1,3}$/) }),
  }),
  live: endpoint('GET /api/sandbox/live', 'admin', {
    summary: 'New mail as server-sent events named `mail`',
    transport: 'events',
    answer: SandboxMail,
  }),
  clear: endpoint('DELETE /api/sandbox/mails', 'admin', { summary: 'Empty the sandbox', answer: Empty }),
}
