export { describeEnrollment } from './bulk/labels.ts'
export { useConsentRecording, useJobFollowing } from './bulk/queries.ts'
export { attributePath } from './fields/labels.ts'
export { ImportForm } from './imports/import-form.tsx'
export { ImportProgress } from './imports/import-progress.tsx'
export { RowsForm } from './imports/rows-form.tsx'
export { isNewList, ListChoice, type ListTarget, listTargetError } from './lists/list-choice.tsx'
export { ListDialog } from './lists/list-dialog.tsx'
export {
  type ContactProfile,
  useContact,
  useContactFields,
  useContacts,
  useFindField,
  useLists,
  useMergeFields,
  useTags,
} from './queries.ts'
export { describeFilter } from './segments/describe.ts'
export { FilterFields, MatchingCount } from './segments/filter-fields.tsx'
export { useSegments } from './segments/queries.ts'
export { TagDialog } from './tags/tag-dialog.tsx'
