import { type SandboxMail, sandbox } from '#contracts/sandbox/sandbox.ts'
import { api } from '#web/api.ts'
import { followEvents } from '#web/events.ts'

/** Tells of new mail until the signal ends it. After a lost connection it starts again and calls `onGap` first. */
export function followMails(
  onMail: (mail: SandboxMail) => void,
  onGap: () => void,
  signal: AbortSignal,
): Promise<void> {
  let first = true
  return followEvents({
    open: async () => {
      try {
        const stream = await api(sandbox.live)
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
