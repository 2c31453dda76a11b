export { ImportForm } from './import-form.tsx'
export { ImportProgress } from './import-progress.tsx'
export { isNewList, ListChoice, type ListTarget, listTargetError } from './list-choice.tsx'
export { useContactFields, useContacts, useLists } from './queries.ts'
