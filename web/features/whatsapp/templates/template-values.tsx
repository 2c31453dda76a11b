import type { TemplateVariable, WhatsAppTemplate } from '#contracts/whatsapp/templates.ts'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'

/** What a variable is called for people: "First name", "Variable 2", "Header: address of the image". */
export function variableLabel(
  { key, kind }: TemplateVariable,
  template: Pick<WhatsAppTemplate, 'buttons' | 'header'>,
): string {
  const [part, name = ''] = key.split('.')
  if (part === 'header') return kind === 'media' ? `URL of the ${template.header?.format ?? 'file'}` : 'Header'
  if (part === 'button') return `URL ending of “${template.buttons[Number(name)]?.text ?? 'the button'}”`
  if (/^\d+$/.test(name)) return `Variable ${name}`
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

interface TemplateValuesProps {
  template: WhatsAppTemplate
  values: Record<string, string>
  /** By variable key. */
  errors: Record<string, string>
  onChange: (key: string, value: string) => void
}

/** A field for each variable of a template. */
export function TemplateValues({ template, values, errors, onChange }: TemplateValuesProps) {
  return template.variables.map((variable) => (
    <Field
      key={variable.key}
      label={variableLabel(variable, template)}
      hint={variable.example ? `For example ${variable.example}` : undefined}
      error={errors[variable.key]}
    >
      <Input
        autoComplete="off"
        type={variable.kind === 'media' ? 'url' : 'text'}
        placeholder={variable.kind === 'media' ? 'https://' : undefined}
        value={values[variable.key] ?? ''}
        maxLength={2_000}
        onChange={(event) => onChange(variable.key, event.target.value)}
      />
    </Field>
  ))
}
