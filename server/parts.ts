/**
 * What features add to one that cannot call them, because they call it: the one that asks says which features have a part,
 * and in which order they are asked; each adds its part in its index.ts, when it is loaded.
 */
export interface Parts<Name extends string, Part> {
  add(name: Name, part: Part): void
  /** In the order of the names. Throws where one was not loaded: nothing is done by halves. */
  all(): Part[]
}

export function createParts<Name extends string, Part>(what: string, names: readonly Name[]): Parts<Name, Part> {
  const parts = new Map<Name, Part>()
  return {
    add: (name, part) => void parts.set(name, part),
    all: () =>
      names.map((name) => {
        const part = parts.get(name)
        if (!part) throw new Error(`features/${name} was not loaded: its part of ${what} is missing`)
        return part
      }),
  }
}
