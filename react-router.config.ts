import type { Config } from '@react-router/dev/config'

export default {
  appDirectory: 'web',
  // scripts/prepare.mjs builds beside the old pages and swaps them. Never empty: the folder is emptied first, and '' is this one.
  buildDirectory: process.env.POSTLARK_BUILD || 'build/web',
  ssr: true,
  // The whole route list travels with the first page: no second request while someone navigates.
  routeDiscovery: { mode: 'initial' },
} satisfies Config
