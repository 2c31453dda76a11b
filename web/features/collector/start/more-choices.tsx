import { COLLECTOR_LIMITS } from '#contracts/collector/collector.ts'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input, Textarea } from '#web/ui/form/input.tsx'
import { formatNumber, plural } from '#web/ui/lib/format.ts'

/** How far a crawl job goes, as it is typed. An empty page limit is the usual one. */
export interface Choices {
  maxPages: string
  maxDepth: string
  subdomains: boolean
  include: string
  exclude: string
}

export const noChoices: Choices = { maxPages: '', maxDepth: '3', subdomains: false, include: '', exclude: '' }

/** Paths one a line; a forgotten / in front is put there. */
export const parsePaths = (text: string): string[] =>
  text
    .split(/[\n,]+/)
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => (line.startsWith('/') ? line : `/${line}`))

/** What is wrong with the choices, by field. */
export function choicesErrors(choices: Choices): Partial<Record<keyof Choices, string>> {
  const errors: Partial<Record<keyof Choices, string>> = {}
  const whole = (text: string, least: number, most: number) => /^\d+$/.test(text) && +text >= least && +text <= most
  if (choices.maxPages !== '' && !whole(choices.maxPages, 1, COLLECTOR_LIMITS.pages))
    errors.maxPages = `Enter a limit from 1 to ${formatNumber(COLLECTOR_LIMITS.pages)}.`
  if (!whole(choices.maxDepth, 0, COLLECTOR_LIMITS.depth))
    errors.maxDepth = `Enter a depth from 0 to ${COLLECTOR_LIMITS.depth}.`
  for (const name of ['include', 'exclude'] as const)
    if (parsePaths(choices[name]).length > COLLECTOR_LIMITS.paths)
      errors[name] = `Enter up to ${COLLECTOR_LIMITS.paths} paths.`
  return errors
}

function inWords(choices: Choices, usualPages: number): string {
  const paths = parsePaths(choices.include).length + parsePaths(choices.exclude).length
  return [
    `Up to ${formatNumber(Number(choices.maxPages) || usualPages)} pages`,
    choices.maxDepth === '0' ? 'no links followed' : `${plural(Number(choices.maxDepth), 'link')} deep`,
    choices.subdomains ? 'including subdomains' : 'entered hosts only',
    ...(paths > 0 ? [plural(paths, 'path rule')] : []),
  ].join(', ')
}

interface MoreChoicesProps {
  choices: Choices
  onChange: (choices: Choices) => void
  usualPages: number
  errors: Partial<Record<keyof Choices, string>>
}

/** How far it goes: said in one line, opened by those who want it otherwise. */
export function MoreChoices({ choices, onChange, usualPages, errors }: MoreChoicesProps) {
  const set = (part: Partial<Choices>) => onChange({ ...choices, ...part })
  return (
    <details className="group rounded-card border bg-page/60" open={Object.keys(errors).length > 0 || undefined}>
      <summary className="flex flex-wrap items-baseline gap-x-3 rounded-card px-4 py-3 text-base">
        <span className="font-medium text-ink group-open:before:content-['▾_'] before:text-muted before:content-['▸_']">
          More options
        </span>
        <span className="text-muted">{inWords(choices, usualPages)}</span>
      </summary>
      <div className="grid gap-x-5 gap-y-4 px-4 pt-1 pb-4 sm:grid-cols-2">
        <Field
          label="Page limit"
          optional
          hint="In total. The scrape then ends. Contact pages are read first."
          error={errors.maxPages}
        >
          <Input
            inputMode="numeric"
            autoComplete="off"
            placeholder={formatNumber(usualPages)}
            value={choices.maxPages}
            onChange={(event) => set({ maxPages: event.target.value.trim() })}
          />
        </Field>
        <Field
          label="Depth"
          hint="How many links to follow from the pages you enter. 0 reads only those pages."
          error={errors.maxDepth}
        >
          <Input
            inputMode="numeric"
            autoComplete="off"
            value={choices.maxDepth}
            onChange={(event) => set({ maxDepth: event.target.value.trim() })}
          />
        </Field>
        <Checkbox
          className="sm:col-span-2"
          label="Include subdomains"
          hint="shop.bakery.example if you entered bakery.example. Other sites are never followed."
          checked={choices.subdomains}
          onChange={(event) => set({ subdomains: event.target.checked })}
        />
        <Field
          label="Only these paths"
          optional
          hint="One per line. Only paths that start with one of them are read."
          error={errors.include}
        >
          <Textarea
            code
            rows={3}
            spellCheck={false}
            placeholder="/team"
            value={choices.include}
            onChange={(event) => set({ include: event.target.value })}
          />
        </Field>
        <Field label="Excluded paths" optional hint="One per line. These paths are skipped." error={errors.exclude}>
          <Textarea
            code
            rows={3}
            spellCheck={false}
            placeholder="/blog"
            value={choices.exclude}
            onChange={(event) => set({ exclude: event.target.value })}
          />
        </Field>
      </div>
    </details>
  )
}
