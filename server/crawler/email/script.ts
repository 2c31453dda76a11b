import { decodeHTMLAttribute } from 'entities'
import { decodeBase64, decodePercent, unescapeCode } from './hidden.ts'

/** A value as far as it can be known without running anything. */
type Value = string | Value[] | undefined

type Token =
  | { kind: 'string'; text: string }
  | { kind: 'template'; text: string }
  | { kind: 'name'; text: string }
  | { kind: 'number'; text: string }
  | { kind: 'sign'; text: string }

const MAX_TOKENS = 40_000
const MAX_TEXT = 400_000
const MAX_DEPTH = 24

const ESCAPE = /\\(?:u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2})|([0-7]{1,3})|([\s\S]))/gi
const PLAIN: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '', f: '', v: '' }

function unquote(raw: string): string {
  if (!raw.includes('\\')) return raw
  return raw.replace(ESCAPE, (_, long, four, two, octal, other: string) => {
    const hex = long ?? four ?? two
    if (hex) return String.fromCodePoint(Math.min(Number.parseInt(hex, 16), 0x10ffff))
    if (octal) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff)
    return PLAIN[other] ?? other
  })
}

const SCANNER =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"((?:[^"\\\n]|\\[\s\S])*)"|'((?:[^'\\\n]|\\[\s\S])*)'|`((?:[^`\\]|\\[\s\S])*)`|([\p{L}_$][\p{L}\p{N}_$]*)|(0x[0-9a-f]+|\d+(?:\.\d+)?)|([+=()[\].,;:{}!<>?*/%&|-])/giu

function tokens(source: string): Token[] {
  const list: Token[] = []
  for (const [, double, single, back, name, number, sign] of source.matchAll(SCANNER)) {
    const quoted = double ?? single ?? back
    if (quoted !== undefined) list.push({ kind: back === undefined ? 'string' : 'template', text: unquote(quoted) })
    else if (name) list.push({ kind: 'name', text: name })
    else if (number) list.push({ kind: 'number', text: number })
    else if (sign) list.push({ kind: 'sign', text: sign })
    if (list.length >= MAX_TOKENS) break
  }
  return list
}

/** Puts the pieces of strings together that a script puts together, by reading it: nothing of it is run. */
class Assembler {
  readonly #tokens: Token[]
  readonly #known = new Map<string, Value>()
  readonly found: string[] = []
  #at = 0
  #depth = 0

  constructor(source: string) {
    this.#tokens = tokens(source)
  }

  run(): string[] {
    while (this.#at < this.#tokens.length) {
      const token = this.#tokens[this.#at] as Token
      const begins = token.kind === 'string' || token.kind === 'template' || token.kind === 'name' || token.text === '['
      if (!begins || !this.#statement()) this.#at++
    }
    return this.found
  }

  #is(text: string, offset = 0): boolean {
    const token = this.#tokens[this.#at + offset]
    return token?.kind === 'sign' && token.text === text
  }

  /** `name = expression`, `name += expression`, or an expression by itself. Returns whether it moved on. */
  #statement(): boolean {
    const from = this.#at
    const token = this.#tokens[from]
    if (token?.kind === 'name' && (this.#is('=', 1) || (this.#is('+', 1) && this.#is('=', 2))) && !this.#is('=', 3)) {
      const adds = this.#is('+', 1)
      this.#at += adds ? 3 : 2
      if (this.#is('=')) return false
      const value = this.#sum()
      const before = this.#known.get(token.text)
      const whole = adds && typeof before === 'string' && typeof value === 'string' ? before + value : value
      this.#known.set(token.text, whole)
      this.#note(whole)
      return this.#at > from
    }
    // A property of an object: `{ user: "info", host: "firma.de" }`.
    if (token?.kind === 'name' && this.#is(':', 1) && this.#tokens[from + 2]?.kind === 'string') {
      this.#at += 2
      const value = this.#sum()
      this.#known.set(token.text, value)
      this.#note(value)
      return true
    }
    this.#note(this.#sum())
    return this.#at > from
  }

  #note(value: Value): void {
    if (typeof value === 'string' && value.length > 4 && value.length < 20_000) this.found.push(value)
    else if (Array.isArray(value)) for (const item of value) this.#note(item)
  }

