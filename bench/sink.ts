/** A mail server that takes everything as fast as it can, in a process of its own: it is the same for us and for the rivals. */
import { createServer } from 'node:net'

let messages = 0
/** When the first one was taken, in milliseconds of the clock. */
let firstAt = 0
let bytes = 0
const END = Buffer.from('\r\n.\r\n')

const server = createServer((socket) => {
  socket.setNoDelay(true)
  socket.on('error', () => socket.destroy())
  socket.write('220 sink ESMTP\r\n')
  let rest: Buffer = Buffer.alloc(0)
  let inData = false
  socket.on('data', (chunk: Buffer) => {
    let buffer = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    let reply = ''
    for (;;) {
      if (inData) {
        const at = buffer.indexOf(END)
        if (at < 0) break
        messages++
        firstAt ||= Date.now()
        bytes += at
        inData = false
        reply += '250 2.0.0 taken\r\n'
        buffer = buffer.subarray(at + END.length)
        continue
      }
      const at = buffer.indexOf('\r\n')
      if (at < 0) break
      const command = buffer.toString('latin1', 0, Math.min(at, 4)).toUpperCase()
      buffer = buffer.subarray(at + 2)
      if (command === 'EHLO')
        reply += '250-sink\r\n250-PIPELINING\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n250 SIZE 50000000\r\n'
      else if (command === 'DATA') {
        inData = true
        reply += '354 go on\r\n'
      } else if (command === 'QUIT') {
        socket.end(`${reply}221 bye\r\n`)
        return
      } else reply += '250 2.1.0 ok\r\n'
    }
    rest = buffer
    if (reply) socket.write(reply)
  })
})

server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as { port: number }).port }))
process.on('message', (message) => {
  if (message === 'count') process.send?.({ messages, bytes, firstAt })
  if (message === 'reset') messages = bytes = firstAt = 0
})
process.on('disconnect', () => process.exit(0))
