/** Images people upload: re-encoded, stored once, served as long as something shows them. What other features may use. */

export { imageBytes, imageSizes, sizeIn, storeImage } from './images.ts'
export { handleJobs } from './jobs.ts'
export { addToLibrary } from './library.ts'
export { mountImages } from './routes.ts'
