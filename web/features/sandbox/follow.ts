import { type SandboxMail, sandbox } from '#contracts/sandbox/sandbox.ts'
import { api } from '#web/api.ts'
import { followEvents } from '#web/events.ts'

/** Whose mail an admin reads; nothing: all for an admin, the workspace's own for everybody else. */
export type MailFilter = 'workspace' | 'system' | undefined

/** Tells of new mail of a scope until the signal ends it. After a lost connection it starts again and calls `onGap` first. */
export function followMails(
  of: MailFilter,
  onMail: (mail: SandboxMail) => void,
  onGap: () => void,
  signal: AbortSignal,
): Promise<void> {
  let first = true
  return followEvents({
    open: async () => {
      try {
        const stream = await api(sandbox.live, { query: { ...(of && { of }) } })
        if (!first) onGap()
        return stream
      } finally {
        first = false
      }
    },
    onEvent: (name, data) => {
      if (name === 'mail') onMail(sandbox.live.response.parse(JSON.parse(data)))
    },
    signal,
  })
}
