import { colord, extend } from 'colord'
import a11yPlugin from 'colord/plugins/a11y'
import type { Brand } from '#contracts/templates/parts.ts'
import type { Db } from '#server/platform/db/database.ts'
import { invalid } from '#server/platform/http/refusal.ts'
import { findBrand } from './email-parts-store.ts'
import type { Starter } from './starters.ts'
import type { TemplateFields } from './store.ts'

extend([a11yPlugin])

/** More than WCAG 2.2 asks for (4.5): the starters also write in pale tints on the accent, and in the accent on pale ones. */
const READABLE = 6

/** A color, darkened as far as it takes to be read on white. `hex` is #rrggbb. */
function readable(hex: string): string {
  let color = colord(hex)
  while (color.contrast('#ffffff') < READABLE) {
    const { r, g, b } = color.rgba
    color = colord({ r: r * 0.95, g: g * 0.95, b: b * 0.95 })
  }
  return color.toHex()
}

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
  if (main && starter.accent) mjml = mjml.replaceAll(starter.accent, readable(main))
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
