import { index, type RouteConfig, route } from '@react-router/dev/routes'

/** The site map: every address and the file that shows it. */
export default [index('features/site/landing-page.tsx'), route('*', 'features/site/not-found-page.tsx')] satisfies RouteConfig
