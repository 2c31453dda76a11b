import { escapeUTF8 } from 'entities'
import type { FormRow } from './forms-store.ts'
import type { FormInput } from './inputs.ts'

type Shown = Pick<FormRow, 'slug' | 'button' | 'consentWording'>

/** The name of the field that people do not see and programs fill in. */
export const HONEYPOT = 'website'

const toOption = (choice: string) => `<option>${escapeUTF8(choice)}</option>`

function toLine({ name, label, type, required, choices }: FormInput): string {
  const needed = required ? ' required' : ''
  const called = `name="${escapeUTF8(name)}"`
  const control =
    choices.length > 0
      ? `<select ${called}${needed}><option value="">Choose</option>${choices.map(toOption).join('')}</select>`
      : `<input type="${type}" ${called} autocomplete="${type === 'email' ? 'email' : toAutocomplete(name)}"${type === 'number' ? ' step="any"' : ''}${needed}>`
  return `  <p><label>${escapeUTF8(label)}<br>${control}</label></p>`
}

/** A form for somebody's own website: HTML without a script, and the script that makes the same form in its place. */
export function buildEmbed(publicUrl: string, form: Shown, inputs: FormInput[]): { html: string; script: string } {
  const url = `${publicUrl}/f/${form.slug}`
  const lines = [
    `<form action="${escapeUTF8(url)}" method="post">`,
    ...inputs.map(toLine),
    `  <p style="position:absolute;left:-9999px" aria-hidden="true"><label>Leave this empty <input name="${HONEYPOT}" tabindex="-1" autocomplete="off"></label></p>`,
    ...(form.consentWording
      ? [`  <p><small>${escapeUTF8(form.consentWording).replaceAll('\n', '<br>')}</small></p>`]
      : []),
    `  <p><button type="submit">${escapeUTF8(form.button)}</button></p>`,
    '</form>',
  ]
  return { html: lines.join('\n'), script: `<script src="${escapeUTF8(url)}/embed.js" async></script>` }
}

const AUTOCOMPLETE: Record<string, string> = { name: 'name', first_name: 'given-name', last_name: 'family-name' }

/** What a browser may fill a field in with. */
export const toAutocomplete = (name: string): string => AUTOCOMPLETE[name] ?? 'on'

/** The script: it stands where the form is to be, posts it, and says what came of it. */
export function buildScript(publicUrl: string, form: Shown, inputs: FormInput[]): string {
  const data = JSON.stringify({ url: `${publicUrl}/f/${form.slug}`, html: buildEmbed(publicUrl, form, inputs).html })
  return `(function(){var d=${data.replaceAll('<', '\\u003c')},s=document.currentScript,b=document.createElement('div');b.innerHTML=d.html;s.parentNode.insertBefore(b,s);
var f=b.querySelector('form'),m=document.createElement('p');m.setAttribute('role','status');f.appendChild(m);
f.addEventListener('submit',function(e){e.preventDefault();var v={};new FormData(f).forEach(function(x,k){v[k]=x});var t=f.querySelector('button');t.disabled=true;m.textContent='';
fetch(d.url,{method:'POST',headers:{'content-type':'application/json',accept:'application/json'},body:JSON.stringify(v)}).then(function(r){return r.json().then(function(j){
if(r.ok&&j.redirectUrl){location.href=j.redirectUrl;return}m.textContent=j.message;if(r.ok){Array.prototype.forEach.call(f.elements,function(i){i.disabled=true})}else{t.disabled=false}})}).catch(function(){f.submit()})})})();
`
}
