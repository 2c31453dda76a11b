export { NewTemplate } from './new-template.tsx'
export { useTemplates } from './queries.ts'
export { TemplateThumbnail } from './thumbnail.tsx'
