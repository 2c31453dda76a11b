const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** A few lines as the HTML of an email: an empty line begins a paragraph. Liquid stays as it is written. */
export function toHtml(text: string): string {
  const paragraphs = text.split(/\n\s*\n/).filter((part) => part.trim() !== '')
  return paragraphs
    .map(
      (part) =>
        `<p>${part
          .trim()
          .replace(/[&<>]/g, (one) => escapes[one] ?? one)
          .replaceAll('\n', '<br>')}</p>`,
    )
    .join('\n')
}

/** The lines such HTML was made of; undefined of any other HTML, which lines would take something from. */
export function toShortText(html: string): string | undefined {
  const paragraphs = html === '' ? [] : html.split('\n').map((line) => /^<p>(.*)<\/p>$/.exec(line)?.[1])
  if (paragraphs.some((part) => part === undefined || /<(?!br>)/.test(part))) return undefined
  const plain = paragraphs.map((part = '') =>
    part.replaceAll('<br>', '\n').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
  )
  return plain.join('\n\n')
}

/** Whether a follow-up would send nothing: it has neither a template nor a text. */
export const isEmptyFollowUp = ({ templateId, html }: { templateId?: string | null; html?: string }): boolean =>
  !templateId && (html ?? '').replace(/<[^>]*>|&nbsp;/g, '').trim() === ''
