export { ConsentForm } from './consent-form.tsx'
export { Consents } from './consents.tsx'
export { MessageText } from './message-text.tsx'
