import { RESERVED_SLUGS } from '#contracts/blog/blog.ts'

/** A title as a part of an address: lower-case letters and digits of any script, vowel signs included, words joined by dashes, at most 80 characters. */
export function toSlug(title: string): string {
  const plain = title
    .normalize('NFKD')
    .replace(/[\u0300-\u036f'’]/g, '')
    .normalize('NFC')
    .toLowerCase()
  const words = plain.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? []
  let slug = ''
  for (const word of words) {
    if (slug.length + word.length > 79) break
    slug += slug ? `-${word}` : word
  }
  if (!slug) slug = [...(words[0] ?? 'post')].slice(0, 60).join('')
  // A number alone is an id.
  return /^\d+$/.test(slug) ? `post-${slug}` : slug
}

/** Why a slug cannot be a post's address; undefined when it can. */
export function findSlugProblem(slug: string): string | undefined {
  if (/^\d+$/.test(slug)) return 'must not be only a number'
  if (RESERVED_SLUGS.includes(slug)) return 'is the address of another page'
  return undefined
}
