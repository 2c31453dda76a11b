import { localPart } from './path.ts'

/** What a magic address does to a message, besides refusing its recipient. */
export type Ending = 'spam' | 'drop' | 'slow' | undefined

const KEPT = 20_000

/**
 * Local parts that let anybody try a failure, at any domain, with anything behind a + or -:
 * `bounce@`, `full@`, `later@`, `busy@` at RCPT TO; `spam@`, `drop@`, `slow@` after the message.
 * `later@` is refused once an address and accepted afterwards.
 */
export class Trials {
  readonly #seen = new Set<string>()

  /** The refusal of this recipient, or nothing. 421 closes the connection. */
  refusal(address: string): string | undefined {
    switch (findTrialKind(address)) {
      case 'bounce':
        return '550 5.1.1 No such mailbox here'
      case 'full':
        return '452 4.2.2 The mailbox is full'
      case 'busy':
        return '421 4.7.0 Too busy, try again later'
      case 'later':
        return this.#isFirst(address) ? '450 4.2.1 Try again later' : undefined
    }
    return undefined
  }

  /** How a message to these recipients ends, when one of them is magic. */
  ending(recipients: string[]): Ending {
    for (const address of recipients) {
      const kind = findTrialKind(address)
      if (kind === 'spam' || kind === 'drop' || kind === 'slow') return kind
    }
    return undefined
  }

  #isFirst(address: string): boolean {
    const key = address.toLowerCase()
    if (this.#seen.has(key)) return false
    this.#seen.add(key)
    // The oldest is forgotten: memory stays flat however many addresses are tried.
    for (const oldest of this.#seen) {
      if (this.#seen.size <= KEPT) break
      this.#seen.delete(oldest)
    }
    return true
  }
}

function findTrialKind(address: string): string | undefined {
  return /^(?:hard-)?(bounce|full|busy|later|spam|drop|slow)(?:[+-].*)?$/i.exec(localPart(address))?.[1]?.toLowerCase()
}
