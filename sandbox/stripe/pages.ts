import { createHash } from 'node:crypto'
import { escapeUTF8 } from 'entities'
import type { Customer, Invoice, Portal, Session, Subscription } from './state.ts'

const money = (cents: number, currency: string) =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(cents / 100)
const day = (seconds: number) =>
  new Date(seconds * 1000).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })

const style = `
:root{color-scheme:light dark;--page:#f6f6f8;--surface:#fff;--line:#e3e3e8;--control:#8b8e9c;--ink:#191b26;--text:#3f4250;--muted:#5f6270;--accent:#4b3fd1;--hover:#3f34bb;--soft:#f2f1fd;--on:#fff;--note:#fdf3dc;--note-line:#ecd08f;--harm:#b3261e}
@media(prefers-color-scheme:dark){:root{--page:#0f1017;--surface:#181a23;--line:#30333f;--control:#717585;--ink:#f2f2f5;--text:#dcdde3;--muted:#a2a5b2;--accent:#6357e6;--hover:#574bd6;--soft:#22223a;--note:#2c2614;--note-line:#5a4b1f;--harm:#ff8a80}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px 16px;background:var(--page);color:var(--text);font:15px/1.5 Inter,system-ui,-apple-system,"Segoe UI",sans-serif}
main{width:100%;max-width:860px;background:var(--surface);border:1px solid var(--line);border-radius:14px;overflow:hidden}
main.small{max-width:460px}
.note{margin:0;padding:10px 28px;background:var(--note);border-bottom:1px solid var(--note-line);font-size:13px;color:var(--ink)}
.two{display:grid;grid-template-columns:1fr 1fr}
.two>section{padding:28px}
.two>section+section{border-left:1px solid var(--line)}
@media(max-width:640px){.two{grid-template-columns:1fr}.two>section+section{border-left:0;border-top:1px solid var(--line)}}
.inside{padding:24px 28px 28px}
h1{margin:0 0 4px;font-size:20px;line-height:28px;font-weight:600;color:var(--ink);letter-spacing:-.01em}
h2{margin:24px 0 8px;font-size:13px;font-weight:600;color:var(--ink)}
p{margin:0 0 12px;overflow-wrap:anywhere}
.muted{color:var(--muted)}
.big{font-size:34px;line-height:42px;font-weight:650;letter-spacing:-.03em;color:var(--ink);margin:8px 0 4px}
dl{display:grid;grid-template-columns:1fr auto;gap:8px 16px;margin:20px 0 0;padding-top:16px;border-top:1px solid var(--line)}
dd{margin:0;text-align:right;color:var(--ink);font-variant-numeric:tabular-nums}
fieldset{margin:0 0 18px;padding:0;border:1px solid var(--line);border-radius:10px}
legend{padding:0;margin-bottom:8px;font-size:13px;font-weight:600;color:var(--ink)}
label.card{display:flex;gap:12px;padding:11px 14px;cursor:pointer}
label.card+label.card{border-top:1px solid var(--line)}
label.card:hover{background:var(--soft)}
label.card input{flex:none;width:16px;height:16px;margin:3px 0 0;accent-color:var(--accent)}
label.card b{display:block;font-weight:500;color:var(--ink);font-variant-numeric:tabular-nums}
label.card small{color:var(--muted);font-size:13px}
button{width:100%;height:42px;border-radius:6px;font:inherit;font-weight:600;cursor:pointer}
.go{border:0;background:var(--accent);color:var(--on)}
.go:hover{background:var(--hover)}
.no{border:1px solid var(--control);background:none;color:var(--ink)}
.back{display:inline-block;margin-top:16px;color:var(--muted)}
.wrong{margin:0 0 14px;color:var(--harm);font-weight:500}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
`
const styleHash = createHash('sha256').update(style).digest('base64')

/** A page and the policy it needs. */
export interface HtmlPage {
  html: string
  policy: string
}

function page(title: string, inside: string, leadsTo: string[] = [], size = ''): HtmlPage {
  return {
    html:
      '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">' +
      `<meta name="robots" content="noindex"><title>${escapeUTF8(title)}</title><style>${style}</style></head><body><main class="${size}">` +
      '<p class="note">Sandbox: this page replaces Stripe on this machine. It asks for no card, and no money is charged.</p>' +
      `${inside}</main></body></html>`,
    policy: `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self' ${leadsTo.map(parseOrigin).join(' ')}; base-uri 'none'; frame-ancestors 'none'`,
  }
}

const parseOrigin = (address: string) => URL.parse(address)?.origin ?? ''
const link = (address: string, text: string) =>
  /^https?:\/\//.test(address) ? `<a class="back" href="${escapeUTF8(address)}">${text}</a>` : ''

/** A page with one sentence. */
export function plainPage(title: string, text: string, back = ''): HtmlPage {
  return page(
    title,
    `<div class="inside"><h1>${escapeUTF8(title)}</h1><p>${escapeUTF8(text)}</p>${link(back, 'Back')}</div>`,
    [],
    'small',
  )
}

