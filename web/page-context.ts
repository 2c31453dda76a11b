import { createContext as createReactContext } from 'react'
import { createContext } from 'react-router'
import type { ApiClient } from '#contracts/client.ts'

/** The typed API client a loader uses while a page is rendered on the server: `context.get(apiContext)`. */
export const apiContext = createContext<ApiClient>()

/** The nonce of this response's Content-Security-Policy. */
export const nonceContext = createContext<string | undefined>(undefined)

/** Where this installation is reached (PUBLIC_URL), without a slash at the end. */
export const publicUrlContext = createContext<string>('')

/** The same nonce for components that write an inline script. Undefined in the browser, where no more scripts are written. */
export const NonceContext = createReactContext<string | undefined>(undefined)
