import { ExternalLink } from 'lucide-react'

/** A page of Google's, opened apart. */
export const GoogleLink = ({ to, children }: { to: string; children: React.ReactNode }) => (
  <a href={to} target="_blank" rel="noreferrer" className="font-medium text-accent-text hover:underline">
    {children}
    <ExternalLink aria-hidden="true" className="ml-1 inline size-3.5" />
    <span className="sr-only"> (opens a new tab)</span>
  </a>
)
