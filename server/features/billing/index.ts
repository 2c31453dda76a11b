/** Plans and what is used of them. */
export { mountBilling } from './routes.ts'
