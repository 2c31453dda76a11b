export { ConsentFields, consentErrors, noConsent, type TypedConsent, toConsentProof } from './consent-fields.tsx'
export { ConsentForm, type ConsentRecording } from './consent-form.tsx'
export { Consents } from './consents.tsx'
export { kindWords } from './labels.ts'
