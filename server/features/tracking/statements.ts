import type pg from 'pg'

/** Runs a statement the database keeps prepared under `name` on each connection. Returns its rows as they are. */
export type Run = <Row extends pg.QueryResultRow>(name: string, text: string, values: unknown[]) => Promise<Row[]>

/** For the few statements that run thousands of times a minute, and cost as much to plan as to execute. */
export const createStatements =
  (pool: pg.Pool): Run =>
  async <Row extends pg.QueryResultRow>(name: string, text: string, values: unknown[]) =>
    (await pool.query<Row>({ name, text, values })).rows
