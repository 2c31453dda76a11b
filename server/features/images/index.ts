/** Images people upload: re-encoded, stored once, served as long as something shows them. What other features may use. */

export { imageBytes, imageSizes, mountImages, sizeIn, storeImage } from './images.ts'
export { addToLibrary, mountLibrary } from './library.ts'
export { handleJobs } from './sweep.ts'
