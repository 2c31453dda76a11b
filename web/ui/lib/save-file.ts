/** Hands a file of the API to the browser's downloads, under the name the server gave it or the one told. */
export async function saveFile(response: Response, fallbackName: string): Promise<void> {
  const blob = await response.blob()
  const disposition = response.headers.get('content-disposition') ?? ''
  // The second form holds what ASCII cannot (RFC 8187).
  const encoded = /filename\*=UTF-8''([^;\s]+)/i.exec(disposition)?.[1]
  const named = encoded ? decodeURIComponent(encoded) : /filename="?([^";]+)"?/.exec(disposition)?.[1]
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = named ?? fallbackName
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
