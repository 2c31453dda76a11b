import PostalMime, { type Attachment, decodeWords } from 'postal-mime'
import type { OpenMail } from '#server/features/sandbox/index.ts'

const INLINE_LIMIT = 4 * 1024 * 1024

/** Takes a mail apart. What cannot be taken apart is shown as text, never refused. */
export async function openMail(raw: Buffer): Promise<OpenMail> {
  const mail = await PostalMime.parse(raw).catch(() => undefined)
  if (!mail) return { headers: [], html: null, text: raw.toString('latin1'), attachments: [] }
  return {
    headers: mail.headers.map(({ originalKey, value }) => ({ name: originalKey, value: decodeWords(value) })),
    html: mail.html === undefined ? null : withImages(mail.html, mail.attachments),
    text: mail.text ?? null,
    attachments: mail.attachments.map((part, index) => ({
      index,
      name: attachmentName(part, index),
      type: part.mimeType || 'application/octet-stream',
      size: toBytes(part).length,
    })),
  }
}

/** One attachment's bytes. */
export async function openAttachment(
  raw: Buffer,
  index: number,
): Promise<{ name: string; type: string; content: Uint8Array } | undefined> {
  const mail = await PostalMime.parse(raw).catch(() => undefined)
  const part = mail?.attachments[index]
  return (
    part && {
      name: attachmentName(part, index),
      type: part.mimeType || 'application/octet-stream',
      content: toBytes(part),
    }
  )
}

function toBytes({ content }: Attachment): Uint8Array {
  if (typeof content === 'string') return Buffer.from(content)
  return content instanceof Uint8Array ? content : new Uint8Array(content)
}

function attachmentName(part: Attachment, index: number): string {
  if (part.filename) return part.filename
  return part.mimeType === 'message/rfc822' ? `message-${index + 1}.eml` : `attachment-${index + 1}`
}

/** Images that travel in the mail (cid:) are put into its HTML, since the frame that shows it can fetch nothing of ours. */
function withImages(html: string, attachments: Attachment[]): string {
  let shown = html
  for (const part of attachments) {
    const id = part.contentId?.replace(/^<|>$/g, '')
    const bytes = toBytes(part)
    if (!id || !/^image\/[\w.+-]+$/.test(part.mimeType) || bytes.length > INLINE_LIMIT) continue
    if (!shown.includes(`cid:${id}`)) continue
    shown = shown.replaceAll(`cid:${id}`, `data:${part.mimeType};base64,${Buffer.from(bytes).toString('base64')}`)
  }
  return shown
}
