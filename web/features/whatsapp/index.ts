export { ChatFile } from './inbox/chat-file.tsx'
export { MessageText } from './inbox/message-text.tsx'
export { useBottom } from './inbox/use-bottom.ts'
export {
  categoryInWords,
  languageInWords,
  limitInWords,
  limitUseInWords,
  reasonInWords,
  rejectionReasons,
  templateQuality,
  templateState,
} from './labels.ts'
export { NeedsNumber } from './numbers/needs-number.tsx'
export { useNumbers } from './numbers/queries.ts'
export { didItWork, dollars, knownCost, monthInWords } from './reports/labels.ts'
export { OverTime } from './reports/over-time.tsx'
export { useCampaignStats } from './reports/queries.ts'
export { Failures } from './reports/tables.tsx'
export { PhonePreview } from './templates/phone-preview.tsx'
export { useWhatsAppTemplates } from './templates/queries.ts'
export { variableLabel } from './templates/template-values.tsx'
