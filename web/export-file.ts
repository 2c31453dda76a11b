import { errorMessage } from './api.ts'
import { saveFile } from './ui/lib/save-file.ts'
import { toast } from './ui/overlay/toaster.tsx'

/** Saves an export of the API as a file, and says so where that fails. `fallbackName`: for a file that the server did not name. */
export async function exportFile(load: () => Promise<Response>, fallbackName: string): Promise<void> {
  try {
    await saveFile(await load(), fallbackName)
  } catch (error) {
    toast.error(`The export failed. ${errorMessage(error)}`)
  }
}
