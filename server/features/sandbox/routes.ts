import type { FastifyInstance } from 'fastify'
import { sandbox } from '#contracts/sandbox/sandbox.ts'
import { mount } from '#server/platform/http/mount.ts'
import { conflict, notFound } from '#server/platform/http/refusal.ts'
import { serveEvents } from '#server/platform/live/live.ts'
import type { Mailbox } from './mailbox.ts'
import { buildReply, findReplyMailbox, type ReplyMailboxes } from './replies.ts'
import { findScope } from './scope.ts'

/** Mounts the sandbox's endpoints over its mails. Without a sandbox they are not mounted at all and respond with 404. */
export function mountSandbox(app: FastifyInstance, mails: Mailbox, replyMailboxes?: ReplyMailboxes): void {
  mount(app, sandbox.list, async ({ caller, query }) => {
    const { cursor, limit, q, of } = query
    const { items, more, total } = await mails.list({ scope: findScope(caller, of), limit, before: cursor, q })
    return { items, total, nextCursor: more ? (items.at(-1)?.id ?? null) : null }
  })
  mount(app, sandbox.get, async ({ caller, params }) => {
    const mail = await mails.open(findScope(caller), params.id)
    if (!mail) throw notFound('Mail')
    return { ...mail, canReply: (await findReplyMailbox(mail, replyMailboxes)) !== undefined }
  })
  mount(app, sandbox.reply, async ({ caller, params, body }) => {
    const mail = await mails.open(findScope(caller), params.id)
    if (!mail) throw notFound('Mail')
    const reader = await findReplyMailbox(mail, replyMailboxes)
    if (reader === undefined)
      throw conflict(
        'nobody_reads',
        'This email was not sent through a Gmail account, so no mailbox gets replies to it.',
      )
    await replyMailboxes?.take(reader, buildReply(mail, reader, body))
    return {}
  })
  mount(app, sandbox.source, async ({ caller, params, reply }) => {
    const raw = await mails.source(findScope(caller), params.id)
    if (!raw) throw notFound('Mail')
    return download(reply, `mail-${params.id}.eml`, 'message/rfc822').send(
      Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength),
    )
  })
  mount(app, sandbox.attachment, async ({ caller, params, reply }) => {
    const part = await mails.attachment(findScope(caller), params.id, Number(params.index))
    if (!part) throw notFound('Attachment')
    const { content } = part
    return download(reply, part.name, part.type).send(
      Buffer.from(content.buffer, content.byteOffset, content.byteLength),
    )
  })
  mount(app, sandbox.live, ({ caller, query, reply }) => {
    const scope = findScope(caller, query.of)
    serveEvents(reply, ({ send }) => mails.watch(scope, (mail) => send('mail', mail)))
  })
  mount(app, sandbox.clear, async ({ caller, query }) => {
    await mails.clear(findScope(caller, query.of))
    return {}
  })
}

type Reply = Parameters<typeof serveEvents>[0]

/** A stranger's bytes: always saved, never shown on the product's origin (RFC 6266 names it, RFC 8187 beyond ASCII). */
function download(reply: Reply, name: string, type: string): Reply {
  const safe = name.replaceAll(/[/\\:]/g, '-')
  const ascii = safe.replaceAll(/[^ -~]|["%]/g, '_')
  const mime = /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : 'application/octet-stream'
  const encoded = encodeURIComponent(safe.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return reply
    .type(mime)
    .header('content-disposition', `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`)
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', "sandbox; default-src 'none'")
    .header('cache-control', 'no-store')
}
