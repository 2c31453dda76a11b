/** Reading the mail that would have left, while a sandbox runs. */
export type { Mailbox, OpenMail } from './mailbox.ts'
export { mountSandbox } from './routes.ts'
