import { escapeUTF8 } from 'entities'
import type { Brand } from '#contracts/templates/parts.ts'
import type { Db } from '#server/platform/db/database.ts'
import { darken } from '#server/platform/http/pages/colors.ts'
import { invalid } from '#server/platform/http/refusal.ts'
import { findBrand } from './email-parts-store.ts'
import { readStarters, type Starter } from './starters.ts'
import type { TemplateFields } from './store.ts'

/** More than WCAG 2.2 asks for (4.5): the starters also write in pale tints on the accent, and in the accent on pale ones. */
const READABLE = 6

/** What a template that begins with a starter holds, in the workspace's own dress. Throws Refusal 400. */
export async function takeStarter(
  db: Db,
  workspaceId: string,
  starters: Starter[],
  { starter: id, ...fields }: TemplateFields & { starter?: string | undefined },
): Promise<TemplateFields> {
  if (id === undefined) return fields
  const starter = starters.find((one) => one.id === id)
  if (!starter) throw invalid('starter', 'is not a starter template')
  const { subject, html, mjml } = dressStarter(starter, await findBrand(db, workspaceId))
  return { ...fields, subject: fields.subject || subject, html, mjml }
}

/** A starter in a workspace's own color and fonts. What is not set stays as the starter has it. */
function dressStarter(starter: Starter, brand: Brand): Starter {
  const [main] = brand.colors
  let { mjml } = starter
  if (main && starter.accent) mjml = mjml.replaceAll(starter.accent, darken(main, READABLE))
  const quoted = (font: string) => font.replaceAll('"', "'")
  if (brand.textFont)
    mjml = mjml.replace(/(<mj-all font-family=")[^"]*"/, (_, before) => `${before}${quoted(brand.textFont)}"`)
  if (brand.headingFont)
    mjml = mjml.replace(/<mj-class name="(?:title|serif)"(?: font-family="[^"]*")?/g, (tag) => {
      const bare = tag.replace(/ font-family="[^"]*"/, '')
      return `${bare} font-family="${quoted(brand.headingFont)}"`
    })
  return { ...starter, mjml }
}

/** Of the default confirmation email, which lists may replace by a template. Liquid. */
const CONFIRMATION_SUBJECT = 'Confirm your subscription: {{ list_name }}'
const CONFIRMATION_TEXT = `Hi{% if first_name %} {{ first_name }}{% endif %},

We received a request to send {{ list_name }} to this address. If you want to receive it, please confirm:

{{ confirm_url }}

The link works for 14 days. If you did not ask for this, ignore this email: you will not be subscribed.
`

/** The confirmation email of workspaces that made none of their own: the starter in their dress and under their name. */
export async function buildDefaultConfirmation(
  db: Db,
  workspaceId: string,
  company: string,
): Promise<{ subject: string; mjml: string; text: string }> {
  confirmationStarter ??= readStarters().find(({ id }) => id === 'confirmation') as Starter
  const { mjml } = dressStarter(confirmationStarter, await findBrand(db, workspaceId))
  const name = escapeUTF8(company).replaceAll('{', '&#123;')
  const branded = mjml.replaceAll('[Your company]', () => name)
  return { subject: CONFIRMATION_SUBJECT, mjml: branded, text: CONFIRMATION_TEXT }
}

let confirmationStarter: Starter | undefined
