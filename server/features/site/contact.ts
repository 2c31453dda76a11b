import type { ContactMessage } from '#contracts/site/contact-form.ts'
import { hashToken } from '#server/platform/crypto.ts'
import { invalid, Refusal, tooMany } from '#server/platform/http/refusal.ts'
import { throttle, throttleVisitor } from '#server/platform/throttle.ts'
import type { Services } from '#server/services.ts'
import { MAX_LENGTH, type WordFault, wordFault } from './form-word.ts'
import { passOn } from './jobs.ts'
import * as store from './store.ts'

const HOUR = 3600
const AN_HOUR = { visitor: 5, everybody: 200 }

const faults: Record<WordFault, string> = {
  forged: 'is not from our form. Open the contact page and send it from there.',
  early: 'was sent within three seconds. Wait a moment, then send it again.',
  late: 'was opened more than a day ago. Open the contact page again and copy your message over.',
}

/** Stores a visitor's message and queues the email to the operator. Throws Refusal 400 or 429; nothing is stored then. */
export async function receiveMessage(services: Services, given: ContactMessage, address: string): Promise<void> {
  const { db, config } = services
  const fault = wordFault(config.secretKey, given.form)
  if (fault) throw invalid('form', faults[fault])
  const allowed = await throttleVisitor(db, config.secretKey, 'contact', address, AN_HOUR, HOUR)
  if (!allowed.ok)
    throw tooMany(
      allowed.who === 'visitor'
        ? 'You have sent many messages in the last hour. Wait a while, then send this one.'
        : 'Too many people are writing to us right now. Try again in a while.',
      allowed.wait,
    )
  const { name, email, message } = given
  await db.transaction().execute(async (db) => {
    const first = await throttle(db, `contact-form:${hashToken(given.form)}`, 1, MAX_LENGTH)
    if (!first.ok) throw new Refusal(409, 'sent_already', 'This message has already been sent.')
    await passOn(services, db, await store.insertMessage(db, { name, email, message }))
  })
}
