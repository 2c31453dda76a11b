import { escapeUTF8 } from 'entities'
import type { Endpoint } from '#contracts/endpoint.ts'
import { ACCESS, type OpenApi, type Operation, templatePath } from './openapi.ts'
import type { JsonSchema } from './openapi-examples.ts'

/** The only style of the page; its hash stands in the page's policy. */
export const STYLE = `
:root{color-scheme:light dark;--page:light-dark(#f7f7f9,#15161c);--surface:light-dark(#fff,#1d1f27);--line:light-dark(#e2e3ea,#343743);--ink:light-dark(#1b1c25,#f1f1f5);--muted:light-dark(#5d606e,#a4a7b5);--accent:light-dark(#4338ca,#a5a0ff)}
*{box-sizing:border-box}html{scroll-behavior:smooth}@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.55 "Inter Variable",Inter,system-ui,sans-serif}
a{color:var(--accent)}a:focus-visible,summary:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.skip{position:absolute;left:-999px}.skip:focus{left:8px;top:8px;background:var(--surface);padding:8px}
.frame{display:grid;grid-template-columns:240px minmax(0,1fr);max-width:1180px;margin:0 auto}
nav{position:sticky;top:0;align-self:start;max-height:100vh;overflow:auto;padding:32px 16px}
nav ul{list-style:none;margin:8px 0 20px;padding:0}nav li a{display:block;padding:4px 8px;text-decoration:none;border-radius:6px}
main{padding:32px 24px 96px;min-width:0}h1{margin:0 0 8px;font-size:30px;line-height:1.2}h2{margin:48px 0 12px;font-size:22px}h4{margin:16px 0 6px;font-size:14px}
p{max-width:68ch}.muted{color:var(--muted)}
details{background:var(--surface);border:1px solid var(--line);border-radius:10px;margin:0 0 8px}
summary{cursor:pointer;padding:12px 16px;display:flex;flex-wrap:wrap;gap:4px 12px;align-items:baseline}
summary h3{margin:0;font:600 14px/1.5 ui-monospace,SFMono-Regular,Menlo,monospace;overflow-wrap:anywhere}.verb{color:var(--accent)}
.inside{padding:0 16px 16px;border-top:1px solid var(--line)}
.table{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:14px}th,td{text-align:left;vertical-align:top;padding:6px 12px 6px 0;border-bottom:1px solid var(--line)}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,monospace;font-size:13px}
pre{background:var(--page);border:1px solid var(--line);border-radius:8px;padding:12px;overflow-x:auto;margin:6px 0}
@media (max-width:800px){.frame{display:block}nav{position:static;max-height:none;padding:16px 24px 0}nav ul{display:flex;flex-wrap:wrap}main{padding-top:8px}}
`

const text = (value: unknown) => escapeUTF8(String(value))
/** The same, with `words` in code. */
const prose = (value: string) => text(value).replace(/`([^`]+)`/g, '<code>$1</code>')
const slug = (title: string) => title.toLowerCase().replace(/[^a-z0-9]+/g, '-')

/** A schema in a few words: `text`, `number or null`, `one of draft, sent`, `list of …`. */
function typeWords(schema: JsonSchema): string {
  if (schema.const !== undefined) return `“${schema.const}”`
  if (schema.enum) return `one of ${schema.enum.join(', ')}`
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeWords))].join(' or ')
  if (schema.items) return `list of ${typeWords(schema.items)}`
  const words: Record<string, string> = {
    string: schema.format === 'date-time' ? 'time' : 'text',
    integer: 'whole number',
  }
  const types = schema.type === undefined ? ['anything'] : [schema.type].flat()
  return types.map((type) => words[type] ?? type).join(' or ')
}

/** Limits a caller should know, such as `1 to 200` or `at most 120 characters`. */
function limitWords(schema: JsonSchema): string {
  const [least, most] = [schema.minimum, schema.maximum] as (number | undefined)[]
  const isBound = (value: number | undefined) => value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER
  return [
    schema.description,
    isBound(least) && `at least ${least}`,
    isBound(most) && `at most ${most}`,
    schema.minLength && `at least ${schema.minLength} characters`,
    schema.maxLength && `at most ${schema.maxLength} characters`,
    schema.maxItems && `at most ${schema.maxItems}`,
    schema.default !== undefined && `${JSON.stringify(schema.default)} unless given`,
  ]
    .filter(Boolean)
    .join(', ')
}

function rows(schema: JsonSchema, prefix = ''): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const inner = property.items?.properties ? property.items : property
    const path = `${prefix}${name}${property.items?.properties ? '[]' : ''}`
    const need = schema.required?.includes(name) ? '' : ' <span class="muted">(optional)</span>'
    const row = `<tr><td><code>${text(path)}</code>${need}</td><td>${text(typeWords(property))}</td><td>${text(limitWords(property))}</td></tr>`
    return [row, ...rows(inner, `${path}.`)]
  })
}

function table(caption: string, schema: JsonSchema): string {
  const lines = rows(schema)
  if (lines.length === 0) return ''
  return `<h4>${caption}</h4><div class="table" tabindex="0" role="region" aria-label="${caption}"><table><thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Notes</th></tr></thead><tbody>${lines.join('')}</tbody></table></div>`
}

function curl(method: string, path: string, operation: Operation, base: string): string {
  const findExample = (name: string) => String(operation.parameters?.find((one) => one.name === name)?.example)
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => findExample(name))
  const query = (operation.parameters ?? []).filter((one) => one.in === 'query' && one.required)
  const address =
    base + filled + (query.length > 0 ? `?${query.map((one) => `${one.name}=${one.example}`).join('&')}` : '')
  const lines = [`curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}'${address}'`]
  if (operation.security.length > 0) lines.push(`-H "Authorization: Bearer $TOKEN"`)
  const content = operation.requestBody?.content
  const json = content?.['application/json']
  const form = content?.['multipart/form-data']
  if (json) lines.push(`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(json.example)}'`)
  else if (form) {
    for (const name of form.schema.required ?? []) {
      const value = name === 'mapping' ? '{"Email":"email"}' : name === 'file' ? '@people.csv' : '1'
      lines.push(`-F '${name}=${value}'`)
    }
  }
  return lines.join(' \\\n  ')
}

