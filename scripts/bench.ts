/** npm run bench [name …]: runs the benchmarks of bench/, one process each, so that one cannot warm or crowd another. */
import { readdirSync, readFileSync } from 'node:fs'
import { runNode } from './check.ts'

const wanted = process.argv.slice(2)
// A benchmark says so itself; the other files are what benchmarks share.
const all = readdirSync('bench').filter(
  (file) => file.endsWith('.ts') && /import\.meta\.main|^await /m.test(readFileSync(`bench/${file}`, 'utf8')),
)
const chosen = wanted.length > 0 ? all.filter((file) => wanted.includes(file.replace(/\.ts$/, ''))) : all
if (chosen.length === 0) {
  console.error(`No such benchmark. There are: ${all.map((file) => file.replace(/\.ts$/, '')).join(', ')}`)
  process.exitCode = 1
}
for (const file of chosen) if ((await runNode([`bench/${file}`])) !== 0) process.exitCode = 1
