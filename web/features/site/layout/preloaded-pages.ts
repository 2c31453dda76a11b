/** Pages whose code is fetched before anybody asks for them, by the names of their files. The list of routes names the files of these alone. */
export const WITH_THE_LOADER = ['login-page', 'signup-page', 'dashboard-page']
export const SOON_AFTER = ['site/pages/contact-page', 'about-page', 'pricing-page', 'services-page']

interface Route {
  parentId?: string
}

/** The ids of the routes of pages, and of every layout around them. */
export function findRouteIds(routes: Record<string, Route>, names: string[]): string[] {
  const wanted = new Set(Object.keys(routes).filter((id) => names.some((name) => id.endsWith(`/${name}`))))
  // A set also gives what is added while it is walked.
  for (const id of wanted) {
    const parent = routes[id]?.parentId
    if (parent !== undefined) wanted.add(parent)
  }
  return [...wanted]
}
