import Quill from 'quill'

type Sanitizer = { sanitize(url: string): string }
type Blot = (new (...given: never[]) => object) & Sanitizer & { create(value: unknown): HTMLElement }
const BaseLink = Quill.import('formats/link') as Blot
const BaseImage = Quill.import('formats/image') as Blot
const Embed = Quill.import('blots/embed') as Blot

const LINKS = ['http:', 'https:', 'mailto:', 'tel:']
const IMAGE_SCHEMES = ['http:', 'https:', 'data:']

/** An address as the browser would follow it from here, if its scheme is one of those; else undefined. */
function allowed(address: string, schemes: string[]): string | undefined {
  try {
    const url = new URL(address, location.origin)
    return schemes.includes(url.protocol) ? url.href : undefined
  } catch {
    return undefined
  }
}

/** Whether an address may be a link: http, https, mailto, tel. */
export const isLinkAllowed = (address: string) => allowed(address, LINKS) !== undefined

class SafeLink extends BaseLink {
  static override sanitize = (address: string) => (isLinkAllowed(address) ? address : 'about:blank')
}

/** An image: addresses of this site become whole ones, and one that is not http, https or data is blanked. */
class SafeImage extends BaseImage {
  static override sanitize = (address: string) => allowed(address, IMAGE_SCHEMES) ?? ''
}

export const UPLOADING = 'Uploading image...'

/** Stands where an image will be while it is on its way. `value` is the upload's number. */
class Uploading extends Embed {
  static blotName = 'uploading'
  static tagName = 'span'
  static className = 'ql-uploading'
  static override create(value: unknown): HTMLElement {
    // biome-ignore lint/complexity/noThisInStatic: the base makes the element of the class it is called on
    const node = super.create(value)
    node.dataset.upload = String(value)
    node.textContent = UPLOADING
    return node
  }
  static value(node: HTMLElement): string {
    return node.dataset.upload ?? ''
  }
}

Quill.register({ 'formats/link': SafeLink, 'formats/image': SafeImage, 'formats/uploading': Uploading }, true)

/** What a post may hold in the editor: the toolbar's formats, and those of posts taken over from elsewhere. */
const FORMATS = [
  ...['header', 'bold', 'italic', 'underline', 'strike', 'list', 'link', 'image', 'uploading'],
  ...['indent', 'align', 'blockquote', 'code', 'code-block', 'script', 'table'],
]
const IMAGES = ['png', 'jpeg', 'webp', 'gif', 'svg+xml', 'avif', 'bmp', 'tiff', 'heic'].map((type) => `image/${type}`)

interface EditorWishes {
  label: string
  placeholder?: string
  /** Images that were pasted or dropped. */
  onImages: (files: File[], at: number) => void
  onLink: () => void
}

/** Quill without a theme on an element of ours: the toolbar is React's. */
export function createQuill(host: HTMLElement, { label, placeholder = '', onImages, onLink }: EditorWishes): Quill {
  const quill = new Quill(host, {
    formats: FORMATS,
    placeholder,
    modules: {
      table: true,
      history: { userOnly: true },
      uploader: {
        mimetypes: IMAGES,
        handler: (range: { index: number }, files: File[]) => onImages(files, range.index),
      },
      keyboard: {
        bindings: {
          // Tab leaves the editor, as it leaves every field; in a list it goes deeper.
          tab: null,
          'table tab': null,
          postlarkLink: { key: 'k', shortKey: true, handler: () => onLink() },
        },
      },
    },
  })
  quill.root.setAttribute('role', 'textbox')
  quill.root.setAttribute('aria-multiline', 'true')
  quill.root.setAttribute('aria-label', label)
  return quill
}

/** Puts HTML into the editor, unheard by the listeners for changes. */
export function loadHtml(quill: Quill, html: string): void {
  // Quill's tables have cells and no headings: a heading it does not know would run into the next one.
  const cells = html.replace(/<(\/?)th\b/gi, '<$1td')
  quill.setContents(quill.clipboard.convert({ html: cells }), 'silent')
  quill.history.clear()
}

/** The HTML of the editor as it is saved: without what is on its way, images of this site by their path, code as <pre>. */
export function toSavedHtml(quill: Quill): string {
  const copy = quill.root.cloneNode(true) as HTMLElement
  for (const node of copy.querySelectorAll('.ql-uploading, .ql-ui')) node.remove()
  for (const image of copy.querySelectorAll('img')) {
    const source = image.getAttribute('src') ?? ''
    if (source.startsWith(`${location.origin}/media/`)) image.setAttribute('src', source.slice(location.origin.length))
  }
  for (const block of copy.querySelectorAll('.ql-code-block-container')) {
    const pre = document.createElement('pre')
    pre.textContent = [...block.querySelectorAll('.ql-code-block')].map((line) => line.textContent).join('\n')
    block.replaceWith(pre)
  }
  const html = copy.innerHTML
  return copy.textContent?.trim() || copy.querySelector('img') ? html : ''
}
