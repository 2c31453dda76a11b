/** Pictures people upload: re-encoded, kept once, served for ever. What other features may use. */
export { keepPicture, mountPictures, pictureSizes, sizeIn } from './pictures.ts'
