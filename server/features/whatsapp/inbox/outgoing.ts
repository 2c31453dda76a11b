import type { Reply } from '#contracts/whatsapp/inbox.ts'
import { conflict, invalid, Refusal } from '#server/platform/http/refusal.ts'
import type { WhatsAppServices } from '../numbers/numbers.ts'
import { missingVariables, templateMessage, templateText } from '../templates/shape.ts'
import { findTemplate } from '../templates/templates.ts'
import type { Outgoing } from './send.ts'

/** A template with its values, ready to go. Throws Refusal when it may not be sent or values are missing. */
export async function outgoingTemplate(
  services: WhatsAppServices,
  workspaceId: string,
  businessAccountId: string,
  given: { templateId: string; variables: Record<string, string> },
): Promise<Outgoing> {
  const template = await findTemplate(services, workspaceId, given.templateId).catch(() => undefined)
  if (!template || template.businessAccountId !== businessAccountId)
    throw invalid('templateId', 'is not a template of this number')
  if (template.status !== 'APPROVED')
    throw conflict(
      'template_not_approved',
      `This template cannot be sent. Its status at Meta is ${template.status.toLowerCase().replaceAll('_', ' ')}.`,
    )
  const missing = missingVariables(template, given.variables)
  if (missing.length > 0)
    throw new Refusal(400, 'invalid', `The template needs a value for ${missing.join(', ')}.`, {
      details: missing.map((key) => ({ field: `variables.${key}`, message: 'is required' })),
    })
  return {
    kind: 'template',
    text: templateText(template, given.variables),
    message: { type: 'template', template: templateMessage(template, given.variables) },
    content: {
      buttons: (template.components as { buttons?: { text?: string }[] }[]).flatMap(
        (part) => part.buttons?.map((one) => one.text ?? '') ?? [],
      ),
    },
    templateName: template.name,
    category: template.category.toLowerCase(),
  }
}

type Said = Exclude<Reply, { kind: 'template' | 'note' }>

/** A reply inside the window as Meta takes it. */
export function outgoingReply(reply: Said): Outgoing {
  switch (reply.kind) {
    case 'text':
      return {
        kind: 'text',
        text: reply.text,
        message: { type: 'text', text: { preview_url: true, body: reply.text } },
      }
    case 'buttons': {
      const buttons = reply.buttons.map((title, at) => ({
        type: 'reply',
        reply: { id: `b${at}:${title}`.slice(0, 256), title },
      }))
      const interactive = { type: 'button', body: { text: reply.text }, action: { buttons } }
      return {
        kind: 'interactive',
        text: reply.text,
        message: { type: 'interactive', interactive },
        content: { buttons: reply.buttons },
      }
    }
    default: {
      const caption = 'caption' in reply ? reply.caption : ''
      const fileName = reply.kind === 'document' ? reply.fileName : ''
      const part = { id: reply.mediaId, ...(caption && { caption }), ...(fileName && { filename: fileName }) }
      const media = { id: reply.mediaId, mimeType: '', fileName }
      return { kind: reply.kind, text: caption, message: { type: reply.kind, [reply.kind]: part }, content: { media } }
    }
  }
}
