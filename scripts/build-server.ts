/**
 * node scripts/build-server.ts FOLDER: builds the server and each of its threads with what they use of their packages
 * (docs/decisions/0085). All files lie flat in FOLDER, which is two levels below the root of the project.
 */
import { basename, dirname, join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { type Plugin, rolldown } from 'rolldown'

const ROOT = join(import.meta.dirname, '..')
/** Packages that load files of their own: programs for this machine, and what is looked up by its path. */
const APART = ['@node-rs/argon2', 'mjml', 'pino', 'sharp', 'vite']
/** How our code names the file of a thread. */
const THREAD_URL = /new URL\(\s*'(\.[^']+\.ts)',\s*import\.meta\.url,?\s*\)/g

const outputName = (source: string) => relative(ROOT, source).replaceAll('/', '.').replace(/\.ts$/, '.js')

/** Threads become files of their own; to everything else a file stays where its source is. */
const places: Plugin = {
  name: 'places',
  transform: {
    filter: { code: 'import.meta.url' },
    handler(code, id) {
      const found = code.replaceAll(THREAD_URL, (_, path: string) => {
        const source = join(dirname(id), path)
        const fileName = outputName(source)
        this.emitFile({ type: 'chunk', id: source, fileName })
        return `new URL('./${fileName}', BUILT_URL)`
      })
      const here = `new URL('../../${relative(ROOT, id)}', import.meta.url).href`
      return found.replaceAll('import.meta.url', here).replaceAll('BUILT_URL', 'import.meta.url')
    },
  },
}

/** What `charset` leaves as it is: the names in licenses, and SQL, whose escapes mean the same. */
const ascii: Plugin = {
  name: 'ascii',
  renderChunk: (code) =>
    code.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
}

export async function buildServer(folder: string): Promise<void> {
  const build = await rolldown({
    cwd: ROOT,
    input: { main: 'server/main.ts' },
    platform: 'node',
    external: (id) => APART.some((name) => id === name || id.startsWith(`${name}/`)),
    plugins: [places, ascii],
    onLog(level, log, report) {
      // What a package does not have for this machine is looked for when it is asked for.
      if (log.code !== 'UNRESOLVED_IMPORT') report(level, log)
    },
  })
  await build.write({
    dir: folder,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    // A source with one character beyond ASCII is held in two bytes a character.
    charset: 'ascii',
    comments: { legal: true, annotation: false, jsdoc: false },
  })
}

if (import.meta.main) {
  const [folder] = parseArgs({ allowPositionals: true }).positionals
  if (!folder) throw new Error(`Usage: node scripts/${basename(import.meta.filename)} FOLDER`)
  await buildServer(folder)
}
