export { MailFrame } from './mail-frame.tsx'
export { NewTemplate } from './starters/new-template.tsx'
export { EmailThumbnail, TemplateThumbnail } from './starters/thumbnail.tsx'
