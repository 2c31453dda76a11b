import sharp from 'sharp'
import type { PostForm } from '#contracts/blog/blog.ts'

/** The form of a post as a browser sends it; tags may be one text or several fields. */
export function postForm(
  fields: Omit<Partial<PostForm>, 'tags' | 'coverImage'> & { tags?: string | string[] },
  cover?: { name: string; bytes: Buffer },
): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries({ title: 'A title', content: '<p>Some words</p>', ...fields }))
    for (const one of [value].flat()) form.append(name, String(one))
  if (cover) form.append('coverImage', new Blob([new Uint8Array(cover.bytes)]), cover.name)
  return form
}

/** An image of noise, which does not shrink: PNG bytes of so many pixels. */
export function noise(width: number, height: number, format: 'png' | 'jpeg' | 'webp' | 'gif' = 'png'): Promise<Buffer> {
  return sharp({
    create: { width, height, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma: 40 } },
  })
    .toFormat(format)
    .withExif({ IFD0: { Artist: 'Secret Person' } })
    .toBuffer()
}
