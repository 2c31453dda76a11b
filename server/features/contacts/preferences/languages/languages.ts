import { escapeUTF8 } from 'entities'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { nl } from './nl.ts'
import { pl } from './pl.ts'
import { pt } from './pt.ts'
import type { PageTexts } from './texts.ts'

const LANGUAGES = { en, de, fr, es, it, pt, pl, nl }
type Language = keyof typeof LANGUAGES

/** Of a longer header the rest is not looked at. */
const MAX_HEADER = 500

const isLanguage = (tag: string): tag is Language => Object.hasOwn(LANGUAGES, tag)

/** The language of a tag such as `de-AT`; undefined for one without texts. */
function toLanguage(tag: string): Language | undefined {
  const [language = ''] = tag.trim().toLowerCase().split(/[-_]/)
  return isLanguage(language) ? language : undefined
}

/**
 * The language a person reads: that of their contact where the workspace stored one, else the first of the header
 * Accept-Language (RFC 9110 12.5.4) that there are texts in, else English.
 */
export function chooseLanguage(locale: string | null, header: string | undefined): Language {
  const stored = locale === null ? undefined : toLanguage(locale.slice(0, MAX_HEADER))
  if (stored) return stored
  const wanted = (header ?? '')
    .slice(0, MAX_HEADER)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';')
      const quality = parameters.map((parameter) => /^\s*q\s*=\s*([\d.]+)\s*$/i.exec(parameter)?.[1]).find(Boolean)
      return { language: toLanguage(tag), quality: quality === undefined ? 1 : Number(quality) }
    })
    .filter(({ language, quality }) => language && quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
  return wanted[0]?.language ?? 'en'
}

/** The texts of a language; of one without texts in English. */
export const findTexts = (language: string): PageTexts => (isLanguage(language) ? LANGUAGES[language] : en)

/** A text with its words in braces filled in, in one pass: what is filled in is not looked at again. */
export const fillText = (text: string, values: Record<string, string>): string =>
  text.replace(/\{(\w+)\}/g, (word, name: string) => (Object.hasOwn(values, name) ? (values[name] as string) : word))

/** A text as HTML with its words in braces filled in; `values` are HTML. */
export const fillHtml = (text: string, values: Record<string, string> = {}): string =>
  fillText(escapeUTF8(text), values)

/** A day in words of a language; in English as everywhere in Postlark, day first. */
export const formatDay = (language: string, at: Date): string =>
  new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, { dateStyle: 'long', timeZone: 'UTC' }).format(at)
