import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { Refusal } from './refusal.ts'
import { pagePolicy } from './security.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const BUILD = join(ROOT, 'build/web')

type Seam = typeof import('#web/handler.ts')

/** Whether a path belongs to the machine side, where an unknown address is a JSON 404 and never a page. */
const isMachinePath = (url: string) => /^\/(api|t|u|v|confirm|media|healthz|readyz|metrics|assets)(\/|\?|$)/.test(url)

async function developmentPages(app: FastifyInstance) {
  const { createServer } = await import('vite')
  const vite = await createServer({
    root: ROOT,
    // News of changes over our own port: Vite's would be the same for every checkout of this machine.
    server: { middlewareMode: true, hmr: { server: app.server } },
    appType: 'custom',
  })
  // Before the server closes, which would wait for the browsers that hear the news.
  app.addHook('preClose', () => vite.close())
  return vite
}

/** What is wrong with a page that cannot be loaded, as a page that loads again once that is mended. */
function brokenPage(error: unknown): string {
  const text = stripVTControlCharacters(error instanceof Error ? (error.stack ?? error.message) : String(error))
  const shown = text.replace(/&/g, '&amp;').replace(/</g, '&lt;')
  return `<!doctype html><meta charset="utf-8"><title>This page has a fault</title><script type="module" src="/@vite/client"></script><pre>${shown}</pre>`
}

/** Serves the pages (React Router) and their files for every address no route took. `watch`: rebuilt as they change; `none`: only the 404. */
export async function servePages(app: FastifyInstance, mode: 'built' | 'watch' | 'none'): Promise<void> {
  const callApi: Parameters<Seam['pageListener']>[0] = async (path, init) => {
    const answer = await app.inject({
      method: (init.method ?? 'GET') as 'GET',
      url: path,
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(typeof init.body === 'string' && { payload: init.body }),
    })
    return new Response(answer.rawPayload as BodyInit, {
      status: answer.statusCode,
      headers: { 'content-type': String(answer.headers['content-type'] ?? '') },
    })
  }
  const vite = mode === 'watch' ? await developmentPages(app) : undefined
  const built =
    mode !== 'built' || !existsSync(join(BUILD, 'server/index.js'))
      ? undefined
      : ((await import(join(BUILD, 'server/index.js'))) as Seam)
  const listener = built?.pageListener(callApi)
  if (built) {
    await app.register(fastifyStatic, {
      root: join(BUILD, 'client'),
      wildcard: false,
      index: false,
      setHeaders: (reply, path) =>
        void reply.header(
          'cache-control',
          path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
        ),
    })
  }
  app.setNotFoundHandler(async (request, reply) => {
    if (isMachinePath(request.url) || (!listener && !vite))
      throw new Refusal(404, 'not_found', 'There is nothing at this address.')
    const nonce = randomBytes(16).toString('base64')
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value)
    if (!vite) reply.raw.setHeader('content-security-policy', pagePolicy(nonce))
    else reply.raw.removeHeader('content-security-policy')
    reply.hijack()
    if (listener) return listener(request.raw, reply.raw, { nonce })
    vite?.middlewares(request.raw, reply.raw, async () => {
      try {
        const seam = (await vite.ssrLoadModule('/web/handler.ts')) as Seam
        seam.pageListener(callApi)(request.raw, reply.raw, { nonce })
      } catch (error) {
        reply.raw.writeHead(500, { 'content-type': 'text/html; charset=utf-8' }).end(brokenPage(error))
      }
    })
  })
}
