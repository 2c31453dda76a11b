import { createHash } from 'node:crypto'
import { escapeUTF8 } from 'entities'
import type { AuthorizationRequest, Person } from './authorization.ts'

const style = `
:root{color-scheme:light dark;--page:#f6f6f8;--surface:#fff;--line:#e3e3e8;--control:#8b8e9c;--ink:#191b26;--text:#3f4250;--muted:#5f6270;--accent:#4b3fd1;--hover:#3f34bb;--soft:#f2f1fd;--on:#fff;--note:#fdf3dc;--note-line:#ecd08f;--harm:#b3261e}
@media(prefers-color-scheme:dark){:root{--page:#0f1017;--surface:#181a23;--line:#30333f;--control:#717585;--ink:#f2f2f5;--text:#dcdde3;--muted:#a2a5b2;--accent:#6357e6;--hover:#574bd6;--soft:#22223a;--note:#2c2614;--note-line:#5a4b1f;--harm:#ff8a80}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px 16px;background:var(--page);color:var(--text);font:15px/1.5 Inter,system-ui,-apple-system,"Segoe UI",sans-serif}
main{width:100%;max-width:424px;background:var(--surface);border:1px solid var(--line);border-radius:14px;overflow:hidden}
.note{margin:0;padding:10px 28px;background:var(--note);border-bottom:1px solid var(--note-line);font-size:13px;color:var(--ink)}
.inside{padding:24px 28px 28px}
h1{margin:0 0 4px;font-size:20px;line-height:28px;font-weight:600;color:var(--ink);letter-spacing:-.01em}
h2{margin:20px 0 8px;font-size:13px;font-weight:600;color:var(--ink)}
p{margin:0 0 12px;overflow-wrap:anywhere}
.muted{color:var(--muted)}
.people{margin:0;padding:0;list-style:none;border:1px solid var(--line);border-radius:10px;overflow:hidden}
.people li+li{border-top:1px solid var(--line)}
.person{display:flex;gap:12px;align-items:center;width:100%;padding:10px 12px;border:0;background:none;text-align:left;font:inherit;color:var(--text);cursor:pointer}
.person:hover{background:var(--soft)}
.mark{flex:none;display:grid;place-items:center;width:32px;height:32px;border-radius:50%;background:var(--soft);color:var(--accent);font-weight:600}
@media(prefers-color-scheme:dark){.mark{color:#b4adff}}
.who{min-width:0;overflow:hidden}
.who b,.who span{display:block;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.who b{font-weight:500;color:var(--ink)}
.who span{font-size:13px;color:var(--muted)}
label.field{display:block;margin:0 0 14px;font-weight:500;color:var(--ink)}
label.field input{display:block;width:100%;height:38px;margin-top:6px;padding:0 11px;border:1px solid var(--control);border-radius:6px;background:var(--surface);color:var(--ink);font:inherit}
label.tick{display:flex;gap:10px;margin:0 0 18px;cursor:pointer}
label.tick input{flex:none;width:16px;height:16px;margin:3px 0 0;accent-color:var(--accent)}
label.tick small{display:block;color:var(--muted);font-size:13px}
ul.scopes{margin:0 0 20px;padding:0 0 0 18px;color:var(--text)}
.buttons{display:flex;gap:10px}
.buttons button{flex:1;height:40px;border-radius:6px;font:inherit;font-weight:600;cursor:pointer}
.go{border:0;background:var(--accent);color:var(--on)}
.go:hover{background:var(--hover)}
.no{border:1px solid var(--control);background:none;color:var(--ink)}
.no:hover{background:var(--soft)}
.wrong{margin:0 0 14px;color:var(--harm);font-weight:500}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.person:focus-visible{outline-offset:-3px}
`
const styleHash = createHash('sha256').update(style).digest('base64')

/** A page and the policy it needs; `leadsTo` is where its form may end up. */
export interface HtmlPage {
  html: string
  policy: string
}

