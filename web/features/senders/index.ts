export { useMailServers, useSenders } from './queries.ts'
export { SenderDialog } from './sender-dialog.tsx'
export { fromLine, SenderState, senderName } from './sender-state.tsx'
export { ServerWords, TestDialog, TestSender } from './test-dialog.tsx'
