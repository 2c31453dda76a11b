/** A stored destination as its author wrote it: without the encoding that was added to its fields. */
export const asWritten = (url: string) => url.replace(/(?<!\s)\s*\|\s*postlark_\w+/g, '')
