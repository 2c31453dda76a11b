import { type Post, splitTags } from '#contracts/blog/blog.ts'
import { ownZone, toInstant, wallClock } from '#web/ui/lib/zoned-time.ts'

/** When readers see it: not yet, as soon as it is saved, or at a wall-clock time in a zone. */
export interface Appearance {
  kind: 'draft' | 'now' | 'later'
  date: string
  time: string
  zone: string
}

/** A post as its form holds it; tags as they are typed, the cover as a stored address or a chosen file. */
export interface Draft {
  title: string
  metaTitle: string
  metaDescription: string
  content: string
  category: string
  tags: string
  authorName: string
  slug: string
  cover: string | File
  appears: Appearance
}

/** Tomorrow at nine, where the writer is. */
export function tomorrow(zone = ownZone()): Appearance {
  return { ...wallClock(new Date(Date.now() + 86_400_000), zone), kind: 'later', time: '09:00', zone }
}

/** An empty post of an author. It stays a draft until the writer says otherwise. */
export function emptyDraft(authorName = ''): Draft {
  const texts = {
    title: '',
    metaTitle: '',
    metaDescription: '',
    content: '',
    tags: '',
    authorName,
    slug: '',
    cover: '',
  }
  return { ...texts, category: 'General', appears: { ...tomorrow(), kind: 'draft' } }
}

/** A saved post in the form. */
export function toPostDraft(post: Post): Draft {
  const { title, metaTitle, metaDescription, content, category, authorName, slug, coverImage } = post
  const zone = ownZone()
  const scheduled = post.state === 'scheduled' && post.publishedAt
  const at = scheduled ? wallClock(new Date(scheduled), zone) : wallClock(new Date(Date.now() + 86_400_000), zone)
  return {
    ...{ title, metaTitle, metaDescription, content, category, authorName, slug },
    cover: coverImage,
    tags: post.tags.join(', '),
    appears: { kind: scheduled ? 'later' : post.state === 'draft' ? 'draft' : 'now', ...at, zone },
  }
}

/** Whether there is enough for the server to save. */
export const isComplete = (draft: Draft) => draft.title.trim() !== '' && draft.content !== ''

/** Whether two drafts hold the same. Of a chosen cover it has to be the same file. */
export const isSame = (one: Draft, other: Draft) =>
  one.cover === other.cover && JSON.stringify(one) === JSON.stringify(other)

/** The instant a scheduled post appears; undefined while date or time are incomplete. */
export const instantOfAppearance = ({ date, time, zone }: Appearance) => toInstant(date, time, zone)?.at

/** The form as the server takes it: tags comma-joined. The slug goes along only where the writer chose it. */
export function toPostForm(draft: Draft, before: Post | undefined): FormData {
  const form = new FormData()
  for (const name of ['title', 'metaTitle', 'metaDescription', 'content', 'category', 'authorName'] as const)
    form.append(name, draft[name].trim())
  form.append('tags', splitTags(draft.tags).join(','))
  const slug = draft.slug.trim()
  if (slug && slug !== before?.slug) form.append('slug', slug)
  if (draft.cover instanceof File) form.append('coverImage', draft.cover)
  else if (before && draft.cover !== before.coverImage) form.append('coverImage', draft.cover)
  if (before) form.append('version', String(before.version))
  return form
}

/** As `toPostForm`, and with what the writer chose for its appearance. */
export function publishingForm(draft: Draft, before: Post | undefined): FormData {
  const form = toPostForm(draft, before)
  const { appears } = draft
  form.append('state', appears.kind === 'draft' ? 'draft' : 'published')
  const at = appears.kind === 'later' ? instantOfAppearance(appears) : undefined
  if (at) form.append('publishedAt', at.toISOString())
  // It had a time ahead, and shall appear at once instead.
  if (appears.kind === 'now' && before?.state === 'scheduled') form.append('publishedAt', new Date().toISOString())
  return form
}
