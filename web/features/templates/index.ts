export { attributePath } from './field-menu.tsx'
export { useTemplates } from './queries.ts'
export { NewTemplate } from './starters/new-template.tsx'
export { TemplateThumbnail } from './starters/thumbnail.tsx'
