export { AdminMenuLink } from './admin-menu-link.tsx'
