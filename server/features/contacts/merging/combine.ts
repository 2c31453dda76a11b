/** What a merge makes of two contacts. Pure. */
import type { AttributeMap } from '../store.ts'
import type { Snapshot } from './merges-store.ts'

type Fields = Pick<Snapshot, 'email' | 'emailKey' | 'phone' | 'bsuid' | 'name' | 'attributes'>

/** A field in which the two differ. */
export interface Conflict {
  field: string
  kept: string
  dropped: string
}

const OWN = ['email', 'phone', 'bsuid', 'name'] as const

/** A custom field; it may be called constructor. */
const findValue = ({ attributes }: Fields, name: string) =>
  Object.hasOwn(attributes, name) ? attributes[name] : undefined

const isBlank = (value: unknown) => value === null || value === undefined || value === ''

/** The fields of the contact that stays: its own first, and those it lacks from the other. */
export function combine(kept: Fields, other: Fields): Fields {
  const own = isBlank(kept.email) ? other : kept
  const attributes: AttributeMap = { ...other.attributes }
  for (const [name, value] of Object.entries(kept.attributes)) if (!isBlank(value)) attributes[name] = value
  return {
    email: own.email,
    emailKey: own.emailKey,
    phone: isBlank(kept.phone) ? other.phone : kept.phone,
    bsuid: isBlank(kept.bsuid) ? other.bsuid : kept.bsuid,
    name: isBlank(kept.name) ? other.name : kept.name,
    attributes,
  }
}

/** What both say, and differently. */
export function findConflicts(kept: Fields, other: Fields): Conflict[] {
  const pairs: [string, unknown, unknown][] = [
    ...OWN.map((field): [string, unknown, unknown] => [field, kept[field], other[field]]),
    ...Object.keys(other.attributes).map((name): [string, unknown, unknown] => [
      `attributes.${name}`,
      findValue(kept, name),
      findValue(other, name),
    ]),
  ]
  return pairs.flatMap(([field, mine, theirs]) =>
    isBlank(mine) || isBlank(theirs) || String(mine) === String(theirs)
      ? []
      : [{ field, kept: String(mine), dropped: String(theirs) }],
  )
}

/**
 * The fields of the contact that stayed, once the other is there again: what it took from the other goes, unless it was
 * changed since.
 */
export function part(now: Fields, before: Fields, other: Fields): Fields {
  const back = <Key extends 'phone' | 'bsuid' | 'name'>(key: Key) =>
    isBlank(before[key]) && now[key] === other[key] ? before[key] : now[key]
  const hasTheirs = isBlank(before.email) && now.emailKey === other.emailKey
  const attributes = Object.fromEntries(
    Object.entries(now.attributes).flatMap(([name, value]) => {
      const isTheirs = isBlank(findValue(before, name)) && value === findValue(other, name)
      if (!isTheirs) return [[name, value]]
      return Object.hasOwn(before.attributes, name) ? [[name, before.attributes[name] ?? null]] : []
    }),
  )
  return {
    email: hasTheirs ? before.email : now.email,
    emailKey: hasTheirs ? before.emailKey : now.emailKey,
    phone: back('phone'),
    bsuid: back('bsuid'),
    name: back('name'),
    attributes,
  }
}
