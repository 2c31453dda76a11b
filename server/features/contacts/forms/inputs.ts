import type { Db } from '#server/platform/db/database.ts'
import { fieldRules } from '../fields/fields-store.ts'
import type { FormRow } from './forms-store.ts'

/** How a form asks for something, on our page and on other sites alike. */
export interface FormInput {
  name: string
  label: string
  required: boolean
  type: 'text' | 'number' | 'date' | 'email'
  /** The values there are to choose from; empty: anything may be typed. */
  choices: readonly string[]
}

/** What a form asks for, in its order: its fields by the types they have now, and the email address. */
export async function findInputs(db: Db, form: Pick<FormRow, 'workspaceId' | 'fields'>): Promise<FormInput[]> {
  const toName = (name: string) => name.replace(/^attributes\./, '')
  const rules = await fieldRules(
    db,
    form.workspaceId,
    form.fields.map(({ name }) => toName(name)),
  )
  const inputs = form.fields.map((field): FormInput => {
    const rule = rules.get(toName(field.name))
    const choices = rule?.type === 'choice' ? rule.choices : rule?.type === 'boolean' ? ['yes', 'no'] : []
    return { ...field, type: rule?.type === 'number' || rule?.type === 'date' ? rule.type : 'text', choices }
  })
  return [...inputs, { name: 'email', label: 'Email address', required: true, type: 'email', choices: [] }]
}
