/** npm run bench [name …]: runs the benchmarks of bench/, one process each, so that one cannot warm or crowd another. */
import { readdirSync } from 'node:fs'
import { runNode } from './check.ts'

const wanted = process.argv.slice(2)
// What benchmarks share; every other file there is one.
const shared = ['measure.ts', 'sink.ts']
const all = readdirSync('bench').filter((file) => file.endsWith('.ts') && !shared.includes(file))
const chosen = wanted.length > 0 ? all.filter((file) => wanted.includes(file.replace(/\.ts$/, ''))) : all
if (chosen.length === 0) {
  console.error(`No such benchmark. There are: ${all.map((file) => file.replace(/\.ts$/, '')).join(', ')}`)
  process.exitCode = 1
}
for (const file of chosen) if ((await runNode([`bench/${file}`])) !== 0) process.exitCode = 1
