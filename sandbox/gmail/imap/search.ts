import type { StoredMessage } from '../accounts.ts'
import { parseHeaders } from '../message.ts'
import { type ImapWord, inSet } from './words.ts'

type Test = (message: StoredMessage, number: number) => boolean

/** What a SEARCH looks for: all of its terms. undefined: a term that is not offered. */
export function parseSearch(words: ImapWord[], messages: StoredMessage[]): Test | undefined {
  const left = [...words]
  const tests: Test[] = []
  while (left.length > 0) {
    const test = parseSearchTerm(left, messages)
    if (!test) return undefined
    tests.push(test)
  }
  return (message, number) => tests.every((test) => test(message, number))
}

function parseSearchTerm(left: ImapWord[], messages: StoredMessage[]): Test | undefined {
  const word = left.shift()
  if (Array.isArray(word)) return parseSearch(word, messages)
  const next = () => {
    const value = left.shift()
    return typeof value === 'string' ? value : ''
  }
  switch (word?.toUpperCase()) {
    case 'ALL':
      return () => true
    case 'SEEN':
      return ({ labelIds }) => !labelIds.includes('UNREAD')
    case 'UNSEEN':
      return ({ labelIds }) => labelIds.includes('UNREAD')
    case 'NOT': {
      const test = parseSearchTerm(left, messages)
      return test && ((message, number) => !test(message, number))
    }
    case 'UID': {
      const chosen = inSet(next(), messages.at(-1)?.uid ?? 0)
      return chosen && (({ uid }) => chosen(uid))
    }
    case 'SINCE': {
      const day = Date.parse(`${next().replaceAll('-', ' ')} UTC`)
      return Number.isNaN(day) ? undefined : ({ at }) => at >= day
    }
    case 'HEADER': {
      const [name, value] = [next().toLowerCase(), next().toLowerCase()]
      return ({ raw }) => parseHeaders(raw).get(name)?.toLowerCase().includes(value) ?? false
    }
    case 'X-GM-MSGID': {
      const wanted = next()
      return ({ id }) => BigInt(`0x${id}`).toString() === wanted
    }
    case 'X-GM-THRID': {
      const wanted = next()
      return ({ threadId }) => BigInt(`0x${threadId}`).toString() === wanted
    }
  }
  const chosen = inSet(word ?? '', messages.length)
  return chosen && ((_, number) => chosen(number))
}
