import type Quill from 'quill'
import { blog } from '#contracts/blog/blog.ts'
import { editorApi } from '../../../queries.ts'

export const UPLOAD_FAILED = 'Image upload failed. Please try again.'

let counter = 0

/** Where an upload's placeholder stands now; undefined once somebody has deleted it. */
function findPlaceholder(quill: Quill, number: string): number | undefined {
  const node = quill.root.querySelector(`[data-upload="${number}"]`)
  const blot = node && (quill.constructor as typeof Quill).find(node)
  return blot && 'offset' in blot ? quill.getIndex(blot as never) : undefined
}

/** Sends an image while 'Uploading image...' stands in its place, then puts it there. Throws when it was refused. */
export async function uploadImage(quill: Quill, file: File, at: number): Promise<void> {
  const number = String(++counter)
  quill.insertEmbed(at, 'uploading', number, 'api')
  const remove = () => {
    const place = findPlaceholder(quill, number)
    if (place !== undefined) quill.deleteText(place, 1, 'api')
    return place
  }
  try {
    const form = new FormData()
    form.append('image', file)
    const image = await editorApi(blog.uploadImage, { form })
    const place = remove()
    if (place === undefined) return
    quill.insertEmbed(place, 'image', new URL(image.url, location.origin).href, 'user')
    quill.setSelection(place + 1, 0, 'silent')
  } catch (error) {
    remove()
    throw error
  }
}
