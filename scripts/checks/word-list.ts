/**
 * Refuses words of the column "avoid" of docs/glossary.md, in texts, comments, names and paths. Prints each place with
 * the term to write instead, and exits with 1.
 */
import { globSync, readFileSync } from 'node:fs'
import { matchesGlob } from 'node:path'
import { ALLOWED_WORDS, type AllowedWord, SENSES } from './word-allowances.ts'

const GLOSSARY = 'docs/glossary.md'
const SEARCHED = [
  '{contracts,server,sandbox,web,e2e,scripts,migrations,bench,docs}/**/*.{ts,tsx,mjs,css,sql,md,mjml,html,py,toml}',
  '{package,biome,knip,tsconfig}.json',
  '{README,CHANGELOG,CONTRIBUTING,SECURITY}.md',
]
// These name the words on purpose; the two documents are fixed word for word.
const SKIPPED = new Set([
  GLOSSARY,
  'docs/specification.md',
  'docs/api-contract.md',
  'scripts/checks/word-list.ts',
  'scripts/checks/word-list.test.ts',
  'scripts/checks/word-allowances.ts',
])

/** An entry of the column "avoid" with the term to write instead. */
export interface AvoidedWord {
  word: string
  instead: string
  pattern: RegExp
}

/** A place of an avoided word. `text` is its line, or the path for a word of the path (line 1). */
export interface Finding {
  file: string
  line: number
  word: string
  instead: string
  text: string
}

// Between the words of a phrase: a change of case, a space, a hyphen, an underscore, or a line break in a comment.
const GAP = '(?:[ _-]|\\s*\\n\\s*(?:\\*|//|--|#|>)?\\s*)?'
const ENDING = "(?:s|es|ed|d|ing|'s|’s)?"

/** The pattern of an entry: a name as it is; other words in any case, as parts of names and with common endings. */
export function toPattern(word: string): RegExp {
  const isName = !word.includes(' ') && /[_.]|[a-z][A-Z]|^[A-Z]+$/.test(word)
  if (isName) return new RegExp(`(?<![A-Za-z0-9])${RegExp.escape(word)}(?![a-z0-9])`, 'g')
  // A hyphen is a part of the word: "e-mail", eMail, and not "email".
  const parts = word.split(/(?<=[a-z])(?=[A-Z])| |(?<=-)/)
  const mixed = parts
    .map((part, at) => {
      const [head = '', ...rest] = part.toLowerCase()
      const any = `[${head.toUpperCase()}${head}]${rest.join('').replace(/-$/, '')}`
      if (part.endsWith('-')) return `${any}(?:-|(?=[A-Z]))`
      return at < parts.length - 1 ? any + GAP : any
    })
    .join('')
  const upper = parts.map((part) => part.toUpperCase().replace('-', '[-_]')).join('[ _]')
  const head = word.charAt(0).toUpperCase()
  const start = `(?:(?<![A-Za-z])|(?<=[a-z])(?=${head}))`
  return new RegExp(`${start}${mixed}${ENDING}(?![a-z])|(?<![A-Za-z])${upper}S?(?![A-Za-z])`, 'g')
}

/** The entries of the glossary without a note in parentheses, and those with one that `senses` gives a pattern. */
export function readAvoided(glossary: string, senses: Record<string, RegExp> = SENSES): AvoidedWord[] {
  const rows = glossary.split('\n').filter((line) => /^\| (?!term |---)/.test(line))
  return rows.flatMap((row) => {
    const [instead = '', , avoid = ''] = row
      .slice(1)
      .split('|')
      .map((cell) => cell.trim())
    const entries = avoid.split(/,(?![^(]*\))/).map((entry) => entry.trim())
    return entries
      .filter((entry) => entry !== '')
      .flatMap((word) => {
        const pattern = word.endsWith(')') ? senses[word] : toPattern(word)
        return pattern ? [{ word, instead, pattern }] : []
      })
  })
}

/** The avoided words of a file's path and text, in the order of its lines. */
export function findWords(file: string, source: string, avoided: AvoidedWord[]): Finding[] {
  const found: Finding[] = []
  for (const { word, instead, pattern } of avoided) {
    for (const _ of file.matchAll(pattern)) found.push({ file, line: 1, word, instead, text: file })
    for (const { index } of source.matchAll(pattern)) {
      const line = source.slice(0, index).split('\n').length
      const text = source.slice(source.lastIndexOf('\n', index - 1) + 1).split('\n', 1)[0] ?? ''
      found.push({ file, line, word, instead, text: text.trim() })
    }
  }
  return found.sort((a, b) => a.line - b.line)
}

/** The findings that the allow-list does not cover. */
export function findRefused(findings: Finding[], allowed: AllowedWord[]): Finding[] {
  return findings.filter(
    ({ file, word, text }) =>
      !allowed.some(
        (entry) => entry.word === word && (entry.line?.test(text) ?? true) && matchesGlob(file, entry.path),
      ),
  )
}

if (import.meta.main) {
  const avoided = readAvoided(readFileSync(GLOSSARY, 'utf8'))
  const files = globSync(SEARCHED).filter((file) => !SKIPPED.has(file))
  const all = files.sort().flatMap((file) => findWords(file, readFileSync(file, 'utf8'), avoided))
  const findings = findRefused(all, ALLOWED_WORDS)
  for (const { file, line, word, instead, text } of findings)
    console.error(`${file}:${line} “${word.replace(/ \(.*/, '')}”: write ${instead}\n    ${text.slice(0, 140)}`)
  if (findings.length > 0) process.exitCode = 1
}
