/** A draft as one person would read it, before anything is sent. */
import { buildContent } from './compile.ts'
import type { LiquidProblem } from './liquid.ts'
import { renderContent } from './splice.ts'
import type { Draft, Preview, Recipient } from './types.ts'

/** Renders a draft without tracking. Never throws for what the author wrote: it says what is wrong and shows what it can. */
export async function renderPreview(draft: Draft, recipient: Recipient): Promise<Preview> {
  const { content, problems } = await buildContent({ ...draft, trackOpens: false, trackClicks: false })
  if (!content) return { subject: draft.subject, html: '', text: '', problems }
  const base = draft.publicUrl.replace(/\/+$/, '')
  try {
    const rendered = renderContent(content, recipient, { unsubscribe: `${base}/u/preview`, view: `${base}/v/preview` })
    return { ...rendered, problems }
  } catch (error) {
    const { line, message } = error as LiquidProblem
    return {
      subject: draft.subject,
      html: '',
      text: '',
      problems: [...problems, { part: 'html', line, message, severity: 'error' }],
    }
  }
}
