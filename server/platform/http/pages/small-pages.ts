import { createHash } from 'node:crypto'
import { escapeUTF8 } from 'entities'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { discreet, type PlainResponse, send } from '../responses.ts'

const style = `
:root{color-scheme:light dark;--page:#f6f6f8;--surface:#fff;--line:#e3e3e8;--ink:#191b26;--text:#3f4250;--muted:#646775;--accent:#4b3fd1;--hover:#3f34bb;--on:#fff}
@media(prefers-color-scheme:dark){:root{--page:#0f1017;--surface:#181a23;--line:#30333f;--ink:#f2f2f5;--text:#dcdde3;--muted:#a2a5b2;--accent:#6357e6;--hover:#574bd6}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px 16px;background:var(--page);color:var(--text);font:16px/1.5 Inter,system-ui,-apple-system,"Segoe UI",sans-serif}
main{width:100%;max-width:460px;padding:32px;background:var(--surface);border:1px solid var(--line);border-radius:14px}
h1{margin:0 0 12px;font-size:24px;line-height:32px;font-weight:650;color:var(--ink);letter-spacing:-.01em}
p{margin:0 0 16px;overflow-wrap:anywhere}
p:last-child{margin:0}
strong{color:var(--ink);font-weight:600}
small{color:var(--muted);font-size:14px}
fieldset{margin:0 0 24px;padding:0;border:0}
legend{padding:0;margin:0 0 8px;font-weight:600;color:var(--ink)}
label{display:flex;gap:12px;align-items:flex-start;padding:12px;margin:0 0 8px;border:1px solid var(--line);border-radius:10px;cursor:pointer;overflow-wrap:anywhere}
label:has(:checked){border-color:var(--accent)}
input{flex:none;width:18px;height:18px;margin:3px 0 0;accent-color:var(--accent)}
button{width:100%;padding:12px 16px;border:0;border-radius:6px;background:var(--accent);color:var(--on);font:inherit;font-weight:600;cursor:pointer}
button:hover{background:var(--hover)}
button.quiet{margin-top:8px;background:none;color:var(--muted);font-weight:400;text-decoration:underline}
button.quiet:hover{color:var(--ink)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
`
const styleHash = createHash('sha256').update(style).digest('base64')
const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`

/** A small page that needs nothing else: no script, no image, no font. `body` is HTML. */
function page(status: number, title: string, body: string): PlainResponse {
  const html =
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">` +
    `<meta name="robots" content="noindex, nofollow"><title>${escapeUTF8(title)}</title><style>${style}</style></head>` +
    `<body><main><h1>${escapeUTF8(title)}</h1>${body}</main></body></html>`
  return {
    status,
    headers: { ...discreet, 'content-security-policy': policy, 'content-type': 'text/html; charset=utf-8' },
    body: html,
    encoding: 'utf8',
  }
}

/** The one answer for every link that is not ours, is damaged, or leads nowhere any more. */
export const lost = page(404, 'This link does not work', '<p>It may be incomplete. Open it again from the message.</p>')

/** The answer when our side failed. */
export const failed = page(503, 'That did not work', '<p>Nothing was changed. Try again in a few minutes.</p>')

/** Returns a request with a page; `body` is HTML. */
export const sendPage = (reply: FastifyReply, status: number, title: string, body: string) =>
  send(reply, page(status, title, body))
export const sendLost = (reply: FastifyReply) => send(reply, lost)

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/**
 * Mounts the page behind a link of an email. `show` handles GET and HEAD and changes nothing, because link scanners follow
 * every link; `act` handles the POST of its button, with the body as bytes, whatever type a mail program gives it.
 */
export function mountLinkPage(app: FastifyInstance, url: string, { show, act }: { show: Handler; act: Handler }): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.route({ url, exposeHeadRoute: false, method: ['GET', 'HEAD'], handler: show })
    scope.route({ url, exposeHeadRoute: false, method: 'POST', handler: act })
  })
}
