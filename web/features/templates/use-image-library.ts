import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { images, type LibraryImage } from '#contracts/images/images.ts'
import { api } from '#web/api.ts'

const KEY = ['images']

async function upload(file: File): Promise<LibraryImage> {
  const form = new FormData()
  form.append('image', file, file.name)
  return api(images.add, { form })
}

/** The workspace's images, newest first, and what changes them. */
export function useImageLibrary() {
  const queries = useQueryClient()
  const onSuccess = () => queries.invalidateQueries({ queryKey: KEY })
  return {
    found: useQuery({ queryKey: KEY, queryFn: () => api(images.list, { query: { limit: 100 } }) }),
    add: useMutation({ mutationFn: upload, onSuccess }),
    setAlt: useMutation({
      mutationFn: ({ id, alt }: { id: string; alt: string }) => api(images.change, { params: { id }, body: { alt } }),
      onSuccess,
    }),
    remove: useMutation({ mutationFn: (id: string) => api(images.remove, { params: { id } }), onSuccess }),
  }
}

/** What may be uploaded, for a file field. */
export const uploadableImages = {
  hint: 'JPEG, PNG, WebP or GIF, up to 5 MB',
  accept: 'image/jpeg,image/png,image/webp,image/gif',
}
