import { readdirSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { parseAst } from 'vite'

/** A regular expression as it stands in a source file. */
export interface FoundPattern {
  file: string
  source: string
  flags: string
}

/** Every regular expression literal of the TypeScript files in a folder, without tests and fixtures. */
export function findPatterns(folder: string): FoundPattern[] {
  const found: FoundPattern[] = []
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!name.endsWith('.ts') || /(?:\.test|\.fixture|\.d)\.ts$|(?:^|\/)testing(?:\/|\.ts$)/.test(name)) continue
    const file = join(folder, name)
    const visit = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return
      const { regex } = node as { regex?: { pattern: string; flags: string } | null }
      if (regex) found.push({ file, source: regex.pattern, flags: regex.flags })
      else for (const child of Object.values(node)) visit(child)
    }
    visit(parseAst(stripTypeScriptTypes(readFileSync(file, 'utf8'))))
  }
  return found
}

// The order decides which character stands for a class; each order finds other ambiguities.
const CHARACTERS = ['aA0 -_.@/', ' \n\ta0-.', '-._/:@#&%=+~', '<>"\'(){}[];,!?*^$|\\`', '0aé٣'].map((order) => [
  ...order,
  ...' aA0-_.@/<>"\'=&;:(){}[]%,\n\t#+!?*~|\\^$éß中',
])

/** Reads a pattern into what a text that it matches begins with, atom by atom. */
class Sampler {
  #at = 0
  readonly #source: string
  readonly #flags: string
  readonly #characters: string[]
  constructor({ source, flags }: FoundPattern, characters: string[]) {
    this.#source = source
    this.#flags = flags.replace(/[gy]/g, '')
    this.#characters = characters
  }

  /** Alternatives, each a list of atoms: a sample of each. */
  read(): string[][] {
    const branches: string[][] = [[]]
    while (this.#at < this.#source.length && this.#source[this.#at] !== ')') {
      if (this.#source[this.#at] === '|') {
        this.#at++
        branches.push([])
        continue
      }
      const atoms = this.#atom()
      const quantifier = /^(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/.exec(this.#source.slice(this.#at))
      this.#at += quantifier?.[0].length ?? 0
      const times = Math.min(Number(quantifier?.[1] ?? 1), 20)
      for (let i = 0; i < Math.max(1, times); i++) branches.at(-1)?.push(...atoms)
    }
    return branches
  }

  #atom(): string[] {
    const rest = this.#source.slice(this.#at)
    const group = /^\((?:\?(?:[:=!]|<[=!]|<\w+>))?/.exec(rest)?.[0]
    if (group) {
      this.#at += group.length
      const branches = this.read()
      this.#at++
      if (/^\(\?<?[=!]/.test(group)) return []
      return branches.find((atoms) => atoms.length > 0) ?? []
    }
    const one =
      /^(?:\[(?:\\.|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[\da-f]{4}|\\x[\da-f]{2}|\\.|.)/isu.exec(rest)?.[0] ??
      ''
    this.#at += one.length
    if (/^(?:[$^]|\\[bB\d])$/.test(one)) return []
    const alone = new RegExp(`^(?:${one})$`, this.#flags)
    const sample = this.#characters.find((character) => alone.test(character))
    if (sample !== undefined) return [sample]
    try {
      return [JSON.parse(`"${one.replace(/\\x/, '\\u00')}"`) as string]
    } catch {
      return []
    }
  }
}

/** A text that can be made of any length: a beginning, and what follows it again and again. */
export interface HostileText {
  head: string
  unit: string
}

/** About `length` characters of such a text. */
export const makeText = ({ head, unit }: HostileText, length: number): string =>
  head + unit.repeat(Math.ceil((length - head.length) / unit.length))

/** Texts on which a pattern may take long: what it begins with, again and again, and never its end. */
export function hostileTexts(pattern: FoundPattern): HostileText[] {
  const texts = new Map<string, HostileText>()
  const add = (head: string, unit: string) => texts.set(`${head}\0${unit}`, { head, unit })
  for (const characters of CHARACTERS)
    for (const atoms of new Sampler(pattern, characters).read())
      for (let end = 1; end <= Math.min(atoms.length, 24); end++) {
        add('', atoms.slice(0, end).join(''))
        add(atoms.slice(0, end - 1).join(''), atoms[end - 1] as string)
      }
  return [...texts.values()]
}
