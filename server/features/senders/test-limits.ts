import { addressKey, parseAddress } from '#contracts/email-address.ts'
import { type Reservation, reserveQuota } from '#server/features/billing/index.ts'
import { hashToken } from '#server/platform/crypto.ts'
import type { Caller } from '#server/platform/http/mount.ts'
import { tooMany } from '#server/platform/http/refusal.ts'
import { throttle } from '#server/platform/throttle.ts'
import type { Services } from '#server/services.ts'
import type { SendingAccount } from './sender-kind.ts'
import { reserveDay } from './sender-parts.ts'

const TRIES_AN_HOUR = 200
const OWN_AN_HOUR = 60
const OTHERS_AN_HOUR = 20
const OTHER_ADDRESSES_A_DAY = 10
const HOUR = 3_600
const DAY = 86_400

/** Every try opens a connection to a place of the caller's choice: not a tool to knock on doors with. */
export async function limitTries(services: Pick<Services, 'db'>, workspaceId: string): Promise<void> {
  const tries = await throttle(services.db, `sender:${workspaceId}`, TRIES_AN_HOUR, HOUR)
  if (!tries.ok) throw tooMany('Too many tries with mail servers. Wait a few minutes, then try again.', tries.wait)
}

/** One email counted before it leaves. */
export type Reserved = Pick<Reservation, 'settle'>

/** Sends an email that was reserved, and settles it: one that did not leave is not counted. */
export async function sendReserved<Outcome extends { ok: boolean }>(
  { db }: Pick<Services, 'db'>,
  reserved: Reserved,
  send: () => Promise<Outcome>,
): Promise<Outcome> {
  let sent = 0
  try {
    const outcome = await send()
    sent = outcome.ok ? 1 : 0
    return outcome
  } finally {
    await reserved.settle(db, sent)
  }
}

/**
 * Reserves one test email of the sender's day and of the plan's emails, and of a limit that lets people try a campaign and write to
 * nobody at random. Throws Refusal 402 or 429.
 */
export async function reserveTest(
  services: Pick<Services, 'db' | 'queue'>,
  caller: Caller,
  sender: Pick<SendingAccount, 'id' | 'dayLimit'>,
  to: string,
): Promise<Reserved> {
  const day = await reserveDay(services, caller.workspaceId, sender, 1)
  if (day.allowed === 0)
    throw tooMany(
      'The sender has reached its 24-hour limit. Raise it under Senders, or wait until messages leave the 24 hours.',
      HOUR,
    )
  // Of a sender without a limit too, so that one it gets within the day holds.
  await day.settle(1)
  try {
    const month = await reserveMonth(services, caller, to)
    return { settle: async (db, sent) => void (await Promise.all([month.settle(db, sent), day.settle(sent)])) }
  } catch (error) {
    await day.settle(0)
    throw error
  }
}

/** Their own address has more room than others. */
async function reserveMonth(
  services: Pick<Services, 'db' | 'queue'>,
  caller: Caller,
  to: string,
): Promise<Reservation> {
  const { db } = services
  const { workspaceId } = caller
  const key = toAddressKey(to)
  const isOwn = key === toAddressKey(caller.email)
  const { ok, wait } = isOwn
    ? await throttle(db, `test-own:${workspaceId}`, OWN_AN_HOUR, HOUR)
    : await throttle(db, `test-others:${workspaceId}`, OTHERS_AN_HOUR, HOUR)
  if (!ok) throw tooMany('You have sent many test emails in the last hour. Wait a few minutes, then try again.', wait)
  return db.transaction().execute(async (db) => {
    // Within the transaction: an address that is refused today is still a new one when it is asked for again.
    const isNew = !isOwn && (await throttle(db, `test-to:${hashToken(key)}:${workspaceId}`, 1, DAY)).ok
    if (isNew) {
      const addresses = await throttle(db, `test-addresses:${workspaceId}`, OTHER_ADDRESSES_A_DAY, DAY)
      if (!addresses.ok)
        throw tooMany(
          `You have sent test emails to ${OTHER_ADDRESSES_A_DAY} different addresses in the last 24 hours. Use one of them, or your own.`,
          addresses.wait,
        )
    }
    return reserveQuota(services, db, workspaceId, 'emails', 1)
  })
}

function toAddressKey(address: string): string {
  const parsed = parseAddress(address)
  return parsed ? addressKey(parsed) : address.toLowerCase()
}
