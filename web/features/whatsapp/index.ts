export { ConsentForm } from './consent-form.tsx'
export { Consents } from './consents.tsx'
export { ListConsent } from './list-consent.tsx'
export { MessageText } from './message-text.tsx'
