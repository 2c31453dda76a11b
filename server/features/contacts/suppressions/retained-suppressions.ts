import { createHmac } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Config } from '#server/platform/config.ts'
import { deriveKey } from '#server/platform/crypto.ts'
import type { Db } from '#server/platform/db/database.ts'

export type Secret = Pick<Config, 'secretKey'>

// The hashes that were stored are made with this purpose.
const deriveSuppressionKey = (config: Secret) => deriveKey(config.secretKey, 'kept suppressions')

/** HMAC-SHA256 (RFC 2104) of a text column, worked out by the database: addresses need not travel to be hashed. */
export function hashed(config: Secret, column: RawBuilder<unknown>) {
  const key = Buffer.concat([deriveSuppressionKey(config), Buffer.alloc(32)])
  const [inner, outer] = [0x36, 0x5c].map((pad) => key.map((byte) => byte ^ pad)) as [Buffer, Buffer]
  return sql<Buffer>`sha256(${outer}::bytea || sha256(${inner}::bytea || convert_to(${column}, 'UTF8')))`
}

/** What stands for the owner of a deleted account. */
export function ownerHash(config: Secret, emailKey: string): Buffer {
  return createHmac('sha256', deriveSuppressionKey(config)).update(emailKey).digest()
}

const SLICE = 2_000

/**
 * Replaces some suppressions of a workspace by their hashes; returns how many. Nothing else of them is retained. With the
 * last of them the hashes of erased people are retained as well.
 */
export async function retainHashed(db: Db, config: Secret, workspaceId: string, owner: Buffer): Promise<number> {
  const { rows } = await sql<{ gone: string }>`
    with gone as (
      delete from suppressions where id = any(array(select id from suppressions where workspace_id = ${workspaceId} limit ${SLICE}))
      returning channel, address_key, reason
    ), retained as (
      insert into retained_suppressions (owner, channel, address_hash, reason)
      select ${owner}::bytea, channel, ${hashed(config, sql`address_key`)}, reason from gone on conflict do nothing
    ), erased as (
      insert into retained_suppressions (owner, channel, address_hash, reason)
      select ${owner}::bytea, channel, address_hash, coalesce(suppression, 'unsubscribe') from erased_addresses
      where workspace_id = ${workspaceId} and not exists (select 1 from gone) on conflict do nothing
    ) select count(*) as gone from gone`.execute(db)
  return Number(rows[0]?.gone ?? 0)
}

/**
 * Suppresses the contacts of a workspace whom its owner, under an account they deleted, was never to write to again.
 * Costs one look-up for everybody who never deleted one.
 */
export async function restoreSuppressions(db: Db, config: Secret, workspaceId: string): Promise<void> {
  const { rows } = await sql<{ owner: Buffer }>`
    select hash as owner from (select ${hashed(config, sql`email_key`)} as hash from users where workspace_id = ${workspaceId}) as u
    where exists (select 1 from retained_suppressions r where r.owner = u.hash)`.execute(db)
  for (const { owner } of rows) {
    await restore(db, config, workspaceId, owner, 'email', sql`c.email`, sql`c.email_key`)
    await restore(db, config, workspaceId, owner, 'whatsapp', sql`c.phone`, sql`c.phone`)
  }
}

async function restore(
  db: Db,
  config: Secret,
  workspaceId: string,
  owner: Buffer,
  channel: 'email' | 'whatsapp',
  address: RawBuilder<unknown>,
  key: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    insert into suppressions (workspace_id, channel, address, address_key, reason, note)
    select distinct on (c.key) c.workspace_id, r.channel, c.address, c.key, r.reason, 'From an account of yours that was deleted'
    from (select c.workspace_id, ${address} as address, ${key} as key, ${hashed(config, key)} as hash from contacts c
      where c.workspace_id = ${workspaceId} and ${key} is not null) as c
    join retained_suppressions r on r.owner = ${owner} and r.channel = ${channel} and r.address_hash = c.hash
    on conflict do nothing`.execute(db)
}
