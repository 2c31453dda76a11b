import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'

/** Builds the pages. The server asks this same file for a middleware in watch mode (server/platform/http/pages.ts). */
export default defineConfig({
  plugins: [tailwindcss(), process.env.VITEST ? null : reactRouter()],
  build: {
    // light-dark() and oklch() stay as written: every browser since 2024 knows them.
    cssTarget: ['chrome123', 'safari17.5', 'firefox128'],
  },
  environments: {
    // The server loads this one module and nothing else of web/: see the note there.
    ssr: { build: { rolldownOptions: { input: './web/handler.ts' } } },
  },
})
