/** A mail server that talks without end once it is asked what is new. Sends its port. */
import { type AddressInfo, createServer } from 'node:net'
import { parentPort } from 'node:worker_threads'

const noise = '* 1 EXISTS\r\n* FLAGS (\\Seen)\r\n'.repeat(2_000)

const server = createServer((socket) => {
  socket.on('error', () => socket.destroy())
  socket.write('* OK [CAPABILITY IMAP4rev1] Ready\r\n')
  socket.on('data', (chunk) => {
    for (const line of chunk.toString('latin1').split('\r\n').filter(Boolean)) {
      const [tag = '', ...words] = line.split(' ')
      if (/SEARCH/i.test(words.join(' '))) {
        const talk = () => {
          while (socket.writable && socket.write(noise));
        }
        socket.on('drain', talk)
        talk()
      } else if (/SELECT/i.test(words[0] ?? ''))
        socket.write(`* 1 EXISTS\r\n* OK [UIDVALIDITY 1]\r\n* OK [UIDNEXT 2]\r\n${tag} OK [READ-WRITE] done\r\n`)
      else socket.write(`${tag} OK done\r\n`)
    }
  })
})
server.listen(0, '127.0.0.1', () => parentPort?.postMessage((server.address() as AddressInfo).port))
