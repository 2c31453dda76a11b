/** Reading what would have left, while a sandbox runs. */

export type { SandboxDns } from './dns.ts'
export { mountSandboxDns } from './dns.ts'
export type { Mailbox, OpenMail } from './mailbox.ts'
export type { WhatsAppPhone } from './phone/phone.ts'
export { mountPhone } from './phone/phone-routes.ts'
export type { ReplyMailboxes } from './replies.ts'
export { mountSandbox } from './routes.ts'
export { isInScope, type SandboxScope } from './scope.ts'
