/** Which database servers Postlark runs on (docs/databases.md). */
import type pg from 'pg'

/** As `server_version_num` tells it. */
const MIN_VERSION = 150_000
const ADVICE = 'Use PostgreSQL 15 or newer.'

/** Servers that speak PostgreSQL's protocol, by DATABASE_BACKEND: what is in their version(), and what keeps Postlark from running there. */
const LOOKALIKES = {
  cockroachdb: {
    name: 'CockroachDB',
    version: /^CockroachDB\b/,
    lacks: 'no triggers with transition tables, no advisory locks and no LISTEN',
  },
  yugabytedb: { name: 'YugabyteDB', version: /-YB-\d/, lacks: 'no triggers with transition tables' },
} as const

/** Why Postlark does not run on a server, and what to do: a sentence each, for the operator. */
export interface Unsupported {
  problem: string
  advice: string
}

/** A value of DATABASE_BACKEND that is refused. */
export type Lookalike = keyof typeof LOOKALIKES

/** Whether a value of DATABASE_BACKEND is one of them. */
export const isLookalike = (backend: string): backend is Lookalike => Object.hasOwn(LOOKALIKES, backend)

/** Why Postlark does not run on it. */
export function refuseLookalike(backend: Lookalike): Unsupported {
  const { name, lacks } = LOOKALIKES[backend]
  return { problem: `Postlark does not run on ${name}, which has ${lacks} (docs/databases.md).`, advice: ADVICE }
}

/** Why Postlark does not run on a server; undefined: it does. `text` is what version() returns, `version` is server_version_num, such as 150012. */
export function findUnsupported(text: string, version: number): Unsupported | undefined {
  // They say that they are some version of PostgreSQL as well.
  for (const backend of Object.keys(LOOKALIKES).filter(isLookalike))
    if (LOOKALIKES[backend].version.test(text)) return refuseLookalike(backend)
  if (version >= MIN_VERSION) return undefined
  return { problem: `PostgreSQL ${Math.floor(version / 10_000)} is not supported.`, advice: ADVICE }
}

/** The same for the server that a pool leads to. */
export async function findUnsupportedServer(pool: pg.Pool): Promise<Unsupported | undefined> {
  const { rows } = await pool.query<{ text: string; version: number }>(
    "select version() as text, current_setting('server_version_num')::int as version",
  )
  return rows[0] && findUnsupported(rows[0].text, Number(rows[0].version))
}
