import type { Problem } from '#server/engine/index.ts'

interface Source {
  html?: string | null
  mjml?: string | null
}

const ELEMENT = /<(mj-image|img|mj-button|mj-social-element|mj-navbar-link|a)\b([^<>]*)>([^<]{0,60})/gi
/** An address that says nothing: empty, or a scheme alone, as a new button has it. */
const BARE = /^(?:https?:\/*)?$/i
/** What the engine says of the same addresses, up to twice for each. */
const SAID_OF_IMAGE = /^An image has no URL/
const SAID_OF_EMPTY_LINK = /^A link has no URL/
const SAID_OF_LINK = /^The (?:link|address) https?:\/* (?:cannot|is not|has no)/i

const MAX_FINDINGS = 60

const readAttribute = (attributes: string, name: string): string | undefined => {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(` ${attributes}`)
  return found ? (found[1] ?? found[2] ?? found[3] ?? '') : undefined
}

/** The source without the head of MJML: it has defaults of elements, which have no addresses. Its length stays, so that lines do. */
function blankHead(source: string): string {
  const begin = source.search(/<mj-head\b/i)
  const length = begin < 0 ? -1 : source.slice(begin).search(/<\/mj-head>/i)
  if (length < 0) return source
  const end = begin + length
  return source.slice(0, begin) + source.slice(begin, end).replace(/[^\n]/g, ' ') + source.slice(end)
}

function linkFinding(tag: string, label: string, href: string | undefined): Pick<Problem, 'message' | 'severity'>[] {
  const what = tag === 'mj-button' ? 'button' : tag === 'mj-social-element' ? 'social link' : 'link'
  const name = label === '' ? `A ${what}` : `The ${what} “${label}”`
  if (href === undefined) return tag === 'mj-button' ? [{ severity: 'warning', message: `${name} has no link.` }] : []
  return BARE.test(href.trim()) ? [{ severity: 'error', message: `${name} has no address. Add a link.` }] : []
}

/**
 * One finding for each image and each link without an address, which stops sending, in place of the several the engine has
 * for the same cause.
 */
export function mergeMissingAddresses(problems: Problem[], { html, mjml }: Source): Problem[] {
  const part = mjml?.trim() ? 'mjml' : 'html'
  const source = blankHead((part === 'mjml' ? mjml : html) ?? '')
  const images: Problem[] = []
  const links: Problem[] = []
  let hasImageToDescribe = false
  let hasAnchor = false
  let line = 1
  let counted = 0
  for (const { index, 1: tag = '', 2: attributes = '', 3: text = '' } of source.matchAll(ELEMENT)) {
    if (images.length + links.length >= MAX_FINDINGS) break
    for (; counted < index; counted++) if (source[counted] === '\n') line++
    const name = tag.toLowerCase()
    if (name === 'mj-image' || name === 'img') {
      if (BARE.test((readAttribute(attributes, 'src') ?? '').trim()))
        images.push({
          ...{ code: 'image', part, line, severity: 'error' },
          message: 'An image block has no image. Choose an image or delete the block.',
        })
      else if (readAttribute(attributes, 'alt') === undefined) hasImageToDescribe = true
      continue
    }
    const href = readAttribute(attributes, 'href')
    // A link to nowhere is left to the engine.
    if (href?.trim() === '#') hasAnchor = true
    for (const finding of linkFinding(name, text.replace(/\s+/g, ' ').trim(), href))
      links.push({ code: 'link', part, line, ...finding })
  }
  const others = problems.filter(
    ({ code, message }) =>
      !(code === 'image' && images.length > 0 && SAID_OF_IMAGE.test(message)) &&
      !(code === 'image_alt' && images.length > 0 && !hasImageToDescribe) &&
      !(code === 'link' && links.length > 0 && SAID_OF_LINK.test(message)) &&
      !(code === 'link' && links.length > 0 && !hasAnchor && SAID_OF_EMPTY_LINK.test(message)),
  )
  return [...others, ...images, ...links]
}
