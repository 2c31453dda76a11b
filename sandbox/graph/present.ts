/** Objects of the Graph API as Meta shows them. */
import type { Business, GraphNumber } from './state.ts'
import { toAppId } from './uploads.ts'

export function numberFields(business: Business, number: GraphNumber, perSecond: number) {
  return {
    id: number.id,
    display_phone_number: number.display,
    verified_name: number.verifiedName,
    quality_rating: number.quality,
    code_verification_status: 'VERIFIED',
    name_status: 'APPROVED',
    status: 'CONNECTED',
    throughput: { level: perSecond > 80 ? 'HIGH' : 'STANDARD' },
    whatsapp_business_manager_messaging_limit: business.tier,
  }
}

/** An app that hears of a business account. */
export const subscription = (business: Business, address: string) => ({
  override_callback_uri: address,
  whatsapp_business_api_data: {
    id: toAppId(business),
    name: business.name,
    link: `https://www.facebook.com/games/?app_id=${toAppId(business)}`,
  },
})

/** Only the fields that were asked for, and the id. */
export function pick(value: Record<string, unknown>, url: URL): Record<string, unknown> {
  const fields = url.searchParams.get('fields')?.split(',')
  if (!fields) return value
  return Object.fromEntries(
    Object.entries(value).filter(([name]) => name === 'id' || fields.some((one) => one.replace(/\{.*/, '') === name)),
  )
}

export function templatePage(business: Business, url: URL) {
  const limit = Math.min(Number(url.searchParams.get('limit') ?? 25), 1_000)
  const after = url.searchParams.get('after')
  const status = url.searchParams.get('status')?.toUpperCase()
  const name = url.searchParams.get('name')
  const all = business.templates.filter((one) => (!status || one.status === status) && (!name || one.name === name))
  const start = after ? Number(Buffer.from(after, 'base64url').toString()) || 0 : 0
  const data = all.slice(start, start + limit)
  const cursor = (at: number) => Buffer.from(String(at)).toString('base64url')
  const next = new URL(url)
  next.searchParams.set('after', cursor(start + limit))
  return {
    data,
    paging: {
      cursors: { before: cursor(start), after: cursor(start + data.length) },
      ...(start + limit < all.length && { next: next.href }),
    },
  }
}
