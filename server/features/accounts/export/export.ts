import { type PassThrough, Readable } from 'node:stream'
import { jwtVerify, SignJWT } from 'jose'
import { ZipFile } from 'yazl'
import { audit } from '#server/platform/audit.ts'
import type { Config } from '#server/platform/config.ts'
import { deriveKey } from '#server/platform/crypto.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Caller } from '#server/platform/http/mount.ts'
import { tooMany, unauthorized } from '#server/platform/http/refusal.ts'
import { readCookie } from '#server/platform/http/sealed-cookie.ts'
import { throttle } from '#server/platform/throttle.ts'
import type { Services } from '#server/services.ts'
import { presentUser } from '../accounts.ts'
import * as store from '../store.ts'
import type { Pages } from './export-pages.ts'
import { listExportFiles, listIdentities } from './export-store.ts'

const EXPORTS_AN_HOUR = 30

const README = `These are all data that Postlark stores about you and your workspace.

Each file is a JSON array with one object a line (RFC 8259, UTF-8); times are ISO 8601 in UTC. Ids connect the files:
list-members.json says which contact is on which list, messages.json has one row for each recipient of a campaign,
and events.json the opens, clicks and unsubscribes that returned for a message, judged human or machine.

Passwords and other credentials are not part of it.
`

/** Rows as a JSON array with one row a line. */
async function* asJson(pages: Pages): AsyncGenerator<string> {
  let before = '[\n'
  for await (const rows of pages) {
    yield before + rows.map((row) => JSON.stringify(row)).join(',\n')
    before = ',\n'
  }
  yield before === '[\n' ? '[]\n' : '\n]\n'
}

async function accountFile(db: Db, caller: Caller): Promise<Buffer> {
  const user = await store.userById(db, caller.userId)
  if (!user) throw unauthorized()
  const sessions = (await store.listSessions(db, caller.userId)).map(
    ({ createdAt, lastSeenAt, expiresAt, userAgent }) => ({
      createdAt,
      lastSeenAt,
      expiresAt,
      userAgent,
    }),
  )
  const identities = await listIdentities(db, caller.userId)
  return Buffer.from(`${JSON.stringify({ ...presentUser(user), sessions, identities }, null, 2)}\n`)
}

/**
 * Everything of a user and their workspace as a ZIP archive (with ZIP64 where it grows that large), made while it is read:
 * memory does not grow with it. Throws Refusal 429.
 */
export async function exportEverything(
  { db, reads }: Pick<Services, 'db' | 'reads'>,
  caller: Caller,
): Promise<Readable> {
  const times = await throttle(db, `export:${caller.userId}`, EXPORTS_AN_HOUR, 3_600)
  if (!times.ok)
    throw tooMany(
      'You have exported your data too often in the last hour. Wait a few minutes, then try again.',
      times.wait,
    )
  // Named here, because the browser's own download comes with a cookie instead of a token.
  const { userId: id, email, workspaceId } = caller
  await audit(db, { action: 'account_exported', actor: { id, email }, workspaceId })
  const zip = new ZipFile()
  const out = zip.outputStream as PassThrough
  zip.addBuffer(Buffer.from(README), 'README.txt')
  zip.addBuffer(await accountFile(db, caller), 'account.json')
  let current: Readable | undefined
  for (const [name, pages] of listExportFiles(reads.pick(caller), caller))
    zip.addReadStreamLazy(`${name}.json`, (give) => {
      current = Readable.from(asJson(pages()), { objectMode: false })
      give(null, current)
    })
  // A part that cannot be read cuts the download off: half an archive must not look like a whole one.
  zip.on('error', (error: Error) => out.destroy(error))
  out.on('close', () => current?.destroy())
  zip.end()
  return out
}

const COOKIE = 'postlark_export'
const SECONDS = 60
const deriveLinkKey = (config: Pick<Config, 'secretKey'>) => deriveKey(config.secretKey, 'export links')

/**
 * A browser that follows a link sends no bearer token, and an archive may be too large to be fetched by a script. So a
 * cookie stands for the token: for one address, one minute, out of reach of scripts and other sites, and never in an address.
 */
export async function exportCookie(config: Services['config'], caller: Caller, path: string): Promise<string> {
  const ticket = await new SignJWT({ _id: caller.userId, sid: caller.sessionId })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime(`${SECONDS}s`)
    .sign(deriveLinkKey(config))
  const secure = config.publicUrl.startsWith('https:') ? '; Secure' : ''
  return `${COOKIE}=${ticket}; Path=${path}; Max-Age=${SECONDS}; HttpOnly; SameSite=Strict${secure}`
}

/** The caller behind the cookie, as long as their session lives. Throws Refusal 401. */
export async function callerOfCookie(db: Db, config: Services['config'], cookies: string | undefined): Promise<Caller> {
  const ticket = readCookie(cookies, COOKIE) ?? ''
  const claims = await jwtVerify<{ _id: string; sid: string }>(ticket, deriveLinkKey(config), {
    algorithms: ['HS256'],
  }).catch(() => undefined)
  const caller = claims && (await store.findCaller(db, claims.payload.sid, claims.payload._id))
  if (!caller) throw unauthorized()
  return caller
}