  #sum(): Value {
    if (++this.#depth > MAX_DEPTH) {
      this.#depth--
      return undefined
    }
    let value = this.#part()
    while (this.#is('+') && !this.#is('+', 1) && !this.#is('=', 1)) {
      this.#at++
      const next = this.#part()
      if (typeof value === 'string' && typeof next === 'string') value += next
      else {
        this.#note(value)
        value = next
      }
    }
    this.#depth--
    return value
  }

  #part(): Value {
    const token = this.#tokens[this.#at]
    let value: Value
    if (token?.kind === 'string') {
      value = token.text
      this.#at++
    } else if (token?.kind === 'template') {
      value = token.text.replace(/\$\{\s*([\w$.]+)(?:\[(\d{1,3})\])?\s*\}/g, (whole, name: string, index?: string) => {
        const known = this.#known.get(name.slice(name.lastIndexOf('.') + 1))
        const one = Array.isArray(known) && index ? known[Number(index)] : known
        return typeof one === 'string' ? one : whole
      })
      this.#at++
    } else if (token?.kind === 'number') {
      value = String(Number(token.text))
      this.#at++
    } else if (token?.kind === 'name') {
      value = this.#named(token.text)
    } else if (this.#is('(')) {
      this.#at++
      value = this.#sum()
      if (this.#is(')')) this.#at++
    } else if (this.#is('[')) value = this.#list(']')
    else return undefined
    return this.#methods(value)
  }

  /** A variable, or one of the functions that make text. */
  #named(name: string): Value {
    let path = name
    this.#at++
    while (this.#is('.') && this.#tokens[this.#at + 1]?.kind === 'name' && this.#known.get(path) === undefined) {
      const next = this.#tokens[this.#at + 1] as Token
      path = next.text
      this.#at += 2
    }
    if (!this.#is('(')) return this.#item(this.#known.get(path))
    const given = this.#list(')')
    const [first] = given
    const text = typeof first === 'string' ? first : undefined
    if (path === 'fromCharCode' || path === 'fromCodePoint')
      return given.map((code) => String.fromCharCode(Number(code))).join('')
    if (path === 'pow') return String(Number(first) ** Number(given[1]))
    if (text === undefined) {
      this.#given(path, given)
      return undefined
    }
    if (path === 'unescape' || path === 'decodeURIComponent' || path === 'decodeURI') return decodePercent(text)
    if (path === 'atob') return decodeBase64(text)
    if (path === 'String') return text
    this.#given(path, given)
    return undefined
  }

  /** One of a list, where its place is given: `parts[1]`. */
  #item(value: Value): Value {
    if (!Array.isArray(value) || !this.#is('[') || !this.#is(']', 2)) return value
    const place = this.#tokens[this.#at + 1]
    if (place?.kind !== 'number') return value
    this.#at += 3
    return value[Number(place.text)]
  }

  /** What a function is given: two texts given to one that is about mail are the halves of an address. */
  #given(name: string, given: Value[]): void {
    for (const value of given) this.#note(value)
    if (!/mail|spam|crypt|addr|contact|send|write|nospam|cloak|protect/i.test(name)) return
    const [user, host, ending] = given
    if (typeof user !== 'string' || typeof host !== 'string' || !/^[\w.+-]{1,64}$/.test(user)) return
    const whole = typeof ending === 'string' && !host.includes('.') ? `${host}.${ending}` : host
    if (/^[\w.-]+\.[a-z]{2,}$/i.test(whole)) this.found.push(`${user}@${whole}`)
  }

  #list(end: string): Value[] {
    const items: Value[] = []
    this.#at++
    while (this.#at < this.#tokens.length && !this.#is(end)) {
      const from = this.#at
      const value = this.#sum()
      if (this.#at > from) items.push(value)
      else if (!this.#is(',')) this.#at++
      if (this.#is(',')) this.#at++
      if (items.length > 5_000) break
    }
    if (this.#is(end)) this.#at++
    return items
  }

  #methods(start: Value): Value {
    let value = start
    while (this.#is('.') && this.#tokens[this.#at + 1]?.kind === 'name' && this.#is('(', 2)) {
      const method = (this.#tokens[this.#at + 1] as Token).text
      this.#at += 2
      const given = this.#list(')')
      const result = call(value, method, given)
      if (result === undefined) this.#given(method, given)
      value = result
    }
    return value
  }
}

function call(value: Value, method: string, given: Value[]): Value {
  const [first, second] = given
  if (Array.isArray(value)) {
    if (method === 'join' && value.every((item) => typeof item === 'string'))
      return value.join(typeof first === 'string' ? first : ',')
    if (method === 'reverse') return [...value].reverse()
    return undefined
  }
  if (value === undefined) return undefined
  if (method === 'split' && typeof first === 'string') return value.split(first)
  if (method === 'concat')
    return given.reduce<string>((whole, part) => whole + (typeof part === 'string' ? part : ''), value)
  if ((method === 'replace' || method === 'replaceAll') && typeof first === 'string' && typeof second === 'string')
    return method === 'replace' ? value.replace(first, () => second) : value.replaceAll(first, second)
  if (method === 'toLowerCase') return value.toLowerCase()
  if (method === 'trim' || method === 'toString') return value.trim()
  return undefined
}

/** The texts a script makes: its strings, put together where it puts them together, entities and escapes undone. */
export function extractScriptTexts(source: string): string[] {
  if (
    source.length > MAX_TEXT ||
    !/@|%40|x40|u0040|u\{0*40\}|#0*64|commat|fromCharCode|atob|&#x0*40|\bat\b|mail|spam|contact|addr/i.test(source)
  )
    return []
  return new Assembler(source).run().map((text) => decodeHTMLAttribute(unescapeCode(decodePercent(text))))
}
