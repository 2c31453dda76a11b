import type { Email } from '#server/adapters/smtp/mailer.ts'

const MAX_NAME = 60
/** Of a longer name the rest is not looked at. */
const MAX_READ = 500
// What mail programs turn into links or numbers to call, in every script's dots: nobody writes to strangers through us.
const LINK = /:\/\/|@|[\p{L}\p{N}-][.\u2024\u3002\uff0e\uff61]\p{L}{2}/u
const NUMBER = /\+?\p{N}(?:[\s()./-]*\p{N}){6,}/gu

/**
 * A name a customer chose, fit for an email to somebody who did not ask for it: one line of at most 60 characters,
 * without links, addresses and phone numbers. `fallback` where nothing is left.
 */
export function plainName(name: string, fallback: string): string {
  const words = name
    .slice(0, MAX_READ)
    .normalize('NFKC')
    .split(/[\p{C}\p{Z}\s"<>]/u)
    .filter((word) => word !== '' && !LINK.test(word))
  const line = words.join(' ').replace(NUMBER, ' ').replace(/ {2,}/g, ' ').trim()
  return [...line].slice(0, MAX_NAME).join('').trim() || fallback
}

/** The confirmation email. The names in it are a customer's; everything else is ours. */
export function confirmationMail(
  to: string,
  names: { list: string; sender: string; joins: boolean },
  url: string,
): Email {
  const list = plainName(names.list, 'a mailing list')
  const sender = plainName(names.sender, 'The sender')
  const why = names.joins
    ? `Someone, hopefully you, asked to receive "${list}" at this address.`
    : `${sender} would like to send you "${list}".`
  return {
    to,
    subject: `Confirm your subscription: ${list}`,
    text: `Hi,\n\n${why} If you want to receive it, please confirm:\n\n${url}\n\nThe link works for 7 days. If you do not want these emails, ignore this message: nothing is sent unless you confirm.\n`,
  }
}
