import { createHash } from 'node:crypto'
import { escapeUTF8 } from 'entities'
import { discreet, type PlainResponse } from '#server/platform/http/responses.ts'
import { HONEYPOT, toAutocomplete } from './embed.ts'
import type { FormRow } from './forms-store.ts'
import type { FormInput } from './inputs.ts'
import { PROOF } from './proof.ts'
import { PAGE_SCRIPT } from './proof-script.ts'

const style = `
:root{color-scheme:light dark;--page:#f6f6f8;--surface:#fff;--line:#e3e3e8;--control:#8b8e9c;--ink:#191b26;--text:#3f4250;--muted:#5f6270;--accent:#4b3fd1;--hover:#3f34bb;--on:#fff;--harm:#b3261e;--harm-soft:#fdf0ef}
@media(prefers-color-scheme:dark){:root{--page:#0f1017;--surface:#181a23;--line:#30333f;--control:#747887;--ink:#f2f2f5;--text:#dcdde3;--muted:#a2a5b2;--accent:#6357e6;--hover:#574bd6;--harm:#ff9a92;--harm-soft:#2c1b1c}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px 16px;background:var(--page);color:var(--text);font:16px/1.5 Inter,system-ui,-apple-system,"Segoe UI",sans-serif}
main{width:100%;max-width:460px;min-width:0;padding:36px 32px 32px;background:var(--surface);border:1px solid var(--line);border-radius:14px;overflow-wrap:anywhere}
h1{margin:0 0 8px;font-size:26px;line-height:34px;font-weight:650;color:var(--ink);letter-spacing:-.015em;text-wrap:balance}
.lead{margin:0 0 24px;white-space:pre-line}
.field{margin:0 0 16px}
label{display:block;margin:0 0 6px;font-size:14px;font-weight:550;color:var(--ink)}
label small{font-weight:400;color:var(--muted);font-size:14px}
input,select{width:100%;padding:10px 12px;border:1px solid var(--control);border-radius:6px;background:var(--surface);color:var(--ink);font:inherit}
[aria-invalid]{border-color:var(--harm);border-width:2px}
.wrong{margin:6px 0 0;color:var(--harm);font-size:14px}
.alert{margin:0 0 20px;padding:12px 14px;border:1px solid var(--harm);border-radius:10px;background:var(--harm-soft);color:var(--harm)}
.consent{margin:4px 0 20px;color:var(--muted);font-size:14px;white-space:pre-line}
.trap{position:absolute;left:-9999px;width:1px;height:1px;overflow:hidden}
button{width:100%;padding:12px 16px;border:0;border-radius:6px;background:var(--accent);color:var(--on);font:inherit;font-weight:600;cursor:pointer}
button:hover{background:var(--hover)}
.check{margin:12px 0 0;color:var(--muted);font-size:14px;text-align:center}
.check[data-state=failed],.check[data-state=off]{color:var(--harm)}
.check[data-state=off]{animation:appear 0s 1.5s backwards}
@keyframes appear{from{visibility:hidden}}
.from{margin:20px 0 0;color:var(--muted);font-size:14px;text-align:center}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
@media(max-width:420px){main{padding:28px 20px 24px}h1{font-size:23px;line-height:30px}}
`
/** Its address changes with it: browsers may store it. */
export const PAGE_SCRIPT_PATH = `/f/check.js?v=${createHash('sha256').update(PAGE_SCRIPT).digest('hex').slice(0, 12)}`
const styleHash = createHash('sha256').update(style).digest('base64')

/** A page of a form; `body` is HTML. It posts to us, and may lead on to where the form says. `runs`: with our script. */
function page(status: number, title: string, body: string, redirectUrl: string | null, runs = false): PlainResponse {
  const action = redirectUrl === null ? "'self'" : `'self' ${new URL(redirectUrl).origin}`
  const policy = `default-src 'none'; style-src 'sha256-${styleHash}';${runs ? " script-src 'self'; connect-src 'self';" : ''} form-action ${action}; base-uri 'none'; frame-ancestors 'none'`
  const html =
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">` +
    `<meta name="robots" content="noindex"><title>${escapeUTF8(title)}</title><style>${style}</style></head><body><main>${body}</main></body></html>`
  const headers = { ...discreet, 'content-security-policy': policy, 'content-type': 'text/html; charset=utf-8' }
  return { status, headers, body: html, encoding: 'utf8' }
}

