import { data } from 'react-router'
import { NotFound } from './not-found.tsx'

export const meta = () => [{ title: 'Page Not Found · Postlark' }, { name: 'robots', content: 'noindex' }]

/** Every address no route knows returns 404. */
export const loader = () => data(null, { status: 404 })

export default function NotFoundPage() {
  return <NotFound />
}
