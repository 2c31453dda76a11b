import type { z } from 'zod'
import type {
  Deed,
  SandboxChat,
  SandboxChatMessage,
  SandboxFileKind,
  SandboxNumber,
  SandboxTemplate,
  sandboxWhatsApp,
} from '#contracts/sandbox/whatsapp.ts'
import type { SandboxScope } from '../scope.ts'

/** What a new number of the emulator is like. */
export type NewSandboxNumber = z.infer<typeof sandboxWhatsApp.addNumber.body>
type Magic = z.infer<typeof sandboxWhatsApp.numbers.response>['magic']

/** The other end of WhatsApp in the sandbox: what people received, and what they do. Nothing outside of `scope` is found. */
export interface WhatsAppPhone {
  numbers(scope: SandboxScope): Promise<{ items: z.infer<typeof SandboxNumber>[]; magic: Magic }>
  /** `tier` is Meta's word for its messaging limit. */
  addNumber(workspaceId: string, given: NewSandboxNumber): Promise<z.infer<typeof SandboxNumber>>
  /** Newest first. */
  chats(
    scope: SandboxScope,
    limit: number,
    skip: number,
  ): Promise<{ items: z.infer<typeof SandboxChat>[]; total: number }>
  /** Oldest first; undefined: nothing was ever said between them. */
  messages(
    scope: SandboxScope,
    number: string,
    person: string,
  ): Promise<z.infer<typeof SandboxChatMessage>[] | undefined>
  /** false: no such number, or nothing there to tap. */
  say(scope: SandboxScope, number: string, person: string, deed: Deed): Promise<boolean>
  /** Returns how many templates it was. */
  review(scope: SandboxScope, given: z.infer<typeof sandboxWhatsApp.review.body> & { name: string }): Promise<number>
  /** The templates of each business, those of the newest first; `byHand`: new ones wait for a decision. */
  templates(scope: SandboxScope): Promise<{ items: z.infer<typeof SandboxTemplate>[]; byHand: boolean }>
  reviewByHand(scope: SandboxScope, byHand: boolean): Promise<void>
  /** false: no such number. `data` is base64. */
  sendFile(
    scope: SandboxScope,
    given: {
      number: string
      person: string
      kind: z.infer<typeof SandboxFileKind>
      mimeType: string
      name: string
      caption: string
      data: string
    },
  ): Promise<boolean>
  /** A file of a chat, base64; undefined where the emulator no longer has it. */
  media(scope: SandboxScope, id: string): Promise<{ mimeType: string; data: string } | undefined>
  /** Returns how many templates it was. */
  quality(scope: SandboxScope, given: { name: string; quality: string }): Promise<number>
  /** Webhooks for `publicUrl` are brought to `address`. */
  reach(publicUrl: string, address: string): Promise<void>
}
