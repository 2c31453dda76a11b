import { Link } from 'react-router'
import { Wordmark } from '#web/ui/brand.tsx'
import { ThemeSwitch } from '#web/ui/theme-switch.tsx'
import { siteFacts } from './site-facts.ts'

const site = [
  { to: '/', label: 'Home' },
  { to: '/about', label: 'About Us' },
  { to: '/services', label: 'Services' },
  { to: '/templates', label: 'Templates' },
  { to: '/blogs', label: 'Blogs' },
  { to: '/pricing', label: 'Pricing' },
  { to: '/contact', label: 'Contact Us' },
]

/** Careers and Terms & Condition lead nowhere, as SPEC.md has it. */
const account = [
  { to: '/account', label: 'Account' },
  { to: '/login', label: 'Log in' },
  { to: '/signup', label: 'Sign Up' },
  { to: null, label: 'Careers' },
  { to: null, label: 'Terms & Condition' },
  { to: '/privacy-policy', label: 'Privacy Policy' },
]

const linkClass = 'inline-block rounded-[3px] py-1 text-text transition-colors hover:text-ink'

/** Five columns and the year. */
export function SiteFooter() {
  const { mission, social, contact, copyrightYear } = siteFacts
  return (
    <footer className="border-t bg-surface">
      <div className="mx-auto grid max-w-300 gap-x-8 gap-y-10 px-5 py-14 text-base sm:grid-cols-2 sm:px-8 wide:grid-cols-[1.7fr_1fr_1fr_1fr_1.2fr]">
        <div className="sm:col-span-2 wide:col-span-1">
          <Wordmark />
          <p className="mt-3 max-w-sm text-muted">{mission}</p>
        </div>
        <Column title="Follow us">
          {social.map((one) => (
            <li key={one.name}>
              {one.href ? (
                <a href={one.href} className={linkClass}>
                  {one.name}
                </a>
              ) : (
                <span className="inline-block py-1 text-muted">{one.name}</span>
              )}
            </li>
          ))}
        </Column>
        <Column title="Site">
          {site.map((link) => (
            <li key={link.to}>
              <Link to={link.to} className={linkClass}>
                {link.label}
              </Link>
            </li>
          ))}
        </Column>
        <Column title="Account">
          {account.map((link) => (
            <li key={link.label}>
              {link.to ? (
                <Link to={link.to} className={linkClass}>
                  {link.label}
                </Link>
              ) : (
                // biome-ignore lint/a11y/useValidAnchor: a dead link, as specified
                <a className="inline-block py-1 text-muted">{link.label}</a>
              )}
            </li>
          ))}
        </Column>
        <Column title="Contact">
          <li>
            <a href={`mailto:${contact.email}`} className={linkClass}>
              {contact.email}
            </a>
          </li>
          {contact.phone && <li className="py-1">{contact.phone}</li>}
          {contact.address && <li className="py-1">{contact.address}</li>}
        </Column>
      </div>
      <div className="mx-auto flex max-w-300 flex-wrap items-center justify-between gap-4 border-t px-5 py-6 text-sm text-muted sm:px-8">
        <p>© {copyrightYear} Postlark</p>
        <ThemeSwitch />
      </div>
    </footer>
  )
}

function Column({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section>
      <h2 className="mb-2 text-sm font-semibold">{title}</h2>
      <ul>{children}</ul>
    </section>
  )
}
