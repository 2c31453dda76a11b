export { useSenders } from './queries.ts'
export { SenderDialog } from './sender-dialog.tsx'
export { fromLine, SenderState, senderName } from './sender-state.tsx'
export { ServerWords, TestSender } from './test-dialog.tsx'
