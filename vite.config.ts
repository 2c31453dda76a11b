import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type Plugin } from 'vite'
import { findRouteIds, SOON_AFTER, WITH_THE_LOADER } from './web/features/site/layout/preloaded-pages.ts'

/**
 * A page whose code cannot be fetched is an error for the error boundary ('Failed to load component', with a retry).
 * React Router would reload the page somebody is leaving, as often as he tries, and say nothing.
 */
function failedPagesAreErrors(): Plugin {
  const reload = /window\.location\.reload\(\);\s*return new Promise\(\(\) => \{\}\);/
  // A page that throws as soon as it is shown: what a rejected promise would end up as is React Router's secret.
  const failed = 'return (routeModulesCache[route.id] = { default() { throw error } });'
  return {
    name: 'failed-pages-are-errors',
    apply: 'build',
    transform: {
      filter: { id: /react-router\/dist\/\w+\/lib\/dom\/ssr\/routeModules\.js$/ },
      handler(code) {
        if (!reload.test(code)) this.error('React Router loads its pages in another way now: see vite.config.ts')
        return { code: code.replace(reload, failed), map: null }
      },
    },
  }
}

interface RouteList {
  routes: Record<string, { id: string; parentId?: string; imports?: string[] } & Record<string, unknown>>
}

/** What most routes are. */
const USUAL = {
  ...{ hasAction: false, hasLoader: false, hasClientAction: false, hasClientLoader: false, hasClientMiddleware: false },
  ...{ hasDefaultExport: true, hasErrorBoundary: false },
}

/**
 * The list of routes, which every page loads, says of each route everything, and names all files its code needs. Those are fetched ahead for
 * some pages alone; of the others the server's own list has them. Half of the bytes are left.
 */
function smallRouteList(): Plugin {
  const start = 'window.__reactRouterManifest='
  return {
    name: 'small-route-list',
    apply: 'build',
    writeBundle({ dir }) {
      if (!dir || this.environment.name === 'client') return
      const assets = join(dir, '../client/assets')
      const name = readdirSync(assets).find((file) => /^manifest-\w+\.js$/.test(file))
      const code = name ? readFileSync(join(assets, name), 'utf8') : ''
      if (!name || !code.startsWith(start))
        return this.error('React Router writes its routes in another way: vite.config.ts')
      const list: RouteList = JSON.parse(code.slice(start.length).replace(/;\s*$/, ''))
      const named = new Set(findRouteIds(list.routes, [...WITH_THE_LOADER, ...SOON_AFTER]))
      const routes = Object.entries(list.routes).map(([key, { id, imports, ...route }]) => {
        if (id !== key) this.error('A route of React Router has another id than its key: vite.config.ts')
        const isUsual = ([name, value]: [string, unknown]) =>
          Object.hasOwn(USUAL, name) && Reflect.get(USUAL, name) === value
        const unusual = Object.entries(route).filter((entry) => !isUsual(entry))
        return [key, { ...Object.fromEntries(unusual), ...(named.has(key) && { imports }) }]
      })
      const small = JSON.stringify({ ...list, routes: Object.fromEntries(routes) })
      const whole = `for(const id in m.routes)m.routes[id]={id,...${JSON.stringify(USUAL)},...m.routes[id]}`
      writeFileSync(join(assets, name), `const m=${small};${whole};${start}m`)
    },
  }
}

/**
 * Compressed once, as well as it can be, instead of for every visitor. The list of routes, which every page loads, is written
 * while the server's side is built: so that side looks through the browser's files once more.
 */
function compressedFiles(): Plugin {
  return {
    name: 'compressed-files',
    apply: 'build',
    writeBundle({ dir }) {
      if (!dir) return
      const files = this.environment.name === 'client' ? dir : join(dir, '../client')
      for (const entry of readdirSync(files, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !/\.(js|css|svg|webmanifest|txt)$/.test(entry.name)) continue
        const path = join(entry.parentPath, entry.name)
        if (existsSync(`${path}.br`)) continue
        const bytes = readFileSync(path)
        const size = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
        writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: size }))
        writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
      }
    },
  }
}

/** Builds the pages. The server asks this same file for a middleware in watch mode (server/platform/http/pages/pages.ts). */
export default defineConfig(({ command }) => ({
  plugins: [
    tailwindcss(),
    process.env.VITEST ? null : reactRouter(),
    failedPagesAreErrors(),
    smallRouteList(),
    compressedFiles(),
  ],
  build: {
    // light-dark() and oklch() stay as written: every browser since 2024 knows them.
    cssTarget: ['chrome123', 'safari17.5', 'firefox128'],
    // Most of what the shell's windows need is loaded already; every page would carry the list of it.
    modulePreload: {
      resolveDependencies: (file, deps) => (/(^|\/)(command-windows|menus)-/.test(file) ? [] : deps),
    },
  },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          treeshake: {
            // A feature is imported through its index.ts. Without this, one name from there brings every file behind it.
            moduleSideEffects: [{ test: /\/(web|contracts)\/.*\.tsx?(\?|$)/, sideEffects: false }],
          },
          output: {
            codeSplitting: {
              // One file compresses better than twenty small ones, and every page needs these.
              groups: [
                {
                  name: 'framework',
                  test: /node_modules\/(react|react-dom|react-router|scheduler|cookie|set-cookie-parser)\//,
                },
                // The icons of the signed-in frame, and of no public page.
                { name: 'icon', test: /lucide-react\/dist\/esm\/(?!icons\/|lucide-react)/ },
                {
                  name: 'shell-icons',
                  test: /lucide-react\/dist\/esm\/icons\/(badge-plus|chart-line|contact-round|ellipsis|flask-conical|inbox|layout-dashboard|layout-template|list|lock|log-out|mail-open|menu|message-circle|mouse-pointer-click|palette|plus|scan-search|shield-check|upload|user-round|user-round-x|chevrons-up-down)\.mjs/,
                },
                {
                  name: 'site',
                  test: /web\/(root\.tsx$|page-context|session\/session\.|features\/site\/layout\/(?!not-found-page)|ui\/(theme\/(brand|glyph|theme\.|theme-switch)|form\/button\.|feedback\/spinner\.|lib\/(class-names|zoned-time)\.))|contracts\/site|vite\/preload-helper|rolldown\/runtime/,
                },
              ],
            },
          },
        },
      },
    },
    // The server loads this one module and nothing else of web/: see the note there. Its libraries are in it: only what is
    // used of them (one icon in twenty), without comments, and React as it is in production whatever NODE_ENV says. That is
    // 20 MB of the server's memory. Names stay, for the log.
    ssr: {
      ...(command === 'build' && {
        resolve: { noExternal: true },
        define: { 'process.env.NODE_ENV': '"production"' },
      }),
      build: {
        rolldownOptions: {
          input: './web/handler.ts',
          output: { charset: 'ascii', minify: { mangle: false, compress: true, codegen: { removeWhitespace: true } } },
        },
      },
    },
  },
}))
