import { templates } from '#contracts/templates/templates.ts'
import { api, publicApi } from '#web/api.ts'

/** Makes a template of one's own from a starter and returns the address of its editor. Throws an Error for people. */
export async function takeStarter(id: string): Promise<string> {
  const { items } = await publicApi(templates.starters)
  const starter = items.find((one) => one.id === id)
  if (!starter) throw new Error('this starter template no longer exists.')
  const made = await api(templates.create, { body: { name: starter.name, starter: id } })
  return `/editor/${made.id}`
}
