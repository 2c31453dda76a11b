/** Hands a file of the API to the browser's downloads, under the name the server gave it or the one told. */
export async function saveFile(response: Response, fallbackName: string): Promise<void> {
  const blob = await response.blob()
  const named = /filename="?([^";]+)"?/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = named ?? fallbackName
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
