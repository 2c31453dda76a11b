/** The links of the navigation bar, in the order of docs/specification.md, 2. */
export const navLinks = [
  { to: '/', label: 'Home' },
  { to: '/about', label: 'About Us' },
  { to: '/services', label: 'Services' },
  { to: '/templates', label: 'Templates' },
  { to: '/blogs', label: 'Blogs' },
  { to: '/contact', label: 'Contact Us' },
]

/** What the mobile menu and the footer have besides. */
export const pricingLink = { to: '/pricing', label: 'Pricing' }