/** Where the check of a form shows how far it is. What it says at first stays where the script does not run, and is shown after a moment. */
const CHECK = `<p class="check" id="check" role="status" data-state="off">This form needs JavaScript for its security check. Turn on JavaScript and reload the page.</p><script src="${PAGE_SCRIPT_PATH}" defer></script>`

/** What was typed and what is wrong with it, where a form is shown once more. */
export interface Retry {
  status: number
  values: Record<string, string>
  /** The field that is wrong; none: the form as a whole. */
  field?: string | undefined
  message: string
}

function renderField({ name, label, type, required, choices }: FormInput, retry: Retry | undefined): string {
  const id = `f-${name.replace(/[^a-z0-9_-]/gi, '_')}`
  const wrong = retry?.field === name ? retry.message : ''
  const state = `${required ? ' required' : ''}${wrong ? ` aria-invalid="true" aria-describedby="${id}-wrong"` : ''}`
  const value = retry?.values[name] ?? ''
  const options = ['', ...choices].map(
    (choice) =>
      `<option value="${escapeUTF8(choice)}"${choice === value ? ' selected' : ''}>${escapeUTF8(choice) || 'Choose'}</option>`,
  )
  const control =
    choices.length > 0
      ? `<select id="${id}" name="${escapeUTF8(name)}"${state}>${options.join('')}</select>`
      : `<input id="${id}" name="${escapeUTF8(name)}" type="${type}" value="${escapeUTF8(value)}" maxlength="1000" autocomplete="${type === 'email' ? 'email' : toAutocomplete(name)}"${type === 'number' ? ' step="any"' : ''}${state}>`
  const optional = required ? '' : ' <small>(optional)</small>'
  return `<div class="field"><label for="${id}">${escapeUTF8(label)}${optional}</label>${control}${wrong ? `<p class="wrong" id="${id}-wrong">${escapeUTF8(wrong)}</p>` : ''}</div>`
}

/** The hosted form. `word`: the time it was opened, signed. */
export function renderForm(
  form: FormRow,
  { company, inputs, word }: { company: string; inputs: FormInput[]; word: string },
  retry?: Retry,
): PlainResponse {
  const title = form.heading || form.name
  const body = [
    `<h1>${escapeUTF8(title)}</h1>`,
    form.description && `<p class="lead">${escapeUTF8(form.description)}</p>`,
    retry && !retry.field && `<p class="alert" role="alert">${escapeUTF8(retry.message)}</p>`,
    `<form method="post" action="/f/${form.slug}"${form.proofOfWork ? ` data-challenge="/f/${form.slug}/challenge"` : ''}>`,
    ...inputs.map((input) => renderField(input, retry)),
    `<div class="trap" aria-hidden="true"><label for="f-trap">Leave this empty</label><input id="f-trap" name="${HONEYPOT}" tabindex="-1" autocomplete="off"></div>`,
    `<input type="hidden" name="opened" value="${word}">`,
    form.consentWording && `<p class="consent">${escapeUTF8(form.consentWording)}</p>`,
    form.proofOfWork && `<input type="hidden" name="${PROOF}" value="">`,
    `<button type="submit">${escapeUTF8(form.button)}</button>`,
    form.proofOfWork && CHECK,
    '</form>',
    company && `<p class="from">Emails are sent by ${escapeUTF8(company)}.</p>`,
  ]
  const shown = retry ? `Error: ${title}` : title
  return page(retry?.status ?? 200, shown, body.filter(Boolean).join(''), form.redirectUrl, form.proofOfWork)
}

/** The page after a form was sent. */
export function renderDone(form: FormRow, isDouble: boolean): PlainResponse {
  const title = isDouble ? 'Check your inbox' : 'You are subscribed'
  const usual = isDouble
    ? 'We emailed you a link. You are subscribed once you open it and confirm.'
    : 'Thank you. You can unsubscribe at any time with the link in each email.'
  const own = form.successText && `<p class="lead">${escapeUTF8(form.successText)}</p>`
  return page(200, title, `<h1>${title}</h1>${own}<p class="lead">${usual}</p>`, null)
}
