export { MailFrame } from './mail-frame.tsx'
export { useTemplates } from './queries.ts'
export { NewTemplate } from './starters/new-template.tsx'
export { EmailThumbnail, TemplateThumbnail } from './starters/thumbnail.tsx'
