import { request } from 'undici'
import type { GmailAccess } from './gmail-connection.ts'
import { type Mailbox, type MailHeads, ReadProblem } from './mailbox.ts'

const CALL_MS = 30_000
/** A bounce quotes what it is about: more than this is not needed to know why. */
const RAW_BYTES = 8 * 1024 * 1024
const PAGES = 20
/** Reading one costs 20 units, and a minute has 6,000. */
const RECENT = '250'

/** Reads a mailbox through Gmail's API (gmail.readonly). */
export function gmailMailbox(apiUrl: string, access: GmailAccess): Mailbox {
  async function get(path: string, query: Record<string, string> = {}): Promise<Record<string, unknown>> {
    const url = `${apiUrl}/gmail/v1/users/me/${path}?${new URLSearchParams(query)}`
    for (let tries = 0; ; tries++) {
      const token = await access.token()
      const response = await request(url, {
        headers: { authorization: `Bearer ${token}` },
        signal: AbortSignal.timeout(CALL_MS),
      }).catch((error: Error) => {
        throw new ReadProblem('failed', `Gmail cannot be reached (${(error as NodeJS.ErrnoException).code ?? 'lost'}).`)
      })
      const text = await response.body.text()
      if (response.statusCode === 401 && tries === 0) {
        await access.refused(token)
        continue
      }
      if (response.statusCode === 404) throw new ReadProblem('gone', 'It no longer exists.')
      if (response.statusCode === 403 && /ACCESS_TOKEN_SCOPE_INSUFFICIENT|insufficientPermissions/.test(text))
        throw new ReadProblem('scope', 'Reading was not allowed. Connect the account again and allow it.')
      if (response.statusCode !== 200)
        throw new ReadProblem('failed', `Gmail responded with status ${response.statusCode} when the mailbox was read.`)
      return objectIn(text)
    }
  }

  async function fetchHeads(id: string): Promise<MailHeads> {
    const result = await get(`messages/${encodeURIComponent(id)}`, { format: 'metadata' })
    const { headers } = (result.payload ?? {}) as { headers?: unknown }
    return {
      id,
      remoteId: id,
      threadId: String(result.threadId ?? ''),
      labelIds: Array.isArray(result.labelIds) ? result.labelIds.map(String) : [],
      at: Number(result.internalDate) || Date.now(),
      headers: new Map(listIn(headers).map(({ name, value }) => [String(name).toLowerCase(), String(value)])),
    }
  }

  return {
    async newest() {
      return String((await get('profile')).historyId ?? '')
    },
    async addedSince(cursor) {
      const ids = new Set<string>()
      let at = cursor
      let pageToken = ''
      for (let page = 0; page < PAGES; page++) {
        const result = await get('history', {
          startHistoryId: cursor,
          historyTypes: 'messageAdded',
          ...(pageToken && { pageToken }),
        })
        for (const entry of listIn(result.history))
          for (const added of listIn(entry.messagesAdded))
            ids.add(String((added.message as { id?: unknown })?.id ?? ''))
        at = String(result.historyId ?? at)
        pageToken = String(result.nextPageToken ?? '')
        if (!pageToken) break
      }
      ids.delete('')
      return { ids: [...ids], cursor: at }
    },
    async recent() {
      const result = await get('messages', { q: 'newer_than:30d -in:sent', maxResults: RECENT })
      return listIn(result.messages).map((one) => String(one.id ?? ''))
    },
    async *heads(ids) {
      for (const id of ids) {
        const heads = await fetchHeads(id).catch((error) => {
          if (error instanceof ReadProblem && error.kind === 'gone') return undefined
          throw error
        })
        if (heads) yield heads
      }
    },
    /** At most its first 8 MB. */
    async raw(id) {
      const { raw } = await get(`messages/${encodeURIComponent(id)}`, { format: 'raw' })
      return Buffer.from(typeof raw === 'string' ? raw : '', 'base64url').subarray(0, RAW_BYTES)
    },
    close: async () => undefined,
  }
}

function objectIn(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed === 'object' && parsed !== null) return parsed as Record<string, unknown>
  } catch {
    // Said below.
  }
  throw new ReadProblem('failed', 'Gmail’s response could not be read.')
}

const listIn = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : []
