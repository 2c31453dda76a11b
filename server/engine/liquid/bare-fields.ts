const CONDITION = /^\{%-?\s*(?:if|elsif|unless|case)\b/
/** What stands before a value in an address, where a gap is no gap in a sentence. */
const IN_ADDRESS = /\b(?:href|src)\s*=\s*(?:"[^"<>]*|'[^'<>]*)$/i
const MAX_ADDRESS = 2_000

/** What an output prints, and its filters. */
function splitOutput(text: string): [field: string, filters: string] {
  const inner = text.replace(/^\{\{-?/, '').replace(/-?\}\}$/, '')
  const bar = inner.indexOf('|')
  return bar < 0 ? [inner.trim(), ''] : [inner.slice(0, bar).trim(), inner.slice(bar)]
}

const toPath = (text: string) => text.replace(/\[\s*["']([^"'\]]*)["']\s*\]/g, '.$1')

/**
 * Paths of fields that are printed without a default, where no condition of the template asks whether they are there. `spans`: its
 * tags and outputs.
 */
export function findBareFields(
  source: string,
  spans: readonly { begin: number; output: boolean; text: string }[],
): Set<string> {
  const conditions = spans.flatMap(({ output, text }) => (!output && CONDITION.test(text) ? [toPath(text)] : []))
  const bare = new Set<string>()
  for (const { begin, output, text } of spans) {
    const [field, filters] = output ? splitOutput(text) : ['', '']
    const path = toPath(field)
    if (field === '' || bare.has(path) || /\|\s*default\b/.test(filters)) continue
    if (conditions.some((one) => one.includes(path))) continue
    if (!IN_ADDRESS.test(source.slice(Math.max(0, begin - MAX_ADDRESS), begin))) bare.add(path)
  }
  return bare
}
