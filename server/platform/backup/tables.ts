import type pg from 'pg'

export interface Table {
  name: string
  /** Those that are stored; the database computes the others. */
  columns: string[]
}

const TABLES = `
  select c.relname as name,
    (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
    (select coalesce(array_agg(distinct r.relname::text), '{}') from pg_constraint k join pg_class r on r.oid = k.confrelid
      where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as needs
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and c.relname <> 'schema_migrations'
  order by c.relname`

/** Every table of the product, each after those its foreign keys point to. Throws Error where keys form a ring. */
export async function listTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table & { needs: string[] }>(TABLES)
  const waiting = new Map(rows.map((row) => [row.name, row]))
  const ordered: Table[] = []
  while (waiting.size > 0) {
    const ready = [...waiting.values()].filter(({ needs }) => !needs.some((name) => waiting.has(name)))
    if (ready.length === 0) throw new Error(`the foreign keys of ${[...waiting.keys()].join(', ')} form a ring`)
    for (const { name, columns } of ready) {
      waiting.delete(name)
      ordered.push({ name, columns })
    }
  }
  return ordered
}

/** The columns that number their rows, with the last number given out. */
export async function listSequences(
  client: pg.ClientBase,
): Promise<{ table: string; column: string; value: string | null }[]> {
  const { rows } = await client.query(`
    select c.relname as table, a.attname as column, s.last_value::text as value
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_depend d on d.refobjid = c.oid and d.refobjsubid = a.attnum and d.classid = 'pg_class'::regclass
      and d.deptype in ('a', 'i')
    join pg_class q on q.oid = d.objid and q.relkind = 'S'
    join pg_sequences s on s.schemaname = 'public' and s.sequencename = q.relname
    where c.relnamespace = 'public'::regnamespace`)
  return rows
}

/** A name as SQL takes it. */
export const quote = (name: string) => `"${name.replaceAll('"', '""')}"`
