import { Link } from 'react-router'
import { Wordmark } from '#web/ui/theme/brand.tsx'
import { ThemeSwitch } from '#web/ui/theme/theme-switch.tsx'
import { siteFacts } from './site-content.ts'
import { navLinks, pricingLink } from './site-links.ts'

const account = [
  { to: '/account', label: 'Account' },
  { to: '/login', label: 'Log in' },
  { to: '/signup', label: 'Sign Up' },
  { to: null, label: 'Careers' },
  { to: null, label: 'Terms & Condition' },
  { to: '/privacy-policy', label: 'Privacy Policy' },
]

const linkClass = 'inline-block rounded-[3px] py-1 text-text transition-colors hover:text-ink'

/** Mission, links and contact in columns, and the year. */
export function SiteFooter() {
  const { mission, social, contact, copyrightYear } = siteFacts
  // A network without an account of ours is not shown.
  const shown = social.filter(({ href }) => href !== null)
  const domainAt = contact.email.lastIndexOf('@') + 1
  const [userPart, domainPart] = [contact.email.slice(0, domainAt), contact.email.slice(domainAt)]
  return (
    <footer className="border-t bg-surface">
      <div className="mx-auto grid max-w-300 grid-cols-2 gap-x-8 gap-y-10 px-5 py-14 text-base sm:px-8 wide:auto-cols-fr wide:grid-flow-col wide:grid-cols-[1.7fr]">
        <div className="col-span-2 wide:col-span-1">
          <Link to="/" aria-label="Postlark, home" className="inline-flex rounded-control">
            <Wordmark />
          </Link>
          <p className="mt-3 max-w-sm text-muted">{mission}</p>
        </div>
        {shown.length > 0 && (
          <Column title="Follow us">
            {shown.map(({ name, href }) => (
              <li key={name}>
                <a href={href ?? ''} rel="me noopener" className={linkClass}>
                  {name}
                </a>
              </li>
            ))}
          </Column>
        )}
        <Column title="Site">
          {[...navLinks, pricingLink].map((link) => (
            <li key={link.to}>
              <Link to={link.to} className={linkClass}>
                {link.label}
              </Link>
            </li>
          ))}
        </Column>
        <Column title="Account">
          {account.map(({ to, label }) => (
            <li key={label}>
              {to ? (
                <Link to={to} className={linkClass}>
                  {label}
                </Link>
              ) : (
                <DeadLink label={label} />
              )}
            </li>
          ))}
        </Column>
        <Column title="Contact">
          <li>
            <a href={`mailto:${contact.email}`} className={linkClass}>
              {/* A long address breaks after its @, and only then anywhere. */}
              {userPart}
              <wbr />
              {domainPart}
            </a>
          </li>
          {contact.phone && (
            <li>
              <a href={`tel:${contact.phone.replace(/[^+\d]/g, '')}`} className={linkClass}>
                {contact.phone}
              </a>
            </li>
          )}
          {contact.address && <li className="py-1 whitespace-pre-line text-text">{contact.address}</li>}
        </Column>
      </div>
      <div className="mx-auto max-w-300 px-5 sm:px-8">
        <div className="flex flex-wrap items-center justify-between gap-4 border-t py-6 text-sm text-muted">
          <p>© {copyrightYear} Postlark</p>
          <ThemeSwitch />
        </div>
      </div>
    </footer>
  )
}

/** A link that leads nowhere, and says so to those who hear the page. Careers and Terms & Condition are two (docs/specification.md, 2). */
function DeadLink({ label }: { label: string }) {
  return (
    // biome-ignore lint/a11y/useValidAnchor: a dead link, as specified
    <a role="link" aria-disabled="true" className="inline-block py-1 text-muted">
      {label}
      <span className="sr-only"> (coming soon)</span>
    </a>
  )
}

function Column({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section className="min-w-0 wrap-anywhere">
      <h2 className="mb-2 text-sm font-semibold">{title}</h2>
      <ul>{children}</ul>
    </section>
  )
}
