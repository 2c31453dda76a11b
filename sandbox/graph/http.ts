import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { badParameter, graphError } from './graph-error.ts'

const BODY_BYTES = 110 * 1024 * 1024

/** A body, at most 110 MB. Throws GraphError 131053. */
export async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > BODY_BYTES) throw graphError(131053, 'The file is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** A body that is a JSON object; none is an empty one. Throws GraphError 100. */
export async function readJsonObject(request: IncomingMessage): Promise<Record<string, unknown>> {
  const body = await readBytes(request)
  if (body.length === 0) return {}
  try {
    const value: unknown = JSON.parse(body.toString())
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {
    // Said below.
  }
  throw badParameter('The body is not a JSON object')
}

/** Sends JSON as Graph does. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=UTF-8',
    'cache-control': 'no-store',
    'x-fb-trace-id': randomBytes(8).toString('hex'),
  })
  response.end(JSON.stringify(body))
}
