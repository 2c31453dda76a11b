/**
 * The seam between the server and the pages.
 *
 * The server (plain Node) and the pages (bundled by Vite) must not share objects: a React Router context made in a file
 * that Node loads and Vite bundles would exist twice. So everything of React Router stays under web/, and the server gets
 * one function, `pageHandler`, and gives it one function, `callApi`.
 *
 * - Production, once:  `const { pageHandler } = await import('<root>/build/web/server/index.js')`
 *   Static files are in build/web/client; everything under /assets is hashed and may be cached for ever.
 * - Watch mode, for every request: `(await vite.ssrLoadModule('/web/handler.ts')).pageHandler(callApi)`, behind Vite's own
 *   middleware. Start Node with `--conditions=development`, or React Router exists twice.
 *
 * The caller sets the security headers, with `script-src 'self' 'nonce-…'`, and hands the same nonce in `visit`.
 */
import * as build from 'virtual:react-router/server-build'
import { createRequestHandler, RouterContextProvider } from 'react-router'
import { apiClient } from '#contracts/client.ts'
import { apiContext, nonceContext, publicUrlContext } from './page-context.ts'

/** What the server knows of one page request. */
export interface Visit {
  nonce: string
  /** Where this installation is reached, without a slash at the end. */
  publicUrl: string
}

/** Calls the API inside the process. `visitor` is the page's request: pass on its address and its headers as you see fit. */
export type CallApi = (path: string, init: RequestInit, visitor: Request) => Promise<Response>

/** Responds to one page request with the whole page. */
export type PageHandler = (request: Request, visit: Visit) => Promise<Response>

/** The pages as one function of requests; make it once. Loaders reach the API through `callApi`, without a network hop. */
export function pageHandler(callApi: CallApi): PageHandler {
  const handle = createRequestHandler(build)
  return (request, visit) => {
    const context = new RouterContextProvider()
    context.set(
      apiContext,
      apiClient((path, init) => callApi(path, init, request)),
    )
    context.set(nonceContext, visit.nonce)
    context.set(publicUrlContext, visit.publicUrl)
    return handle(request, context)
  }
}
