interface Waiter {
  key: string
  units: number
  take(release: () => void): void
}

/**
 * Shares `total` units of something scarce among keys (users, workspaces), `each` at most to one of them. Holds within one
 * process. A waiting caller gets its turn in the order of coming, but is overtaken while its key has its share.
 */
export class Semaphore {
  private readonly total: number
  private readonly each: number
  private taken = 0
  private readonly byKey = new Map<string, number>()
  private readonly waiting: Waiter[] = []

  constructor({ total, each }: { total: number; each: number }) {
    this.total = total
    this.each = each
  }

  /** Takes units and returns what gives them back (once, however often it is called); undefined while there are too few. */
  tryAcquire(key: string, units = 1): (() => void) | undefined {
    const held = this.byKey.get(key) ?? 0
    if (this.taken + units > this.total || held + units > this.each) return undefined
    this.taken += units
    this.byKey.set(key, held + units)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      this.give(key, units)
    }
  }

  /** Takes units as soon as there are enough. */
  acquire(key: string, units = 1): Promise<() => void> {
    return new Promise((take) => {
      this.waiting.push({ key, units, take })
      this.serve()
    })
  }

  /** How many of a key wait. */
  countWaiting(key: string): number {
    return this.waiting.filter((waiter) => waiter.key === key).length
  }

  private give(key: string, units: number): void {
    this.taken -= units
    const held = (this.byKey.get(key) ?? 0) - units
    if (held > 0) this.byKey.set(key, held)
    else this.byKey.delete(key)
    this.serve()
  }

  private serve(): void {
    for (let i = 0; i < this.waiting.length; ) {
      const waiter = this.waiting[i]
      const release = waiter && this.tryAcquire(waiter.key, waiter.units)
      if (waiter && release) {
        this.waiting.splice(i, 1)
        waiter.take(release)
      } else i++
    }
  }
}
