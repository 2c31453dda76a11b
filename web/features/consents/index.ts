export { ConsentFields, consentErrors, noConsent, type TypedConsent, toConsentProof } from './consent-fields.tsx'
export { Consents } from './consents.tsx'
export { kindWords } from './labels.ts'
export { ListConsent } from './list-consent.tsx'
