import type { Params } from './form.ts'
import type { StoredObjects } from './state.ts'

/** What a call is given: the decoded parameters and the id of the path. */
export interface Call {
  params: Params
  id: string
}
export interface Route {
  /** Such as `POST /v1/subscriptions/:id`. */
  on: string
  /** Parameters the call takes; any other is refused, as the real service does. */
  takes: string[]
  respond(call: Call): object
}

/** Finds an object or refuses as the real service does. */
export type Find = <K extends keyof Omit<StoredObjects, 'ahead'>>(
  kind: K,
  word: string,
  id: string,
  param?: string,
) => StoredObjects[K][string]
