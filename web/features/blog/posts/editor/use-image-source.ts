import { useEffect, useState } from 'react'

/** The address by which a cover can be shown: its own, or the bytes of a file that was just chosen. */
export function useImageSource(cover: string | File): string {
  const [source, setSource] = useState('')
  useEffect(() => {
    if (!(cover instanceof File)) return setSource(cover)
    const reader = new FileReader()
    reader.onload = () => setSource(String(reader.result))
    reader.readAsDataURL(cover)
    return () => reader.abort()
  }, [cover])
  return source
}
