const MAX_NAME = 40

/** How an email of the product begins: "Hi Ada," by the first word of a name, "Hi," without one. */
export function greet(name: string): string {
  const [first = ''] = name.trim().split(/\s+/)
  return first ? `Hi ${[...first].slice(0, MAX_NAME).join('')},` : 'Hi,'
}
