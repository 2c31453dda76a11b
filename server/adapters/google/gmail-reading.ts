import { request } from 'undici'
import { ConsentProblem } from './consent.ts'
import type { GmailAccess } from './gmail-connection.ts'

/** One message of a mailbox: its headers by lower-case name, in the order they stand. */
export interface MailHeads {
  id: string
  threadId: string
  labelIds: string[]
  /** Milliseconds: when Gmail took it. */
  at: number
  headers: Map<string, string>
}

/** What a mailbox could not tell. `scope`: reading was not allowed; `gone`: no such message, or a history that is too old. */
export class ReadProblem extends Error {
  readonly kind: 'gone' | 'scope' | 'failed'
  constructor(kind: ReadProblem['kind'], message: string) {
    super(message)
    this.name = 'ReadProblem'
    this.kind = kind
  }
}

const CALL_MS = 30_000
/** A bounce quotes what it is about: more than this is not needed to know why. */
const RAW_BYTES = 8 * 1024 * 1024
const PAGES = 20

/** Reads a mailbox through Gmail's API (gmail.readonly). Every method throws ReadProblem or ConsentProblem. */
export function gmailMailbox(apiUrl: string, access: GmailAccess) {
  async function get(path: string, query: Record<string, string> = {}): Promise<Record<string, unknown>> {
    const url = `${apiUrl}/gmail/v1/users/me/${path}?${new URLSearchParams(query)}`
    for (let tries = 0; ; tries++) {
      const token = await access.token()
      const answer = await request(url, {
        headers: { authorization: `Bearer ${token}` },
        signal: AbortSignal.timeout(CALL_MS),
      }).catch((error: Error) => {
        throw new ReadProblem('failed', `Gmail cannot be reached (${(error as NodeJS.ErrnoException).code ?? 'lost'}).`)
      })
      const text = await answer.body.text()
      if (answer.statusCode === 401 && tries === 0) {
        await access.refused(token)
        continue
      }
      if (answer.statusCode === 404) throw new ReadProblem('gone', 'It is not there any more.')
      if (answer.statusCode === 403 && /ACCESS_TOKEN_SCOPE_INSUFFICIENT|insufficientPermissions/.test(text))
        throw new ReadProblem('scope', 'Reading was not allowed. Connect the account again and allow it.')
      if (answer.statusCode !== 200)
        throw new ReadProblem('failed', `Gmail answered ${answer.statusCode} to a look into the mailbox.`)
      return objectIn(text)
    }
  }

  return {
    /** Where the history of changes stands. */
    async newest(): Promise<string> {
      return String((await get('profile')).historyId ?? '')
    },
    /** The ids of messages that were added since, oldest first, and where the history stands then. */
    async addedSince(cursor: string): Promise<{ ids: string[]; cursor: string }> {
      const ids = new Set<string>()
      let at = cursor
      let pageToken = ''
      for (let page = 0; page < PAGES; page++) {
        const answer = await get('history', {
          startHistoryId: cursor,
          historyTypes: 'messageAdded',
          ...(pageToken && { pageToken }),
        })
        for (const entry of listIn(answer.history))
          for (const added of listIn(entry.messagesAdded))
            ids.add(String((added.message as { id?: unknown })?.id ?? ''))
        at = String(answer.historyId ?? at)
        pageToken = String(answer.nextPageToken ?? '')
        if (!pageToken) break
      }
      ids.delete('')
      return { ids: [...ids], cursor: at }
    },
    /** The ids of what came in during the last 30 days, where the history does not reach back far enough. */
    async recent(): Promise<string[]> {
      const answer = await get('messages', { q: 'newer_than:30d -in:sent', maxResults: '500' })
      return listIn(answer.messages).map((one) => String(one.id ?? ''))
    },
    /** The headers of a message, without its text. */
    async heads(id: string): Promise<MailHeads> {
      const answer = await get(`messages/${encodeURIComponent(id)}`, { format: 'metadata' })
      const { headers } = (answer.payload ?? {}) as { headers?: unknown }
      return {
        id,
        threadId: String(answer.threadId ?? ''),
        labelIds: Array.isArray(answer.labelIds) ? answer.labelIds.map(String) : [],
        at: Number(answer.internalDate) || Date.now(),
        headers: new Map(listIn(headers).map(({ name, value }) => [String(name).toLowerCase(), String(value)])),
      }
    },
    /** A whole message, RFC 5322; at most its first 8 MB. */
    async raw(id: string): Promise<Buffer> {
      const { raw } = await get(`messages/${encodeURIComponent(id)}`, { format: 'raw' })
      return Buffer.from(typeof raw === 'string' ? raw : '', 'base64url').subarray(0, RAW_BYTES)
    },
  }
}

export type GmailMailbox = ReturnType<typeof gmailMailbox>

/** Why a mailbox could not be read, for people; undefined where it is no such problem. */
export const readTrouble = (error: unknown): string | undefined =>
  error instanceof ReadProblem || error instanceof ConsentProblem ? error.message : undefined

function objectIn(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed === 'object' && parsed !== null) return parsed as Record<string, unknown>
  } catch {
    // Said below.
  }
  throw new ReadProblem('failed', 'Gmail answered with something that cannot be read.')
}

const listIn = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : []
