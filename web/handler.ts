/**
 * The seam between the server and the pages.
 *
 * The server (plain Node) and the pages (bundled by Vite) must not share objects: a React Router context made in a file
 * that Node loads and Vite bundles would exist twice. So everything of React Router stays under web/, and the server gets
 * one function, `pageListener`, and gives it one function, `callApi`.
 *
 * - Production, once:  `const { pageListener } = await import('<root>/build/web/server/index.js')`
 *   Static files are in build/web/client; everything under /assets is hashed and may be cached for ever.
 * - Watch mode, for every request:  `const vite = await createServer({ server: { middlewareMode: true } })`, then
 *   `vite.middlewares(req, res, async () => (await vite.ssrLoadModule('/web/handler.ts')).pageListener(callApi)(req, res, visit))`.
 *   Start Node with `--conditions=development`, or React Router exists twice.
 *
 * The caller sets the security headers on `res` first, with `script-src 'self' 'nonce-…'`, and hands the same nonce in `visit`.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage, ServerResponse } from 'node:http'
import * as build from 'virtual:react-router/server-build'
import { createRequestListener } from '@react-router/node'
import { RouterContextProvider } from 'react-router'
import { apiClient } from '#contracts/client.ts'
import { apiContext, nonceContext } from './page-context.ts'

/** What the server knows of one page request. */
export interface Visit {
  nonce?: string
}

/** Calls the API inside the process. `visitor` is the page's request: pass on its address and its headers as you see fit. */
export type CallApi = (path: string, init: RequestInit, visitor: Request) => Promise<Response>

/** A page listener for one request at a time; make it once. */
export type PageListener = (request: IncomingMessage, response: ServerResponse, visit?: Visit) => void

/** The pages as one Node request listener. Loaders reach the API through `callApi`, without a network hop. */
export function pageListener(callApi: CallApi): PageListener {
  const visits = new AsyncLocalStorage<Visit>()
  const listen = createRequestListener({
    build,
    getLoadContext(visitor) {
      const context = new RouterContextProvider()
      context.set(
        apiContext,
        apiClient((path, init) => callApi(path, init, visitor)),
      )
      context.set(nonceContext, visits.getStore()?.nonce)
      return context
    },
  })
  return (request, response, visit = {}) => visits.run(visit, () => listen(request, response))
}
