import type { z } from 'zod'
import type { Endpoint } from '#contracts/endpoint.ts'

type Contract = Record<string, Record<string, Endpoint>>

interface Link {
  operationId: string
  parameters?: Record<string, string>
  /** Fields of the body; a caller adds the others. */
  requestBody?: Record<string, string | string[]>
}

/** Where the id of what stands under a path stands in a response, as a JSON pointer. */
interface Source {
  under: string
  pointer: string
  /** Pointers to the other ids of the path, by parameter. */
  others?: Readonly<Record<string, string>> | undefined
}

/** Fields of queries and bodies that name something by its id, and the path it is found under. */
const ID_FIELDS: Record<string, string> = {
  listId: '/api/lists',
  listIds: '/api/lists',
  segmentId: '/api/segments',
  segmentIds: '/api/segments',
  excludeListIds: '/api/lists',
  excludeSegmentIds: '/api/segments',
  contactId: '/api/contacts',
  contactIds: '/api/contacts',
  templateId: '/api/templates',
  senderId: '/api/senders',
  senderIds: '/api/senders',
  campaignId: '/api/campaigns',
  accountId: '/api/whatsapp/accounts',
}
const WHATSAPP = '/api/whatsapp'

/** The fields of an object; those of the first option where there are several, which share their ids. */
function readShape(schema: z.ZodType | undefined): Record<string, z.ZodType> {
  const def = schema?.def as
    | { shape?: Record<string, z.ZodType>; options?: z.ZodType[]; in?: z.ZodType; element?: z.ZodType }
    | undefined
  return def?.shape ?? (def ? readShape(def.options?.[0] ?? def.in ?? def.element) : {})
}

/** The ids an endpoint gives: that of what it makes, or of the first item of a list. */
function findSources(e: Endpoint): Source[] {
  const { gives } = e
  if (gives) return gives.under.map((under) => ({ under, pointer: gives.pointer, others: gives.others }))
  const shape = readShape(e.response)
  if (e.method === 'POST' && shape.id) return [{ under: e.path, pointer: '/id' }]
  if (e.method === 'GET' && readShape(shape.items).id) return [{ under: e.path, pointer: '/items/0/id' }]
  return []
}

/** The id in the path of `target`; undefined where it takes none of these ids, or others that the response does not have. */
function linkByPath(
  { under, pointer, others: pointers = {} }: Source,
  target: Endpoint,
): Omit<Link, 'operationId'> | undefined {
  if (!target.path.startsWith(`${under}/:`)) return undefined
  const [id = '', ...others] = target.path.slice(under.length).match(/(?<=:)\w+/g) ?? []
  if (others.some((param) => !pointers[param])) return undefined
  const outer = (under.match(/(?<=:)\w+/g) ?? []).map((param) => [param, `$request.path.${param}`])
  const found = others.map((param) => [param, `$response.body#${pointers[param]}`])
  return {
    parameters: { ...Object.fromEntries([...outer, ...found]), [id]: `$response.body#${pointer}` },
  }
}

/** The ids in the query and the body of a `target` without a path of its own. */
function linkByFields({ under, pointer }: Source, target: Endpoint): Omit<Link, 'operationId'> | undefined {
  if (target.path.includes(':')) return undefined
  const id = `$response.body#${pointer}`
  const findPath = (field: string) =>
    field === 'templateId' && target.path.startsWith(WHATSAPP) ? `${WHATSAPP}/templates` : ID_FIELDS[field]
  const findFields = (schema: z.ZodType | undefined) =>
    Object.keys(readShape(schema)).filter((field) => findPath(field) === under)
  const query = findFields(target.query)
  const body = findFields(target.body)
  if (query.length + body.length === 0) return undefined
  return {
    ...(query.length > 0 && { parameters: Object.fromEntries(query.map((field) => [field, id])) }),
    ...(body.length > 0 && {
      requestBody: Object.fromEntries(body.map((field) => [field, field.endsWith('s') ? [id] : id])),
    }),
  }
}

/**
 * OpenAPI links, by operation, from an endpoint that gives an id to each endpoint that takes it in its path, query or body.
 * Other parameters of the path are those of the request.
 */
export function buildLinks(contract: Contract, e: Endpoint): Record<string, Link> {
  const links: Record<string, Link> = {}
  for (const source of findSources(e)) {
    for (const [noun, endpoints] of Object.entries(contract)) {
      for (const [name, target] of Object.entries(endpoints)) {
        const link = linkByPath(source, target) ?? linkByFields(source, target)
        if (link && target !== e) links[`${noun}.${name}`] = { operationId: `${noun}.${name}`, ...link }
      }
    }
  }
  return links
}