const cards = [
  ['works', '4242 4242 4242 4242', 'A card that works'],
  ['declines', '4000 0000 0000 0002', 'The bank declines it'],
  ['slow', '4000 0025 0000 3155', 'The bank responds after three seconds'],
  ['fails_later', '4000 0000 0000 0341', 'Works today, declines at the next renewal'],
] as const

const cardChoice = (names: readonly string[], chosen: string) =>
  `<fieldset><legend>Card</legend>${cards
    .filter(([name]) => names.includes(name))
    .map(
      ([name, number, what]) =>
        `<label class="card"><input type="radio" name="card" value="${name}"${name === chosen ? ' checked' : ''}><span><b>${number}</b><small>${what}</small></span></label>`,
    )
    .join('')}</fieldset>`

interface ShownCheckout {
  session: Session
  product: string
  interval: string
  total: number
  code: string | undefined
  email: string
  wrong?: string
}

/** What is paid on the left, how on the right. */
export function checkoutPage({ session, product, interval, total, code, email, wrong }: ShownCheckout): HtmlPage {
  const say = (cents: number) => money(cents, session.currency)
  const rows = [
    [product, say(session.amount_subtotal)],
    ...(total < session.amount_subtotal ? [[`Coupon ${code}`, `-${say(session.amount_subtotal - total)}`]] : []),
    ['Due today', say(session.amount_total)],
  ]
  const trial =
    session.trial_days > 0
      ? `${session.trial_days} days free, then ${say(total)} a ${interval}`
      : `Billed every ${interval}`
  const inside =
    `<div class="two"><section><p class="muted">Subscribe to</p><h1>${escapeUTF8(product)}</h1>` +
    `<p class="big">${say(session.trial_days > 0 ? 0 : total)}</p><p class="muted">${trial}</p>` +
    `<dl>${rows.map(([name = '', value = '']) => `<dt>${escapeUTF8(name)}</dt><dd>${value}</dd>`).join('')}</dl></section>` +
    `<section><p class="muted">${escapeUTF8(email)}</p>${wrong ? `<p class="wrong" role="alert">${escapeUTF8(wrong)}</p>` : ''}` +
    `<form method="post">${cardChoice(['works', 'declines', 'slow', 'fails_later'], wrong ? 'declines' : 'works')}` +
    `<button class="go">${session.trial_days > 0 ? 'Start trial' : `Pay ${say(session.amount_total)}`}</button></form>` +
    `${link(session.cancel_url, 'Leave without paying')}</section></div>`
  return page(`Pay ${product}`, inside, [session.success_url])
}

interface PortalShown {
  portal: Portal
  customer: Customer
  subscription: Subscription | undefined
  invoices: Invoice[]
}

/** The card on file, the end of the subscription, past invoices. */
export function portalPage({ portal, customer, subscription, invoices }: PortalShown): HtmlPage {
  const item = subscription?.items.data[0]
  const state = !item
    ? '<p>There is no subscription.</p>'
    : `<p>${money(item.price.unit_amount, item.price.currency)} a ${item.price.recurring.interval}, ${subscription?.cancel_at_period_end ? 'ends' : 'renews'} on ${day(item.current_period_end)}.</p>` +
      `<form method="post"><input type="hidden" name="ending" value="${subscription?.cancel_at_period_end ? 'no' : 'yes'}"><button class="no">${subscription?.cancel_at_period_end ? 'Keep the subscription' : 'Cancel the subscription'}</button></form>`
  const inside =
    `<div class="inside"><h1>Your subscription</h1><p class="muted">${escapeUTF8(customer.email ?? '')}</p>${state}` +
    `<h2>Card on file</h2><form method="post">${cardChoice(['works', 'declines'], customer.card === 'works' ? 'works' : 'declines')}<button class="go">Save card</button></form>` +
    `<h2>Invoices</h2><dl>${invoices.map((one) => `<dt><a href="/i/${one.id}">${one.number}</a>, ${day(one.created)}</dt><dd>${money(one.total, one.currency)} ${one.status}</dd>`).join('')}</dl>` +
    `${link(portal.return_url, 'Back to Postlark')}</div>`
  return page('Your subscription', inside, [], 'small')
}

/** One invoice. */
export function invoicePage(invoice: Invoice): HtmlPage {
  const rows = [
    ...invoice.lines.data.map((line) => [line.description, money(line.amount, invoice.currency)]),
    ['Total', money(invoice.total, invoice.currency)],
    ['State', invoice.status],
  ]
  return page(
    `Invoice ${invoice.number}`,
    `<div class="inside"><h1>Invoice ${invoice.number}</h1><p class="muted">${day(invoice.created)}</p><dl>${rows.map(([name = '', value = '']) => `<dt>${escapeUTF8(name)}</dt><dd>${escapeUTF8(value)}</dd>`).join('')}</dl></div>`,
    [],
    'small',
  )
}
