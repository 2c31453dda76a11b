/** Facts about the installation. */
export { mountSystem } from './routes.ts'
