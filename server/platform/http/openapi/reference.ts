import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { contract, titles } from '#contracts/index.ts'
import { openApi } from './openapi.ts'
import { referencePage, STYLE } from './reference-page.ts'

/** /api/openapi.json and /api/docs: both made from the contract, once, when first asked for. */
export function mountReference(app: FastifyInstance, server: { url: string; version: string }): void {
  let made: { api: ReturnType<typeof openApi>; page: string } | undefined
  const make = () => {
    const api = openApi(contract, titles, server)
    return { api, page: referencePage(contract, titles, api) }
  }
  const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
  app.get('/api/openapi.json', async () => {
    made ??= make()
    return made.api
  })
  app.get('/api/docs', async (_request, reply) => {
    made ??= make()
    return reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(made.page)
  })
}
