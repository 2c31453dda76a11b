/** The receiver of an address: a mail operator such as google, by the domain's name or its MX records, else the domain. */
import { type RawBuilder, sql } from 'kysely'
import { findDomain, findOperator, OPERATORS } from '#server/engine/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { readOperators } from './store.ts'

const operatorByName: RawBuilder<unknown> = sql.join(
  Object.entries(OPERATORS).map(([name, pattern]) => sql`when domain ~ ${pattern} then ${name}`),
  sql` `,
)

/** The receiver of the column `domain` as SQL; needs `left join receiver_domains using (domain)`. */
export const receiverColumn: RawBuilder<unknown> = sql`case ${operatorByName} else coalesce(receiver_domains.operator, domain) end`

/** Reads who receives the mail of these addresses; returns it by address, '' of what is no email address. */
export async function readReceivers(db: Db, addresses: readonly string[]): Promise<(address: string) => string> {
  const domains = [...new Set(addresses.map(findDomain))]
  const named = new Map(domains.map((domain) => [domain, findOperator(domain)]))
  const others = domains.filter((domain) => domain !== '' && named.get(domain) === undefined)
  const hosted = others.length === 0 ? new Map<string, string>() : await readOperators(db, others)
  return (address) => {
    const domain = findDomain(address)
    return named.get(domain) ?? hosted.get(domain) ?? domain
  }
}

/** Whether a receiver is one of the operators that have domains of millions. */
export const isOperator = (receiver: string): boolean => Object.hasOwn(OPERATORS, receiver)

const labels: Record<string, string> = { google: 'Google', microsoft: 'Microsoft', yahoo: 'Yahoo', apple: 'Apple' }

/** A receiver in words for people. */
export const labelReceiver = (receiver: string): string => labels[receiver] ?? receiver
