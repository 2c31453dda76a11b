import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Template, templates } from '#contracts/templates/templates.ts'
import { api } from '#web/api.ts'

/** What a template can be made from. */
export type Origin =
  | { kind: 'blank' }
  | { kind: 'file'; file: File }
  | { kind: 'starter'; id: string; name: string }
  | { kind: 'copy'; id: string }

const BLANK = `<mjml lang="en">
  <mj-head>
    <mj-attributes>
      <mj-all font-family="Arial, Helvetica, sans-serif" />
    </mj-attributes>
  </mj-head>
  <mj-body width="600px">
    <mj-section>
      <mj-column>
        <mj-text font-size="16px" line-height="1.6" color="#1d2030">Hello {{ name | default: "there" }},</mj-text>
        <mj-text font-size="16px" line-height="1.6" color="#1d2030">Write your email here.</mj-text>
      </mj-column>
    </mj-section>
  </mj-body>
</mjml>
`

async function make(origin: Origin): Promise<Template> {
  if (origin.kind === 'file') {
    const form = new FormData()
    form.append('name', origin.file.name.replace(/\.\w+$/, '').slice(0, 120))
    form.append('file', origin.file, origin.file.name)
    return api(templates.create, { body: undefined as never, form })
  }
  if (origin.kind === 'copy') {
    const { name, subject, html, mjml, text } = await api(templates.get, { params: { id: origin.id } })
    return api(templates.create, { body: { name: `${name.slice(0, 112)} (copy)`, subject, html, mjml, text } })
  }
  if (origin.kind === 'starter') return api(templates.create, { body: { name: origin.name, starter: origin.id } })
  return api(templates.create, { body: { name: 'New template', mjml: BLANK } })
}

/** Makes a template and tells the lists of templates. */
export function useMakeTemplate(onMade: (template: Template) => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: make,
    onSuccess: (template) => {
      void queries.invalidateQueries({ queryKey: ['templates'], exact: true })
      onMade(template)
    },
  })
}
