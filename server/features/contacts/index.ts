/** Contacts: people, their lists, suppressions, imports and exports. What other features and the start may use. */
import { addTemplatePart } from '#server/features/templates/index.ts'
import { forgetConfirmationTemplate } from './lists/lists.ts'

export { normalizeEmail } from './address.ts'
export { startContactJob } from './bulk/bulk.ts'
export { addMembers, removeMembers, setFields } from './bulk/bulk-changes.ts'
export { type AddedCounts, addFound, holdAgain } from './collected.ts'
export { askToJoin, CONFIRM_WORDING } from './confirmations/asking.ts'
export type { Visitor } from './confirmations/confirmations-store.ts'
export { readVisitor } from './confirmations/visitor.ts'
export { listContacts } from './contact-list.ts'
export { addContactPart } from './contact-parts.ts'
export { showContact } from './contacts.ts'
export { anySpelling, type ErasedAddresses, without } from './erasure/erased.ts'
export { eraseContact } from './erasure/erasure.ts'
export { readAttributes } from './fields/fields.ts'
export { fieldNames } from './fields/fields-store.ts'
export { takeImport } from './imports/imports.ts'
export { handleJobs, queueClearing } from './jobs.ts'
export { createList, createListWith, removeList, requireLists } from './lists/lists.ts'
export { readSearch } from './matching.ts'
export { hasOrigins } from './origins-store.ts'
export {
  chooseLanguage,
  fillHtml,
  fillText,
  findTexts,
  formatDay,
} from './preferences/languages/languages.ts'
export type { PageTexts } from './preferences/languages/texts.ts'
export {
  changePreferences,
  findLinkedContact,
  holdLinkedContact,
  type Preferences,
  type PreferenceTarget,
  showPreferences,
} from './preferences/preferences.ts'
export { insertChanges } from './preferences/preferences-store.ts'
export { askByEmail, findRemoved, findRequest, type PreferenceRequest } from './preferences/requests.ts'
export { deleteSomeContacts, deleteSomeImportErrors, stopImports } from './removal-store.ts'
export { mountContacts } from './routes.ts'
export {
  addSampleContacts,
  isSampleContact,
  removeSampleContacts,
  suppressSamples,
} from './samples-store.ts'
export {
  compileSegments,
  contactStanding,
  isListInSegments,
  listStanding,
} from './segments/audience.ts'
export { matchContacts } from './segments/match.ts'
export { findMissing } from './segments/references.ts'
export { type ContactRange, isAmong, isContactAmong, isWithin } from './segments/sets.ts'
export { withinTime } from './segments/within-time.ts'
export { addToLists, insertContact, learnBsuid, updateContact } from './store.ts'
export { emailKeys, isDomainSuppressed, ownFirst, toDomainKey } from './suppressions/email-keys.ts'
export { ownerHash, restoreSuppressions, retainHashed } from './suppressions/retained-suppressions.ts'
export {
  leaveCampaignLists,
  liftUnsubscribes,
  suppress,
  suppressBounced,
  unsubscribe,
} from './suppressions/suppressions-store.ts'
export { requireTags } from './tags/tags.ts'
export { tagContacts, untagContacts } from './tags/tags-store.ts'
export { exportContact } from './timeline/contact-export.ts'

// Every process that serves requests or handles jobs loads this feature.
addTemplatePart('contacts', { forget: forgetConfirmationTemplate })