function responseTable(operation: Operation): string {
  const [status = '200', first] = Object.entries(operation.responses)[0] ?? []
  const { content = {}, description } = first as {
    content?: Record<string, { schema: JsonSchema; 'x-data'?: JsonSchema }>
    description: string
  }
  const [media] = Object.values(content)
  const schema = media?.['x-data'] ?? media?.schema ?? {}
  return (
    table(`Response ${status}`, schema) ||
    `<h4>Response ${status}</h4><p>${text(schema.type === 'object' ? 'An empty object.' : description)}</p>`
  )
}

function refusals(operation: Operation): string {
  const others = Object.entries(operation.responses).slice(1) as [string, { description: string }][]
  if (others.length === 0) return ''
  return `<h4>Refusals</h4><ul>${others.map(([status, { description }]) => `<li><code>${status}</code> ${prose(description)}</li>`).join('')}</ul>`
}

function section(method: string, path: string, operation: Operation, access: Endpoint['access'], base: string): string {
  const given = (place: 'path' | 'query') => {
    const those = (operation.parameters ?? []).filter((one) => one.in === place)
    return {
      properties: Object.fromEntries(those.map((one) => [one.name, one.schema])),
      required: those.filter((one) => one.required).map((one) => one.name),
    }
  }
  const content = operation.requestBody?.content ?? {}
  const bodies = Object.entries(content).map(([type, { schema }]) =>
    table(type === 'multipart/form-data' ? 'Form' : 'JSON body', schema),
  )
  return `<details id="${text(operation.operationId)}"><summary><h3><span class="verb">${method.toUpperCase()}</span> ${text(path)}</h3><span>${text(operation.summary)}</span></summary>
<div class="inside"><p class="muted">For: ${text(ACCESS[access].toLowerCase())}.</p>
${table('Path', given('path'))}${table('Query', given('query'))}${bodies.join('')}${responseTable(operation)}${refusals(operation)}
<h4>Example</h4><pre tabindex="0"><code>${text(curl(method, path, operation, base))}</code></pre></div></details>`
}

/** The reference as one HTML page that needs nothing else: no script, one style. */
export function referencePage(
  contract: Record<string, Record<string, Endpoint>>,
  titles: Record<string, string>,
  api: OpenApi,
): string {
  const nounTitle = (noun: string) => titles[noun] ?? noun
  const base = api.servers[0]?.url ?? ''
  const sections = Object.entries(contract).map(([noun, endpoints]) => {
    const parts = Object.values(endpoints).map((e) => {
      const path = templatePath(e)
      const method = e.method.toLowerCase()
      const operation = api.paths[path]?.[method]
      return operation ? section(method, path, operation, e.access, base) : ''
    })
    return `<section aria-labelledby="${slug(nounTitle(noun))}"><h2 id="${slug(nounTitle(noun))}">${text(nounTitle(noun))}</h2>${parts.join('')}</section>`
  })
  const links = Object.keys(contract).map(
    (noun) => `<li><a href="#${slug(nounTitle(noun))}">${text(nounTitle(noun))}</a></li>`,
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>API reference – Postlark</title><link rel="icon" href="/favicon.svg"><style>${STYLE}</style></head>
<body><a class="skip" href="#reference">Skip to the reference</a><div class="frame"><nav aria-label="Nouns"><a href="/"><strong>Postlark</strong></a><ul>${links.join('')}</ul><a href="/api/openapi.json">OpenAPI 3.1</a></nav>
<main id="reference"><h1>API reference</h1><p>JSON in and out, at <code>${text(base)}</code>. Sign in with <a href="#accounts.login">POST /api/auth/login</a> and send the token as <code>Authorization: Bearer …</code>.</p>
<p>${prose(api.info.description)} A refusal is <code>{ error, message, code, details? }</code>: <code>error</code> and <code>message</code> hold the same text for people, <code>code</code> is for programs.</p>
${sections.join('')}</main></div></body></html>`
}
