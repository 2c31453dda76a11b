import { createContext, use } from 'react'
import type { ResponseBody } from '#contracts/endpoint.ts'
import { templates } from '#contracts/templates/templates.ts'
import { api, publicApi } from '#web/api.ts'

/** What is being written, and for whom it is rendered. */
export interface DraftSource {
  subject: string
  html: string
  mjml: string
  text?: string
  contactId?: string
  listId?: string
  nth?: number
}

interface EditorBackend {
  /** Without an account: nothing is stored on the server, and there are no contacts, images, blocks and brand. */
  isDemo: boolean
  canvas: (mjml: string) => Promise<ResponseBody<typeof templates.canvas>>
  preview: (source: DraftSource) => Promise<ResponseBody<typeof templates.draftPreview>>
}

const own: EditorBackend = {
  isDemo: false,
  canvas: (mjml) => api(templates.canvas, { body: { mjml } }),
  preview: (source) => api(templates.draftPreview, { body: source }),
}

const demo: EditorBackend = {
  isDemo: true,
  canvas: (mjml) => publicApi(templates.demoCanvas, { body: { mjml } }),
  preview: ({ subject, html, mjml, text = '' }) =>
    publicApi(templates.demoPreview, { body: { subject, html, mjml, text } }),
}

const BackendContext = createContext(own)

/** What the editor asks of the server: as the signed-in user, or as a visitor in the demo. */
export const useEditorBackend = (): EditorBackend => use(BackendContext)

/** The editor below it works without an account. */
export function DemoBackend({ children }: { children: React.ReactNode }) {
  return <BackendContext value={demo}>{children}</BackendContext>
}
