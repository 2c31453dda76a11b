import { writtenHtml } from './email-html.ts'
import { pastedHtml } from './pasted.ts'

/** Longer than any email: what is pasted beyond it is not text somebody wrote for one. */
const PASTE_LIMIT = 100_000

/** The words of an element being written in place. */
export interface Writing {
  index: number
  element: HTMLElement
  /** Ends it; what was written is saved already. */
  stop: () => void
  insert: (text: string) => void
  run: (command: WritingCommand, value?: string) => void
  /** Gives the selected text a size in pixels. */
  resize: (pixels: number) => void
  /** Which of the commands hold where the cursor is. */
  isOn: (command: WritingCommand) => boolean
  /** Only a text has lists, headings and alignment; a button has one line. */
  isBlock: boolean
}

/** What the browser can do to the selected text. */
export type WritingCommand =
  | 'bold'
  | 'italic'
  | 'underline'
  | 'createLink'
  | 'unlink'
  | 'insertUnorderedList'
  | 'insertOrderedList'
  | 'formatBlock'
  | 'justifyLeft'
  | 'justifyCenter'
  | 'justifyRight'
  | 'foreColor'

/** Where the words stand inside what an element was made into. */
function findTextElement(made: HTMLElement, tag: string): HTMLElement | null {
  return tag === 'mj-text' ? made.querySelector<HTMLElement>(':scope > div') : made.querySelector<HTMLElement>('a, p')
}

/**
 * Lets the words of an element be written where they stand. `onWrite` hears every change; pasting takes the words with
 * bold, italic and links, and leaves the rest of other programs' dress behind. Returns nothing where there are no words.
 */
export function beginWriting(
  made: HTMLElement,
  index: number,
  tag: string,
  onWrite: (html: string) => void,
  onTooLong: () => void,
): Writing | undefined {
  const element = findTextElement(made, tag)
  if (!element) return undefined
  const page = element.ownerDocument
  let range: Range | undefined
  const remember = () => {
    const selection = page.getSelection()
    if (selection && selection.rangeCount > 0 && element.contains(selection.anchorNode)) range = selection.getRangeAt(0)
  }
  const backToRange = () => {
    element.focus()
    const selection = page.getSelection()
    if (range && selection) {
      selection.removeAllRanges()
      selection.addRange(range)
    }
  }
  let size = '16px'
  const tell = () => onWrite(writtenHtml(element, size))
  const paste = (event: ClipboardEvent) => {
    event.preventDefault()
    const text = event.clipboardData?.getData('text/plain') ?? ''
    const html = event.clipboardData?.getData('text/html') ?? ''
    if (text.length > PASTE_LIMIT) return onTooLong()
    const rich = html !== '' && tag === 'mj-text' ? pastedHtml(html) : ''
    if (rich.length > PASTE_LIMIT) onTooLong()
    else if (rich !== '') page.execCommand('insertHTML', false, rich)
    else page.execCommand('insertText', false, text)
  }
  element.contentEditable = 'true'
  element.style.outline = 'none'
  element.style.cursor = 'text'
  element.addEventListener('input', tell)
  element.addEventListener('paste', paste)
  page.addEventListener('selectionchange', remember)
  element.focus()
  page.getSelection()?.selectAllChildren(element)
  page.getSelection()?.collapseToEnd()
  return {
    index,
    element,
    stop() {
      element.removeEventListener('input', tell)
      element.removeEventListener('paste', paste)
      page.removeEventListener('selectionchange', remember)
      element.contentEditable = 'false'
    },
    insert(text) {
      backToRange()
      page.execCommand('insertText', false, text)
    },
    run(command, value) {
      backToRange()
      // Without CSS the browser writes b, i and u, which email programs know; colors become spans with hex.
      page.execCommand(
        'styleWithCSS',
        false,
        command === 'foreColor' || command.startsWith('justify') ? 'true' : 'false',
      )
      page.execCommand(command, false, value)
    },
    resize(pixels) {
      backToRange()
      size = `${pixels}px`
      page.execCommand('styleWithCSS', false, 'false')
      page.execCommand('fontSize', false, '7')
      for (const font of element.querySelectorAll<HTMLElement>('font[size="7"]')) {
        font.removeAttribute('size')
        font.style.fontSize = size
      }
      tell()
    },
    isOn(command) {
      return page.queryCommandState(command)
    },
    isBlock: tag === 'mj-text',
  }
}
