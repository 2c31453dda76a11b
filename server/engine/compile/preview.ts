/** A draft as one person would read it, before anything is sent. */

import type { LiquidProblem } from '../liquid/liquid.ts'
import { findProblemCode } from '../liquid/liquid-fault.ts'
import type { Draft, Preview, Problem, Recipient } from '../types.ts'
import { buildContent } from './compile.ts'
import { completeDocument, inlineCss, mjmlToHtml } from './document.ts'
import { guard } from './guard.ts'
import { renderContent } from './splice.ts'

/** Renders a draft without tracking. Never throws for what the author wrote: it says what is wrong and shows what it can. */
export async function renderPreview(draft: Draft, recipient: Recipient): Promise<Preview> {
  const { content, problems } = await buildContent({ ...draft, trackOpens: false, trackClicks: false })
  if (!content) return { subject: draft.subject, html: '', text: '', problems }
  const base = draft.publicUrl.replace(/(?<!\/)\/+$/, '')
  try {
    const confirmation = { url: `${base}/c/preview`, lists: 'Newsletter', messageId: 'preview' }
    const shown = { confirmation, ...recipient }
    const urls = { unsubscribe: `${base}/u/preview`, preferences: `${base}/p/preview`, view: `${base}/v/preview` }
    const rendered = renderContent(content, shown, urls)
    return { ...rendered, problems }
  } catch (error) {
    const { code, line, message } = error as LiquidProblem
    return {
      subject: draft.subject,
      html: '',
      text: '',
      problems: [...problems, { code, part: 'html', line, message, severity: 'error' }],
    }
  }
}

/**
 * MJML as HTML with its Liquid left in: to be worked on, or with its CSS `inlined` to be saved as a file. `html` is empty when
 * it cannot be made.
 */
export async function renderCanvas(mjml: string, inlined: boolean): Promise<{ html: string; problems: Problem[] }> {
  const problems: Problem[] = []
  try {
    const guarded = guard(mjml)
    const html = await mjmlToHtml(guarded, problems)
    if (html === null) return { html: '', problems }
    const document = completeDocument(html)
    return { html: guarded.restore(inlined ? await inlineCss(guarded, document, problems) : document), problems }
  } catch (error) {
    const { line, message } = error as LiquidProblem
    problems.push({ code: findProblemCode(error), part: 'mjml', line: line ?? null, message, severity: 'error' })
    return { html: '', problems }
  }
}
