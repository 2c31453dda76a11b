import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { csvFile } from '../csv.ts'

/** Sends pages of rows, the first with the header, as a file to save: `name` without its ending. */
export function sendCsv(
  reply: FastifyReply,
  name: string,
  pages: AsyncIterable<string[][]> | Iterable<string[][]>,
): FastifyReply {
  return reply
    .header('content-disposition', `attachment; filename="${name}.csv"`)
    .type('text/csv; charset=utf-8')
    .send(Readable.from(csvFile(pages)))
}
