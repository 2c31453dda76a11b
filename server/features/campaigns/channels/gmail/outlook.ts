import type { SendingWindow } from '#contracts/campaigns/channels/gmail/campaign.ts'
import { dayReleaseAt, planLimit, planRisesAt, type RampPlan } from '#server/engine/index.ts'
import { windowAt } from '../hours/window.ts'
import { MEAN_PAUSE, minimumPause } from './pace.ts'

/** An account as it stands: what it may send and when. Times in milliseconds since 1970. */
export interface AccountAhead {
  id: string
  /** Its pace and its rest let the next message go from then on. */
  freeAt: number
  perMinute: number | null
  perDay: number
  /** Its slow start, told as if no day of it were held. */
  plan: RampPlan | null
  /** When the messages of its rolling day count no more, the earliest first. */
  releases: number[]
  /** The campaign goes through it; else it only has threads to go on with. */
  chosen: boolean
}

/** What a campaign has still to send. */
export interface QueueAhead {
  now: number
  window: SendingWindow | null
  spread: boolean
  /** First emails that wait, and when the first of them is due. */
  emails: number
  emailsFrom: number
  accounts: AccountAhead[]
  /** Milliseconds each step waits for the one before: that of step 2 first. */
  waits: number[]
  /** Follow-ups that wait, by step and account, the earliest first. */
  waiting: { step: number; senderId: string; dueAt: number; count: number }[]
}

/** When it goes on and ends, by the pace it has. Times in milliseconds since 1970; null: there is none, or it cannot be told. */
export interface Outlook {
  nextAt: number
  /** 1: a first email; 2 and more: a follow-up. */
  nextStep: number
  lastEmailAt: number | null
  lastFollowUpAt: number | null
}

/** More than can be gone through while somebody waits for the answer. */
const MAX_SIMULATED_EMAILS = 50_000
/** Without a pace nobody knows how fast Google takes them; about so fast. */
const UNPACED_MS = 250

/**
 * Plays a campaign to its end, message by message, with the limits that sending keeps: hours, pace with pauses of middling
 * length, rolling day, slow start, follow-ups before first emails. It is told as if nobody stopped a follow-up and nothing
 * was refused, so it is about. undefined: nothing waits, or nothing can be told.
 */
export function outlook({
  now,
  window,
  spread,
  emails,
  emailsFrom,
  accounts,
  waits,
  waiting,
}: QueueAhead): Outlook | undefined {
  const total = emails * (1 + waits.length) + waiting.reduce((sum, one) => sum + one.count, 0) * (1 + waits.length)
  const players = accounts.map((account) => createPlayer(account, now, window, waiting, waits))
  const state: Outlook = { nextAt: Number.NaN, nextStep: 0, lastEmailAt: null, lastFollowUpAt: null }
  let left = emails
  for (let count = 0; count < MAX_SIMULATED_EMAILS; count++) {
    const turn = earliest(players, left > 0 ? emailsFrom : undefined)
    if (!turn) return state.nextStep === 0 ? undefined : state
    const step = turn.player.send(turn.at, spread)
    if (step === 1) left--
    if (state.nextStep === 0) Object.assign(state, { nextAt: turn.at, nextStep: step })
    if (step === 1) state.lastEmailAt = turn.at
    else state.lastFollowUpAt = turn.at
    if (total > MAX_SIMULATED_EMAILS) return { ...state, lastEmailAt: null, lastFollowUpAt: null }
  }
  return { ...state, lastEmailAt: left > 0 ? null : state.lastEmailAt, lastFollowUpAt: null }
}

type Player = ReturnType<typeof createPlayer>

function earliest(players: Player[], emailsFrom: number | undefined): { player: Player; at: number } | undefined {
  let best: { player: Player; at: number } | undefined
  for (const player of players) {
    const at = player.nextAt(emailsFrom)
    if (at !== undefined && (!best || at < best.at)) best = { player, at }
  }
  return best
}

/** An account that is played through: it only ever goes forward in time. */
function createPlayer(
  account: AccountAhead,
  now: number,
  window: SendingWindow | null,
  waiting: QueueAhead['waiting'],
  waits: number[],
) {
  const releases = [...account.releases]
  const followUps = buildQueues(account.id, waiting, waits.length)
  const open = createOpenings(window)
  let { freeAt, plan } = account
  let released = 0
  // What was worked out stays until the account sends, or the first emails are gone.
  let known: { at: number | undefined; emailsFrom: number | undefined } | undefined
  const limitAt = (at: number) => planLimit(account.perDay, plan, at) ?? account.perDay

  function roomAt(from: number): number {
    for (let at = from; ; ) {
      while ((releases[released] ?? Number.POSITIVE_INFINITY) <= at) released++
      const used = releases.length - released
      const limit = Math.max(1, limitAt(at))
      if (used < limit) return at
      const rises = (plan && planRisesAt(plan, at)) ?? Number.POSITIVE_INFINITY
      at = Math.min(releases[released + used - limit] ?? at + 1, rises)
    }
  }

  function work(emailsFrom: number | undefined): number | undefined {
    const due = findEarliest(followUps)?.due
    const email = account.chosen ? emailsFrom : undefined
    if (due === undefined || email === undefined) return due ?? email
    return Math.min(due, email)
  }

  return {
    nextAt(emailsFrom: number | undefined): number | undefined {
      if (known && known.emailsFrom === emailsFrom) return known.at
      const from = work(emailsFrom)
      const at = from === undefined ? undefined : open(roomAt(Math.max(now, freeAt, from)))
      known = { at, emailsFrom }
      return at
    },
    /** Sends what is due: a follow-up whose time has come, else a first email. Returns its step. */
    send(at: number, spread: boolean): number {
      const first = findEarliest(followUps)
      const step = first && first.due <= at ? first.step : 1
      if (first && step > 1) followUps[step - 2]?.take()
      if (plan && !plan.from) plan = { ...plan, from: new Date(at) }
      releases.push(dayReleaseAt(at))
      const pause = minimumPause({ perMinute: account.perMinute, dayLimit: limitAt(at) }, spread, window)
      freeAt = at + (pause === 0 ? UNPACED_MS : pause * MEAN_PAUSE)
      followUps[step - 1]?.add(at + (waits[step - 1] ?? 0))
      known = undefined
      return step
    },
  }
}

/** The follow-ups of one account in the order they are due, a queue for each step. */
function buildQueues(senderId: string, waiting: QueueAhead['waiting'], steps: number) {
  return Array.from({ length: steps }, (_, index) => {
    const dues = waiting
      .filter((one) => one.senderId === senderId && one.step === index + 2)
      .flatMap(({ dueAt, count }) => Array.from({ length: Math.min(count, MAX_SIMULATED_EMAILS) }, () => dueAt))
    let head = 0
    return {
      step: index + 2,
      first: (): number | undefined => dues[head],
      take: () => head++,
      add: (due: number) => dues.push(due),
    }
  })
}

function findEarliest(queues: ReturnType<typeof buildQueues>): { step: number; due: number } | undefined {
  let best: { step: number; due: number } | undefined
  for (const { step, first } of queues) {
    const due = first()
    if (due !== undefined && (!best || due < best.due)) best = { step, due }
  }
  return best
}

/** The first moment not before one given at which the window is open; asked with times that only grow, a day is looked up once. */
function createOpenings(window: SendingWindow | null): (at: number) => number {
  let [from, until] = [0, 0]
  return (at) => {
    if (!window || (at >= from && at < until)) return at
    const { opensIn } = windowAt(window, at)
    from = at + opensIn
    until = from + windowAt(window, from).closesIn
    return from
  }
}
