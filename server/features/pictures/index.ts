/** Pictures people upload: re-encoded, stored once, served as long as something shows them. What other features may use. */
export { addToLibrary, mountLibrary } from './library.ts'
export { keepPicture, mountPictures, pictureBytes, pictureSizes, sizeIn } from './pictures.ts'
export { startSweeping } from './sweep.ts'
