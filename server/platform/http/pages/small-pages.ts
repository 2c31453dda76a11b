import { createHash } from 'node:crypto'
import { escapeUTF8 } from 'entities'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { discreet, type PlainResponse, send } from '../responses.ts'
import { darken, lighten } from './colors.ts'

const style = `
:root{color-scheme:light dark;--page:#f6f6f8;--surface:#fff;--line:#e3e3e8;--ink:#191b26;--text:#3f4250;--muted:#646775;--accent:#4b3fd1;--hover:#3f34bb;--on:#fff}
@media(prefers-color-scheme:dark){:root{--page:#0f1017;--surface:#181a23;--line:#30333f;--ink:#f2f2f5;--text:#dcdde3;--muted:#a2a5b2;--accent:#6357e6;--hover:#574bd6}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px 16px;background:var(--page);color:var(--text);font:16px/1.5 Inter,system-ui,-apple-system,"Segoe UI",sans-serif}
main{width:100%;max-width:460px;min-width:0;padding:32px;background:var(--surface);border:1px solid var(--line);border-radius:14px}
h1{overflow-wrap:anywhere;margin:0 0 12px;font-size:24px;line-height:32px;font-weight:650;color:var(--ink);letter-spacing:-.01em}
p{margin:0 0 16px;overflow-wrap:anywhere}
p:last-child{margin:0}
strong{color:var(--ink);font-weight:600}
small{color:var(--muted);font-size:14px}
fieldset{margin:0 0 24px;padding:0;border:0}
legend{padding:0;margin:0 0 8px;font-weight:600;color:var(--ink)}
main.wide{max-width:600px}
label{display:flex;gap:12px;align-items:flex-start;padding:12px;margin:0 0 8px;border:1px solid var(--line);border-radius:10px;cursor:pointer;overflow-wrap:anywhere}
label span small{display:block}
label:has(:checked){border-color:var(--accent)}
input{flex:none;width:18px;height:18px;margin:3px 0 0;accent-color:var(--accent)}
button{width:100%;padding:12px 16px;border:0;border-radius:6px;background:var(--accent);color:var(--on);font:inherit;font-weight:600;cursor:pointer}
button:hover{background:var(--hover)}
button.quiet{margin-top:8px;background:none;color:var(--muted);font-weight:400;text-decoration:underline}
button.quiet:hover{color:var(--ink)}
.notice{margin:0 0 20px;padding:12px 14px;border:1px solid var(--accent);border-radius:10px}
.second{margin:24px 0 0}
.second p{margin:8px 0 0}
button.outline{background:none;border:1px solid var(--line);color:var(--ink)}
button.outline:hover{border-color:var(--muted);background:none}
details{margin:16px 0 0;padding:16px 0 0;border-top:1px solid var(--line)}
details form{margin:0 0 8px}
summary{cursor:pointer;font-weight:600;color:var(--ink)}
summary+*{margin-top:12px}
.lines{white-space:pre-line}
a{color:inherit}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
`
const hashStyle = (css: string) => `'sha256-${createHash('sha256').update(css).digest('base64')}'`
const styleHash = hashStyle(style)

/** How a page looks beside its content. */
export interface PageLook {
  /** The language of its texts (BCP 47); missing: English. */
  language?: string
  /** The color of its buttons, #rrggbb, made readable; missing: ours. */
  accent?: string | undefined
  /** It shows more than a question. */
  isWide?: boolean
}

/** White is readable on buttons of the color, which stand out on the surface of each scheme. */
function accentStyle(hex: string): string {
  const light = darken(hex, 4.5)
  const dark = lighten(light, '#181a23', 3)
  return `:root{--accent:${light};--hover:${darken(light, 6)}}@media(prefers-color-scheme:dark){:root{--accent:${dark};--hover:${light}}}`
}

/** A small page that needs nothing else: no script, no image, no font. `body` is HTML. */
function page(status: number, title: string, body: string, look: PageLook = {}): PlainResponse {
  const own = look.accent ? accentStyle(look.accent) : ''
  const styles = own ? `${styleHash} ${hashStyle(own)}` : styleHash
  const policy = `default-src 'none'; style-src ${styles}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`
  const html =
    `<!doctype html><html lang="${look.language ?? 'en'}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">` +
    `<meta name="robots" content="noindex, nofollow"><title>${escapeUTF8(title)}</title><style>${style}</style>${own && `<style>${own}</style>`}</head>` +
    `<body><main${look.isWide ? ' class="wide"' : ''}><h1>${escapeUTF8(title)}</h1>${body}</main></body></html>`
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
export const sendPage = (reply: FastifyReply, status: number, title: string, body: string, look?: PageLook) =>
  send(reply, page(status, title, body, look))
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
