/** The LIKE pattern of what holds a text, in lower case; LIKE's own signs in it are ordinary ones. */
export function holding(text: string): string {
  return `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
}

/** The LIKE pattern of what begins with a text, in lower case; LIKE's own signs in it are ordinary ones. */
export function startingWith(text: string): string {
  return holding(text).slice(1)
}
