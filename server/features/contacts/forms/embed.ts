import { escapeUTF8 } from 'entities'
import type { FormRow } from './forms-store.ts'
import type { FormInput } from './inputs.ts'
import { buildSiteScript } from './proof-script.ts'

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

/** The script: it stands where the form is to be. */
export function buildScript(
  publicUrl: string,
  form: Shown & Pick<FormRow, 'proofOfWork'>,
  inputs: FormInput[],
): string {
  const { html } = buildEmbed(publicUrl, form, inputs)
  return buildSiteScript({ url: `${publicUrl}/f/${form.slug}`, html, proves: form.proofOfWork })
}
