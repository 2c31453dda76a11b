/** Works on an embedded database in the folder it is given, for so long that V8 makes better code of what is used much. */
import pg from 'pg'
import { startEmbedded } from './embedded.ts'

const embedded = await startEmbedded(process.argv[2] ?? '')
const client = new pg.Client({ host: embedded.host, user: 'postgres', database: 'postgres' })
await client.connect()
await client.query('create table t (id int primary key, x text)')
await client.query('insert into t select i, md5(i::text) from generate_series(1, 20000) i')
for (let i = 0; i < 500; i++) await client.query('update t set x = md5($1::text) where id = $2', [String(i), i])
const { rows } = await client.query<{ n: number }>('select count(*)::int as n from t')
console.log('rows', rows[0]?.n)
await client.end()
await embedded.stop()
