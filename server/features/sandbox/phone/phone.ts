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

type Magic = z.infer<typeof sandboxWhatsApp.numbers.response>['magic']

/** The other end of WhatsApp in the sandbox: what people received, and what they do. */
export interface WhatsAppPhone {
  numbers(): Promise<{ items: z.infer<typeof SandboxNumber>[]; magic: Magic }>
  /** `tier` is Meta's word for its messaging limit. */
  addNumber(given: z.infer<typeof sandboxWhatsApp.addNumber.body>): Promise<z.infer<typeof SandboxNumber>>
  /** Newest first. */
  chats(limit: number, skip: number): Promise<{ items: z.infer<typeof SandboxChat>[]; total: number }>
  /** Oldest first; undefined: nothing was ever said between them. */
  messages(number: string, person: string): Promise<z.infer<typeof SandboxChatMessage>[] | undefined>
  /** false: no such number, or nothing there to tap. */
  say(number: string, person: string, deed: Deed): Promise<boolean>
  /** Returns how many templates it was. */
  review(given: z.infer<typeof sandboxWhatsApp.review.body> & { name: string }): Promise<number>
  /** Every business's templates, those of the newest first; `byHand`: new ones wait for a decision. */
  templates(): Promise<{ items: z.infer<typeof SandboxTemplate>[]; byHand: boolean }>
  reviewByHand(byHand: boolean): Promise<void>
  /** false: no such number. `data` is base64. */
  sendFile(given: {
    number: string
    person: string
    kind: z.infer<typeof SandboxFileKind>
    mimeType: string
    name: string
    caption: string
    data: string
  }): Promise<boolean>
  /** A file of a chat, base64; undefined where the emulator no longer has it. */
  media(id: string): Promise<{ mimeType: string; data: string } | undefined>
  /** Returns how many templates it was. */
  quality(given: { name: string; quality: string }): Promise<number>
  /** Webhooks for `publicUrl` are brought to `address`. */
  reach(publicUrl: string, address: string): Promise<void>
}
