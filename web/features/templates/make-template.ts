import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Template, templates } from '#contracts/templates.ts'
import { api } from '#web/api.ts'

/** What a template can be made from. */
export type Origin =
  | { kind: 'blank' }
  | { kind: 'file'; file: File }
  | { kind: 'starter'; name: string; subject: string; html: string; mjml: string }
  | { kind: 'copy'; id: string }

const BLANK = `<!doctype html>
<html lang="en">
  <body style="margin: 0; padding: 24px; font-family: Arial, sans-serif; font-size: 16px; line-height: 1.5; color: #1d2030">
    <p>Hello {{ name | default: "there" }},</p>
    <p>Write your letter here.</p>
    <p style="font-size: 12px; color: #667"><a href="{{ unsubscribe_url }}">Unsubscribe</a></p>
  </body>
</html>
`

async function make(origin: Origin): Promise<Template> {
  if (origin.kind === 'file') {
    const form = new FormData()
    form.append('name', origin.file.name.replace(/\.\w+$/, '').slice(0, 120))
    form.append('file', origin.file, origin.file.name)
    return api(templates.create, { body: undefined as never, form })
  }
  if (origin.kind === 'copy') {
    const { name, subject, html, mjml } = await api(templates.get, { params: { id: origin.id } })
    return api(templates.create, { body: { name: `${name.slice(0, 112)} (copy)`, subject, html, mjml } })
  }
  if (origin.kind === 'starter')
    return api(templates.create, {
      body: { name: origin.name, subject: origin.subject, html: origin.html, mjml: origin.mjml },
    })
  return api(templates.create, { body: { name: 'New template', html: BLANK } })
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
