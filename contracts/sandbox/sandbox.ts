import { z } from 'zod'
import { endpoint } from '#contracts/endpoint.ts'
import { Empty, Moment, PageOf, PageQuery, Search } from '#contracts/values.ts'

const MailNumber = z.string().regex(/^\d{1,12}$/, 'is not the number of an email')
const MailId = z.object({ id: MailNumber })
/** Which part of the sandbox an admin sees: all, that of their workspace, or what no workspace sent (confirmations, password resets). */
export const AdminFilter = z.object({ of: z.enum(['all', 'workspace', 'system']).optional() })
/** What `of` means, for the reference. */
export const IS_FOR_ADMINS =
  '`of` is for admins: `all` unless told, `workspace` for their own, `system` for what belongs to no workspace. Others see what belongs to theirs.'
export const SandboxMail = z.object({
  id: z.string(),
  /** The workspace that sent it; null: the installation itself. */
  workspaceId: z.string().nullable(),
  from: z.string(),
  to: z.array(z.string()),
  subject: z.string(),
  size: z.number().int(),
  at: Moment,
})
export type SandboxMail = z.infer<typeof SandboxMail>

export const sandbox = {
  list: endpoint('GET /api/sandbox/mails', 'user', {
    refusals: [403],
    summary: 'List the emails of this workspace that would have been sent, newest first; admins see all',
    rules: IS_FOR_ADMINS,
    query: PageQuery.extend({ cursor: MailNumber.optional(), q: Search.optional(), ...AdminFilter.shape }),
    response: PageOf(SandboxMail),
  }),
  get: endpoint('GET /api/sandbox/mails/:id', 'user', {
    summary: 'Get a parsed email',
    gives: { under: ['/api/sandbox/mails/:id/attachments'], pointer: '/attachments/0/index' },
    params: MailId,
    response: SandboxMail.extend({
      headers: z.array(z.object({ name: z.string(), value: z.string() })),
      html: z.string().nullable(),
      text: z.string().nullable(),
      /** It left through a Gmail account of the emulator, whose mailbox takes a reply. */
      canReply: z.boolean(),
      attachments: z.array(
        z.object({ index: z.number().int(), name: z.string(), type: z.string(), size: z.number().int() }),
      ),
    }),
  }),
  reply: endpoint('POST /api/sandbox/mails/:id/reply', 'user', {
    refusals: [409],
    summary: 'Reply to an email sent through Gmail as its recipient; the reply arrives in the mailbox of the account',
    params: MailId,
    body: z.strictObject({
      text: z.string().trim().min(1, 'is required').max(10_000),
      /** `machine` is an automatic response for somebody who is away; it does not count as a reply. */
      by: z.enum(['person', 'machine']).default('person'),
    }),
    response: Empty,
  }),
  source: endpoint('GET /api/sandbox/mails/:id/source', 'user', {
    types: ['message/rfc822'],
    summary: 'Get the source of an email',
    transport: 'file',
    params: MailId,
  }),
  attachment: endpoint('GET /api/sandbox/mails/:id/attachments/:index', 'user', {
    types: ['*/*'],
    summary: 'Get an attachment',
    transport: 'file',
    params: MailId.extend({ index: z.string().regex(/^\d{1,3}$/) }),
  }),
  live: endpoint('GET /api/sandbox/live', 'user', {
    refusals: [403],
    summary: 'Stream new emails of this workspace as server-sent events named `mail`; admins get all',
    rules: IS_FOR_ADMINS,
    transport: 'events',
    query: AdminFilter,
    response: SandboxMail,
  }),
  clear: endpoint('DELETE /api/sandbox/mails', 'user', {
    refusals: [403],
    summary: 'Delete the emails of this workspace from the sandbox; admins delete all',
    rules: IS_FOR_ADMINS,
    query: AdminFilter,
    response: Empty,
  }),
}
