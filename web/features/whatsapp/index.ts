export { ChatFile } from './chat-file.tsx'
export { ConsentFields, consentErrors, noConsent, proofOf, type TypedConsent } from './consent-fields.tsx'
export { ConsentForm } from './consent-form.tsx'
export { Consents } from './consents.tsx'
export { ListConsent } from './list-consent.tsx'
export { MessageText } from './message-text.tsx'
export { PhonePreview } from './phone-preview.tsx'
export { useBottom } from './use-bottom.ts'
export {
  categoryInWords,
  languageInWords,
  reasonInWords,
  rejectionReasons,
  templateQuality,
  templateState,
} from './words.ts'
