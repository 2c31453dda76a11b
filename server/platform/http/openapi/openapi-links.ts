import type { z } from 'zod'
import type { Endpoint } from '#contracts/endpoint.ts'

interface Link {
  operationId: string
  parameters: Record<string, string>
}

/** Where the id of what an endpoint makes stands in its response, as a JSON pointer; undefined where it makes nothing. */
function idOf(e: Endpoint): { under: string; pointer: string } | undefined {
  if (e.gives) return e.gives
  const def = e.answer?.def as { shape?: Record<string, z.ZodType>; options?: z.ZodObject[] } | undefined
  // Every option of a union has the same id.
  const shape = def?.shape ?? def?.options?.[0]?.shape
  if (e.method !== 'POST' || !shape?.id) return undefined
  return { under: e.path, pointer: '/id' }
}

/**
 * OpenAPI links from an endpoint that makes something to each endpoint that takes its id in the path, by operation. Other
 * parameters of the path are those of the request.
 */
export function linksOf(contract: Record<string, Record<string, Endpoint>>, e: Endpoint): Record<string, Link> {
  const made = idOf(e)
  if (!made) return {}
  const links: Record<string, Link> = {}
  for (const [noun, endpoints] of Object.entries(contract)) {
    for (const [name, target] of Object.entries(endpoints)) {
      if (!target.path.startsWith(`${made.under}/:`)) continue
      const [id = '', ...others] = target.path.slice(made.under.length).match(/(?<=:)\w+/g) ?? []
      if (others.length > 0) continue
      const outer = (made.under.match(/(?<=:)\w+/g) ?? []).map((param) => [param, `$request.path.${param}`])
      links[`${noun}.${name}`] = {
        operationId: `${noun}.${name}`,
        parameters: { ...Object.fromEntries(outer), [id]: `$response.body#${made.pointer}` },
      }
    }
  }
  return links
}
