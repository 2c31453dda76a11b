/** Templates: what mail looks like. Also the bounded way to compile what people wrote. */
export { mergeMissingAddresses } from './missing-addresses.ts'
export {
  checkDraftBounded,
  compileBounded,
  renderLinkBounded,
  renderMarkedBounded,
  renderPageBounded,
  testMessageBounded,
} from './rendering/renderer.ts'
export { mountTemplates } from './routes.ts'
export { findSampleTexts, sampleTextMessage } from './sample-text.ts'
export { addSampleTemplate, removeSampleTemplates } from './samples-store.ts'
export { findTemplates } from './store.ts'
export { addTemplatePart } from './template-parts.ts'
export { isMjml } from './upload/upload.ts'
