/** Templates: what mail looks like. Also the bounded way to compile what people wrote. */
export { buildDefaultConfirmation } from './dress.ts'
export { findBrand } from './email-parts-store.ts'
export { mergeMissingAddresses } from './missing-addresses.ts'
export {
  checkDraftBounded,
  compileBounded,
  messageBounded,
  renderLinkBounded,
  renderMarkedBounded,
  renderPageBounded,
  testMessageBounded,
  warmRenderer,
} from './rendering/renderer.ts'
export { mountTemplates } from './routes.ts'
export { findSampleTexts, sampleTextMessage } from './sample-text.ts'
export { addSampleTemplate, removeSampleTemplates } from './samples-store.ts'
export { findTemplates, templateById } from './store.ts'
export { addTemplatePart } from './template-parts.ts'
export { isMjml } from './upload/upload.ts'
