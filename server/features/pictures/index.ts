/** Pictures people upload: re-encoded, kept once, served for ever. What other features may use. */
export { addToLibrary, mountLibrary } from './library.ts'
export { keepPicture, mountPictures, pictureBytes, pictureSizes, sizeIn } from './pictures.ts'
