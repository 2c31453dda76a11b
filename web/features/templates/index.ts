export { MailFrame } from './mail-frame.tsx'
export { NewTemplate } from './new-template.tsx'
export { useRendered, useTemplates } from './queries.ts'
export { TemplateThumbnail } from './thumbnail.tsx'
