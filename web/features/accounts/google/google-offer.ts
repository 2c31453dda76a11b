import { system } from '#contracts/system/system.ts'
import { publicApi } from '#web/api.ts'

let asked: Promise<boolean> | undefined

/**
 * Whether one can sign in with Google here, asked once for as long as the page lives. A server that cannot be reached
 * offers nothing: the login page comes all the same.
 */
export function isGoogleOffered(): Promise<boolean> {
  asked ??= publicApi(system.info).then(
    ({ google }) => google,
    () => {
      asked = undefined
      return false
    },
  )
  return asked
}
