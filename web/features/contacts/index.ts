export { ImportForm } from './import-form.tsx'
export { ImportProgress } from './import-progress.tsx'
export { useContactFields, useContacts, useLists } from './queries.ts'
