import { once } from 'node:events'
import { createConnection } from 'node:net'
import fc from 'fast-check'
import { ImapFlow } from 'imapflow'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Account } from '../accounts.ts'
import { Lines } from './lines.ts'
import { startImap } from './server.ts'
import { formatImapString, type ImapWord, inSet, parseArguments } from './words.ts'

const ada = new Account('ada@gmail.com')
ada.appPassword = 'abcdefghijklmnop'
let server: Awaited<ReturnType<typeof startImap>>
beforeAll(async () => {
  const first = ada.add(
    Buffer.from(
      'From: ada@gmail.com\r\nTo: bob@example.com\r\nMessage-ID: <1@gmail.com>\r\nSubject: Hi\r\n\r\nHello\r\n',
    ),
    undefined,
    ['SENT'],
  )
  ada.add(
    Buffer.from(
      'From: Bob <bob@example.com>\r\nTo: ada@gmail.com\r\nSubject: a\r\n very "long"\r\n one\r\nIn-Reply-To: <1@gmail.com>\r\n\r\nYes\r\n',
    ),
    undefined,
    ['INBOX', 'UNREAD'],
  )
  expect(ada.messages[1]?.threadId).toBe(first.threadId)
  server = await startImap(() => ada, 0)
})
afterAll(() => server.stop())

test('imap emulator: an IMAP client signs in, lists folders, searches and fetches messages', async () => {
  const client = new ImapFlow({
    host: '127.0.0.1',
    port: server.port,
    secure: false,
    auth: { user: ada.email, pass: 'abcdefghijklmnop' },
    logger: false,
  })
  await client.connect()
  const folders = await client.list()
  expect(folders.find(({ specialUse }) => specialUse === '\\All')?.path).toBe('[Gmail]/All Mail')
  expect(await client.status('INBOX', { messages: true, unseen: true })).toMatchObject({ messages: 1, unseen: 1 })
  expect(await client.mailboxOpen('[Gmail]/All Mail', { readOnly: true })).toMatchObject({ exists: 2, uidNext: 3 })
  expect(await client.search({ header: { 'In-Reply-To': '<1@gmail.com>' } }, { uid: true })).toEqual([2])
  expect(await client.search({ since: new Date(Date.now() + 2 * 86_400_000) }, { uid: true })).toEqual([])
  const wanted = {
    envelope: true,
    headers: ['subject'],
    size: true,
    flags: true,
    labels: true,
    threadId: true,
    source: { start: 6, maxLength: 3 },
  }
  const [sent, result] = await client.fetchAll('1:*', wanted)
  expect(sent).toMatchObject({ uid: 1, envelope: { messageId: '<1@gmail.com>' }, labels: new Set(['\\Sent']) })
  expect(result).toMatchObject({
    uid: 2,
    size: ada.messages[1]?.raw.length,
    envelope: { from: [{ address: 'bob@example.com' }], inReplyTo: '<1@gmail.com>' },
    flags: new Set(),
    threadId: sent?.threadId,
    source: Buffer.from('Bob'),
  })
  expect(result?.headers?.toString()).toBe('Subject: a\r\n very "long"\r\n one\r\n\r\n')
  await client.noop()
  await client.logout()
})

test('imap emulator: wrong passwords, unknown commands and changes are refused', async () => {
  const socket = createConnection(server.port, '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
  })
  await once(socket, 'connect')
  async function say(line: string, reply: string): Promise<string> {
    socket.write(line)
    while (!text.includes(reply)) await once(socket, 'data')
    const said = text
    text = ''
    return said
  }
  await say('', 'ready')
  await say('a SELECT INBOX\r\n', 'a BAD SELECT needs a sign-in first')
  await say('b LOGIN ada@gmail.com wrong\r\n', 'b NO [AUTHENTICATIONFAILED]')
  await say(`c AUTHENTICATE PLAIN\r\n`, '+ ')
  await say(`${Buffer.from('\0ada@gmail.com\0wrong').toString('base64')}\r\n`, 'c NO')
  await say('d LOGIN {13}\r\n', '+ go ahead')
  await say('ada@gmail.com {16+}\r\nabcdefghijklmnop\r\n', 'd OK')
  expect(await say('e EXAMINE inbox\r\n', 'e OK')).toContain('* 1 EXISTS')
  expect(await say('f UID SEARCH UID 999:*\r\n', 'f OK')).toContain('* SEARCH 2')
  await say('g UID SEARCH FUZZY yes\r\n', 'g BAD')
  await say('h STORE 1 +FLAGS (\\Deleted)\r\n', 'h NO')
  await say('i FETCH 1 (BODY[1.2.3])\r\n', 'i BAD')
  await say('j NONSENSE "\r\n', 'j BAD')
  await say('k LOGOUT\r\n', 'k OK')
})

const text = fc.string({ unit: 'binary-ascii', minLength: 0, maxLength: 30 })
const tree = fc.letrec<{ word: ImapWord; list: ImapWord[] }>((tie) => ({
  word: fc.oneof({ maxDepth: 3 }, text, tie('list')),
  list: fc.array(tie('word'), { maxLength: 5 }),
})).list

test('imap emulator: strings and lists are parsed as they were written, in any split of the bytes', () => {
  const write = (word: ImapWord): string =>
    Array.isArray(word) ? `(${word.map(write).join(' ')})` : formatImapString(word)
  fc.assert(
    fc.property(tree, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (words, cuts) => {
      const bytes = Buffer.from(`${words.map(write).join(' ')}\r\n`, 'latin1')
      const lines = new Lines(() => undefined)
      const got: string[] = []
      for (let at = 0, i = 0; at < bytes.length; i++) {
        const size = cuts[i % cuts.length] ?? 1
        got.push(...lines.feed(bytes.subarray(at, at + size)))
        at += size
      }
      expect(got).toHaveLength(1)
      expect(parseArguments(got[0] ?? '')).toEqual(words)
    }),
  )
})

test('imap emulator: a set contains the numbers of its ranges, and * is the last number', () => {
  const number = fc.integer({ min: 1, max: 40 })
  fc.assert(
    fc.property(fc.array(fc.tuple(number, number), { minLength: 1, maxLength: 4 }), number, (ranges, one) => {
      const holds = inSet(ranges.map(([from, to]) => `${from}:${to}`).join(','), 40)
      expect(holds?.(one)).toBe(ranges.some(([a, b]) => one >= Math.min(a, b) && one <= Math.max(a, b)))
    }),
  )
  expect([1, 7, 9].map((one) => inSet('7:*', 9)?.(one))).toEqual([false, true, true])
  expect(inSet('12:*', 9)?.(9)).toBe(true)
  expect(inSet('1;2', 9)).toBeUndefined()
})
