import { once } from 'node:events'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'

/** A bare SMTP conversation for tests: `say` sends bytes as they are and returns the reply to their last command. */
export async function converse(smtpUrl: string) {
  const socket = connect(Number(new URL(smtpUrl).port), '127.0.0.1')
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]()
  await once(socket, 'connect')
  /** One reply of the server, its lines joined; undefined when it hung up. */
  const reply = async (): Promise<string | undefined> => {
    const all: string[] = []
    for (;;) {
      const { value, done } = await lines.next()
      if (done) return undefined
      all.push(value)
      if (value[3] !== '-') return all.join('\n')
    }
  }
  const greeting = await reply()
  const say = async (text: string | Buffer, replies = 1) => {
    socket.write(text)
    let last: string | undefined
    for (let i = 0; i < replies; i++) last = await reply()
    return last
  }
  return {
    greeting,
    reply,
    say,
    /** Sends one mail after EHLO; returns what was said to its final dot, or to what came before it. */
    async mail(to: string, text: string, from = 'ada@example.com') {
      await say(`MAIL FROM:<${from}>\r\n`)
      const accepted = await say(`RCPT TO:<${to}>\r\n`)
      if (!accepted?.startsWith('250')) {
        await say('RSET\r\n')
        return accepted
      }
      await say('DATA\r\n')
      return say(`${text}\r\n.\r\n`)
    },
    close: () => socket.destroy(),
  }
}

export const email = (subject: string, body = 'Hello') =>
  `From: "Ada Lovelace" <ada@example.com>\r\nTo: bob@example.com\r\nSubject: ${subject}\r\n\r\n${body}`
