/** The words of a name in lower case. */
const words = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu)
    ?.join(' ') ?? ''

/**
 * Whether `text` is `name` as one can type it: case, spaces, punctuation and emoji do not count, because keyboards lack many of
 * them and a page shows two spaces as one. A name of punctuation or emoji alone has to be the same.
 */
export const isTypedName = (text: string, name: string): boolean =>
  words(name) === '' ? text.trim() === name.trim() : words(text) === words(name)
