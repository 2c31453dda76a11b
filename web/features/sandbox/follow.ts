import { type SandboxMail, sandbox } from '#contracts/sandbox.ts'
import { api } from '#web/api.ts'

const AGAIN_MS = 3_000

/** Tells of new mail until the signal ends it. After a lost connection it starts again and calls `onGap` first. */
export async function followMails(
  onMail: (mail: SandboxMail) => void,
  onGap: () => void,
  signal: AbortSignal,
): Promise<void> {
  for (let first = true; !signal.aborted; first = false) {
    try {
      const { body } = await api(sandbox.live)
      if (body && !first) onGap()
      if (body) await readMails(body, onMail, signal)
    } catch {
      // The connection is gone: the pause below, then again.
    }
    await pause(signal)
  }
}

async function readMails(
  body: ReadableStream<Uint8Array>,
  onMail: (mail: SandboxMail) => void,
  signal: AbortSignal,
): Promise<void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const leave = () => void reader.cancel().catch(() => undefined)
  if (signal.aborted) return leave()
  signal.addEventListener('abort', leave, { once: true })
  let rest = ''
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return
    rest += decoder.decode(value, { stream: true })
    const blocks = rest.split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const data = /^event: mail\ndata: (.*)$/m.exec(block)?.[1]
      if (data) onMail(sandbox.live.answer.parse(JSON.parse(data)))
    }
  }
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, AGAIN_MS)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
