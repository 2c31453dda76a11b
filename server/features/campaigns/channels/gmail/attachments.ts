import { ATTACHMENTS_LIMIT, type campaigns } from '#contracts/campaigns/campaigns.ts'
import type { Attachment } from '#contracts/campaigns/channels/gmail/campaign.ts'
import { MIXED_MARK } from '#server/engine/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { FormReader } from '#server/platform/http/mount.ts'
import { conflict, notFound, Refusal } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import { campaignById } from '../../campaign-rows.ts'

/** Base64 in lines of 76: 57 bytes become 78. */
const encodedSize = (size: number) => Math.ceil(size / 57) * 78
const MAX_ATTACHMENTS = 20

const megabytes = (bytes: number) => `${(bytes / 1_000_000).toLocaleString('en', { maximumFractionDigits: 1 })} MB`

function tooLarge(size: string): Refusal {
  return new Refusal(
    413,
    'too_large',
    `${size} is too large. Gmail accepts messages of up to 25 MB, and encoding makes files a third larger, so all files together can have about 18 MB. Nothing was attached. Link to larger files in the text instead.`,
  )
}

/** The files of a campaign, oldest first. */
export async function listAttachments(db: Db, campaignId: string): Promise<Attachment[]> {
  return db
    .selectFrom('campaignAttachments')
    .where('campaignId', '=', campaignId)
    .select(['id', 'name', 'type', 'size'])
    .orderBy('id')
    .execute()
}

/** Attaches the file of a form to a Gmail draft. Throws Refusal 400, 404, 409 or 413. */
export async function attach(
  services: Services,
  workspaceId: string,
  id: string,
  form: FormReader<typeof campaigns.attach>,
): Promise<Attachment> {
  const { db } = services
  const campaign = await campaignById(db, workspaceId, id)
  if (!campaign) throw notFound('Campaign')
  if (campaign.channel !== 'gmail') throw conflict('wrong_channel', 'Files can be attached to Gmail campaigns only.')
  if (campaign.state !== 'draft') throw conflict('not_a_draft', 'Only a draft can be changed.')
  const { bytes, ...file } = (await form()).file
  const name = shownName(file.name)
  const type = /^[\w.+-]+\/[\w.+-]+$/.test(file.type) ? file.type : 'application/octet-stream'
  return db.transaction().execute(async (db) => {
    // One after the other, so that two uploads at once do not pass the limit together.
    await db
      .selectFrom('campaigns')
      .where('workspaceId', '=', workspaceId)
      .where('id', '=', id)
      .select('id')
      .forUpdate()
      .executeTakeFirst()
    const others = await listAttachments(db, id)
    const total = others.reduce((sum, one) => sum + encodedSize(one.size), encodedSize(bytes.length))
    const plain = others.reduce((sum, one) => sum + one.size, bytes.length)
    if (total > ATTACHMENTS_LIMIT)
      throw tooLarge(others.length > 0 ? `${megabytes(plain)} with the other files` : megabytes(plain))
    if (others.length >= MAX_ATTACHMENTS)
      throw conflict('too_many', `At most ${MAX_ATTACHMENTS} files can be attached.`)
    return db
      .insertInto('campaignAttachments')
      .values({ workspaceId, campaignId: id, name, type, size: bytes.length, bytes })
      .returning(['id', 'name', 'type', 'size'])
      .executeTakeFirstOrThrow()
  })
}

/** The name of a file without what a header could be broken out with. */
const shownName = (name: string) => Array.from(name.replaceAll('"', ' ').trim()).slice(0, 100).join('') || 'file'

/** Takes a file off a Gmail draft. Throws Refusal 404 or 409. */
export async function detach(services: Services, workspaceId: string, id: string, attachmentId: string): Promise<void> {
  const campaign = await campaignById(services.db, workspaceId, id)
  if (!campaign) throw notFound('Campaign')
  if (campaign.state !== 'draft') throw conflict('not_a_draft', 'Only a draft can be changed.')
  const gone = await services.db
    .deleteFrom('campaignAttachments')
    .where('workspaceId', '=', workspaceId)
    .where('campaignId', '=', id)
    .where('id', '=', attachmentId)
    .executeTakeFirst()
  if (Number(gone.numDeletedRows) === 0) throw notFound('Attachment')
}

/** The files as MIME parts (RFC 2045, 2183, 2231) for prepare(); empty where there are none. */
export async function encodedAttachments(db: Db, campaignId: string): Promise<string> {
  const rows = await db
    .selectFrom('campaignAttachments')
    .where('campaignId', '=', campaignId)
    .select(['name', 'type', 'bytes'])
    .orderBy('id')
    .execute()
  return rows.map(buildMimePart).join('')
}

function buildMimePart({ name, type, bytes }: { name: string; type: string; bytes: Buffer }): string {
  const ascii = name.replace(/[^ -~]|[\\"]/g, '_')
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  const body = Buffer.from(bytes)
    .toString('base64')
    .replace(/.{76}(?=.)/g, '$&\r\n')
  return [
    MIXED_MARK,
    `Content-Type: ${type}`,
    `Content-Disposition: attachment;\r\n filename="${ascii}"${ascii === name ? '' : `;\r\n filename*=UTF-8''${encoded}`}`,
    'Content-Transfer-Encoding: base64',
    '',
    body,
    '',
  ].join('\r\n')
}
