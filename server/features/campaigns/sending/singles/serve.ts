import type { Sending } from '../sending.ts'
import { handOver } from './hand-over.ts'
import type { FromThread, ToThread } from './line.ts'

/** The end of the line in the sending thread. */
export interface Singles {
  hear(message: ToThread): void
  /** Resolves when none is under way any more. */
  done(): Promise<void>
}

/** Hands over the emails that the request thread posts, and tells it with `post` what became of each. */
export function serveSingles(sending: Sending, post: (message: FromThread) => void): Singles {
  const underWay = new Set<Promise<void>>()
  const asked = new Map<number, (mayLeave: boolean) => void>()

  async function serve({ single, email }: Extract<ToThread, { email: unknown }>): Promise<void> {
    const begin = () => {
      const { promise, resolve } = Promise.withResolvers<boolean>()
      asked.set(single, resolve)
      post({ single, asks: true })
      return promise
    }
    try {
      post({ single, handed: sending.stopping.aborted ? { kind: 'busy' } : await handOver(sending, email, begin) })
    } catch (error) {
      // Nothing has left: whatever a mail server does is a result.
      sending.log.error({ err: error, sender: email.senderId }, 'a single email could not be handed over')
      post({ single, handed: { kind: 'busy' } })
    } finally {
      asked.delete(single)
    }
  }

  return {
    hear(message) {
      if ('mayLeave' in message) {
        asked.get(message.single)?.(message.mayLeave)
        return
      }
      const work: Promise<void> = serve(message).finally(() => underWay.delete(work))
      underWay.add(work)
    },
    async done() {
      await Promise.all(underWay)
    },
  }
}
