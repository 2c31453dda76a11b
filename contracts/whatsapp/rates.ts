/** What became of messages over WhatsApp. */
export interface DeliveryCounts {
  /** Handed over to Meta, whatever became of them: sent, failed and unconfirmed. Those who are suppressed are not among them. */
  tried: number
  /** Reached a phone, and were read as far as people let that be known. */
  delivered: number
  read: number
  /** Rejected by Meta, or accepted and not delivered. */
  failed: number
  /** People who replied, and who opted out; missing where they are not counted. */
  replied?: number
  optedOut?: number
}

const share = (part: number, whole: number): number | null => (whole === 0 ? null : Math.min(1, part / whole))

/**
 * The rates of messages over WhatsApp, 0 to 1, wherever they are shown; null of nothing. Delivered and failed are shares of what
 * was handed over to Meta: a message that waits for a phone is not delivered. The others are shares of what was delivered.
 */
export function countRates({ tried, delivered, read, failed, replied = 0, optedOut = 0 }: DeliveryCounts) {
  return {
    delivered: share(delivered, tried),
    read: share(read, delivered),
    reply: share(replied, delivered),
    failure: share(failed, tried),
    optOut: share(optedOut, delivered),
  }
}
