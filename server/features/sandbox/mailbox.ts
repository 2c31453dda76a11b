import type { z } from 'zod'
import type { SandboxMail, sandbox } from '#contracts/sandbox/sandbox.ts'
import type { SandboxScope } from './scope.ts'

type ShownMail = z.output<typeof sandbox.get.response>

/** The parts of one mail. */
export type OpenMail = Omit<ShownMail, keyof SandboxMail | 'canReply'>

/** The mails a sandbox keeps: what the routes need of it. undefined: no such mail in this scope. */
export interface Mailbox {
  /** Newest first, below the id `before`; `q` in sender, recipients and subject. `total` without a search only. */
  list(given: {
    scope: SandboxScope
    limit: number
    before?: string | undefined
    q?: string | undefined
  }): Promise<{ items: SandboxMail[]; more: boolean; total?: number | undefined }>
  open(scope: SandboxScope, id: string): Promise<(SandboxMail & OpenMail) | undefined>
  source(scope: SandboxScope, id: string): Promise<Uint8Array | undefined>
  attachment(
    scope: SandboxScope,
    id: string,
    index: number,
  ): Promise<{ name: string; type: string; content: Uint8Array } | undefined>
  clear(scope: SandboxScope): Promise<void>
  /** Tells of new mail; in a flood not of each one. Returns the way to stop. */
  watch(scope: SandboxScope, listener: (mail: SandboxMail) => void): () => void
}