function page(title: string, inside: string, leadsTo = ''): HtmlPage {
  return {
    html:
      '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">' +
      `<meta name="robots" content="noindex"><title>${escapeUTF8(title)}</title><style>${style}</style></head><body><main>` +
      '<p class="note">Sandbox: this page replaces Google on this machine. It asks for no password, and nothing is sent.</p>' +
      `<div class="inside"><h1>${escapeUTF8(title)}</h1>${inside}</div></main></body></html>`,
    policy: `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self' ${leadsTo}; base-uri 'none'; frame-ancestors 'none'`,
  }
}

/** What a scope means to the person who grants it. One that is not known here is shown by its name. */
const SCOPES: Record<string, string | undefined> = {
  openid: undefined,
  email: 'See your email address',
  profile: 'See your name',
  'https://www.googleapis.com/auth/gmail.send': 'Send email on your behalf',
  'https://www.googleapis.com/auth/gmail.readonly': 'Read your email',
}

/** Whether people may leave it out, as Google lets them with everything but who they are. */
export const isGranular = (scope: string) => scope.startsWith('https://')

function personButton({ email, name, emailVerified }: Person, id: string): string {
  const state = emailVerified ? '' : ' · not verified'
  return `<li><form method="post" action="/authorize"><input type="hidden" name="request" value="${id}"><input type="hidden" name="email" value="${escapeUTF8(email)}"><input type="hidden" name="name" value="${escapeUTF8(name)}">${emailVerified ? '' : '<input type="hidden" name="unverified" value="on">'}<button class="person" name="choice" value="allow"><span class="mark" aria-hidden="true">${escapeUTF8((name[0] ?? email[0] ?? '?').toUpperCase())}</span><span class="who"><b>${escapeUTF8(name)}</b><span>${escapeUTF8(email)}${state}</span></span></button></form></li>`
}

const scopeBox = (scope: string) =>
  `<label class="tick"><input type="checkbox" name="grant" value="${escapeUTF8(scope)}" checked><span>${escapeUTF8(SCOPES[scope] ?? scope)}</span></label>`
const TESTING_BOX =
  '<label class="tick"><input type="checkbox" name="testing"><span>The client is in testing mode<small>As Google does with one that was not published: the permission ends after seven days.</small></span></label>'

/** Asks who the user is, and what the application may see, if anything. `id` is the request this page belongs to. */
export function consentPage(
  id: string,
  request: AuthorizationRequest,
  known: Person[],
  wrong: { email: string; text: string } | undefined,
): HtmlPage {
  const plain = request.scopes
    .filter((scope) => !isGranular(scope))
    .map((scope) => SCOPES[scope])
    .filter(Boolean)
  const granular = request.scopes.filter(isGranular)
  const people =
    known.length > 0
      ? `<h2>Choose an account</h2><ul class="people">${known.map((person) => personButton(person, id)).join('')}</ul><h2>Or use another one</h2>`
      : ''
  const email = escapeUTF8(wrong?.email ?? request.loginHint)
  return page(
    'Continue to Postlark',
    `<p class="muted">You are signed in as the person you name here.</p>${people}
<form method="post" action="/authorize">
<input type="hidden" name="request" value="${id}">
${wrong ? `<p class="wrong" role="alert">${escapeUTF8(wrong.text)}</p>` : ''}
<label class="field">Email address<input name="email" type="email" autocomplete="off" required maxlength="254" value="${email}"${known.length > 0 ? '' : ' autofocus'}></label>
<label class="field">Name<input name="name" autocomplete="off" maxlength="200" placeholder="As in the address"></label>
<label class="tick"><input type="checkbox" name="unverified"><span>The address is not verified<small>As Google says of an address that nobody has confirmed.</small></span></label>
<h2>Postlark asks to</h2><ul class="scopes">${plain.map((text) => `<li>${escapeUTF8(text ?? '')}</li>`).join('')}</ul>
${granular.length > 0 ? '<input type="hidden" name="granular" value="on">' : ''}${granular.map(scopeBox).join('')}${request.offline ? TESTING_BOX : ''}
<div class="buttons"><button class="no" name="choice" value="deny" formnovalidate>Deny</button><button class="go" name="choice" value="allow">Continue</button></div>
</form>`,
    new URL(request.redirectUri).origin,
  )
}

/** Says why there is nothing to choose. */
export const refusalPage = (text: string): HtmlPage => page('This request is not valid', `<p>${escapeUTF8(text)}</p>`)
