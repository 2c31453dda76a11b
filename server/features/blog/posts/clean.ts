import { DomUtils, parseDocument } from 'htmlparser2'
import sanitize from 'sanitize-html'
import { sizeIn } from '#server/features/images/index.ts'
import { realLists } from './real-lists.ts'

/** What Quill writes, and what posts taken over from elsewhere need to stay readable. */
const TAGS = [
  ...['p', 'br', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'pre', 'code', 'hr', 'ol', 'ul', 'li'],
  ...['strong', 'b', 'em', 'i', 'u', 's', 'sub', 'sup', 'a', 'img', 'figure', 'figcaption'],
  ...['table', 'thead', 'tbody', 'tr', 'th', 'td'],
]
const PASTED = /^data:image\/(png|jpe?g|gif|webp);base64,[a-z0-9+/=\s]+$/i

/** An image of ours gets its size, so that the text does not jump when it comes; all of them load when they are near. */
function image(attributes: sanitize.Attributes): sanitize.Attributes {
  const size = sizeIn(attributes.src ?? '')
  const own = size && { width: String(size.width), height: String(size.height) }
  return { ...attributes, alt: attributes.alt ?? '', ...own, loading: 'lazy', decoding: 'async' }
}

/**
 * HTML of a post without anything that could act: an allow-list of tags and attributes, links to http, https, mailto,
 * tel and this site, images by http, https or as pasted data.
 */
export function cleanHtml(html: string): string {
  return sanitize(realLists(html), {
    allowedTags: TAGS,
    allowedAttributes: {
      a: ['href', 'target', 'rel', 'title'],
      img: ['src', 'alt', 'title', 'width', 'height', 'loading', 'decoding'],
      ol: ['start'],
      pre: ['tabindex'],
      table: ['tabindex'],
      th: ['colspan', 'rowspan'],
      td: ['colspan', 'rowspan'],
    },
    allowedClasses: { '*': [...indents, ...aligns] },
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowedSchemesByTag: { img: ['http', 'https', 'data'] },
    allowProtocolRelative: false,
    nonTextTags: ['style', 'script', 'textarea', 'option', 'noscript', 'template', 'iframe', 'object', 'svg', 'math'],
    transformTags: {
      a: (tagName, attribs) => ({
        tagName,
        attribs: { ...attribs, ...(attribs.target && { target: '_blank', rel: 'noopener noreferrer' }) },
      }),
      // What may be wider than the column scrolls, and the keyboard must be able to go there.
      pre: (tagName) => ({ tagName, attribs: { tabindex: '0' } }),
      table: (tagName) => ({ tagName, attribs: { tabindex: '0' } }),
      img: (tagName, attribs) => ({ tagName, attribs: image(attribs) }),
    },
    exclusiveFilter: ({ tag, attribs }) =>
      tag === 'img' && (!attribs.src || (/^data:/i.test(attribs.src) && !PASTED.test(attribs.src))),
  })
}

const indents = Array.from({ length: 8 }, (_, i) => `ql-indent-${i + 1}`)
const aligns = ['ql-align-center', 'ql-align-right', 'ql-align-justify']

/** The words of a post in reading order, blocks apart by a space; a heading ends like a sentence. */
export function extractText(html: string): string {
  const spaced = html
    .replace(/([\p{L}\p{N})])\s*(?=<\/h[1-6]>)/giu, '$1.')
    .replace(/<\/?(br|hr|p|h\d|li|ol|ul|blockquote|pre|td|th|figcaption)\b[^<>]*>/gi, ' $& ')
  return DomUtils.textContent(parseDocument(spaced)).replace(/\s+/g, ' ').trim()
}

const SUMMARY = 180

/** The beginning of a text, cut at a word. */
export function summarize(words: string): string {
  if (words.length <= SUMMARY) return words
  const cut = words.slice(0, SUMMARY)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), SUMMARY / 2))}…`
}

/** Minutes to read a text, at least one, at 230 words a minute. */
export const readingTime = (words: string) => Math.max(1, Math.round(words.split(' ').length / 230))

/** The images pasted into a text as data, each once. */
export function pastedImages(html: string): string[] {
  const images = DomUtils.getElementsByTagName('img', parseDocument(html))
  return [...new Set(images.map((image) => image.attribs.src ?? '').filter((src) => PASTED.test(src)))]
}
