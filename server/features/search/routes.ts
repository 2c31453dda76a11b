import type { FastifyInstance } from 'fastify'
import { search } from '#contracts/search/search.ts'
import { mount } from '#server/platform/http/mount.ts'
import type { Services } from '#server/services.ts'
import { searchWorkspace } from './search.ts'

export function mountSearch(app: FastifyInstance, { db }: Services): void {
  mount(app, search.find, ({ caller, query }) => searchWorkspace(db, caller.workspaceId, query.q))
}
