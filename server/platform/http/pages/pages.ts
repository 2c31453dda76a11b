import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import fastifyStatic from '@fastify/static'
import { escapeUTF8 } from 'entities'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isMachinePath } from '../paths.ts'
import { Refusal } from '../refusal.ts'
import { pagePolicy } from '../security.ts'
import { type CacheablePages, cachePages, type MadePage, sendCached } from './cached-pages.ts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const BUILD = join(ROOT, 'build/web')

type Seam = typeof import('#web/handler.ts')
type CallApi = Parameters<Seam['pageHandler']>[0]
type PageHandler = ReturnType<Seam['pageHandler']>

const nothingHere = () => new Refusal(404, 'not_found', 'This page does not exist.')

/** The API for a page's loader: the app's own routes, without a network hop. */
function apiInside(app: FastifyInstance): CallApi {
  return async (path, init) => {
    const response = await app.inject({
      method: (init.method ?? 'GET') as 'GET',
      url: path,
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(typeof init.body === 'string' && { payload: init.body }),
    })
    return new Response(response.rawPayload as BodyInit, {
      status: response.statusCode,
      headers: { 'content-type': String(response.headers['content-type'] ?? '') },
    })
  }
}

/** The request as the pages see it. Pages take no bodies: forms go to the API. */
function asRequest(request: FastifyRequest, publicUrl: string): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined && !name.startsWith(':')) headers.set(name, String(value))
  // A request line may have a whole URL (RFC 9112, 3.2.2): its host says nothing about where we are.
  const whole = request.url.startsWith('/') ? null : URL.parse(request.url, publicUrl)
  const path = whole ? whole.pathname + whole.search : request.url
  // Fastify sends what GET has without its body.
  const method = request.method === 'HEAD' ? 'GET' : request.method
  return new Request(new URL(publicUrl).origin + path, { method, headers })
}

/** Sends a page through Fastify, so that it is compressed and logged like every answer. */
async function sendPage(reply: FastifyReply, page: Response): Promise<FastifyReply> {
  for (const [name, value] of page.headers) reply.header(name, value)
  // Fresh every time, yet stored for going back.
  if (!page.headers.has('cache-control')) reply.header('cache-control', 'no-cache')
  return reply.code(page.status).send(page.body ? Buffer.from(await page.arrayBuffer()) : undefined)
}

/** What is wrong with a page that cannot be loaded, as a page that loads again once that is fixed. */
function brokenPage(error: unknown): string {
  const text = stripVTControlCharacters(error instanceof Error ? (error.stack ?? error.message) : String(error))
  return `<!doctype html><meta charset="utf-8"><title>This page has a fault</title><script type="module" src="/@vite/client"></script><pre>${escapeUTF8(text)}</pre>`
}

/** What Vite builds and rebuilds as it changes: files by its own middleware, pages by ours behind it. */
async function watchedPages(app: FastifyInstance, callApi: CallApi, publicUrl: string) {
  const { createServer } = await import('vite')
  const vite = await createServer({
    root: ROOT,
    // News of changes over our own port: Vite's would be the same for every checkout of this machine.
    server: { middlewareMode: true, hmr: { server: app.server } },
    appType: 'custom',
  })
  // Before the server closes, which would wait for the browsers that hear the news.
  app.addHook('preClose', () => vite.close())
  return async (request: FastifyRequest, reply: FastifyReply) => {
    reply.removeHeader('content-security-policy')
    const isFile = await new Promise<boolean>((resolve) => {
      reply.raw.once('close', () => resolve(true))
      vite.middlewares(request.raw, reply.raw, () => resolve(false))
    })
    if (isFile) return reply.hijack()
    try {
      const seam = (await vite.ssrLoadModule('/web/handler.ts')) as Seam
      return await sendPage(
        reply,
        await seam.pageHandler(callApi)(asRequest(request, publicUrl), { nonce: '', publicUrl }),
      )
    } catch (error) {
      return reply.code(500).type('text/html; charset=utf-8').send(brokenPage(error))
    }
  }
}

/** The built pages and their files; each file has a compressed one beside it. */
async function builtPages(app: FastifyInstance, handle: PageHandler, publicUrl: string, cacheable: CacheablePages) {
  await app.register(fastifyStatic, {
    root: join(BUILD, 'client'),
    wildcard: false,
    index: false,
    preCompressed: true,
    setHeaders: (reply, path) =>
      void reply.header(
        'cache-control',
        path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
      ),
  })
  const cached = cachePages(cacheable, pagePolicy)
  return async (request: FastifyRequest, reply: FastifyReply) => {
    let made: MadePage | undefined
    const make = () => {
      if (!made) {
        const nonce = randomBytes(16).toString('base64')
        made = { nonce, page: handle(asRequest(request, publicUrl), { nonce, publicUrl }) }
      }
      return made
    }
    const found = await cached(request, make)
    if (found) return sendCached(request, reply, found)
    const { nonce, page } = make()
    reply.header('content-security-policy', pagePolicy([`'nonce-${nonce}'`]))
    return sendPage(reply, await page)
  }
}

/**
 * Serves the pages (React Router) and their files for every address no route took. `watch`: rebuilt as they change;
 * `none`: only the 404. `cacheable`: built pages that are made once for everybody.
 */
export async function servePages(
  app: FastifyInstance,
  mode: 'built' | 'watch' | 'none',
  publicUrl: string,
  cacheable: CacheablePages,
): Promise<void> {
  const callApi = apiInside(app)
  const entry = join(BUILD, 'server/index.js')
  const show =
    mode === 'watch'
      ? await watchedPages(app, callApi, publicUrl)
      : mode === 'built' && existsSync(entry)
        ? await builtPages(app, ((await import(entry)) as Seam).pageHandler(callApi), publicUrl, cacheable)
        : undefined
  app.setNotFoundHandler(() => {
    throw nothingHere()
  })
  if (!show) return
  // A route like any other, and not the handler of what was not found: so that its answers are compressed.
  app.get('/*', async (request, reply) => {
    if (isMachinePath(request.url)) throw nothingHere()
    return show(request, reply)
  })
}
