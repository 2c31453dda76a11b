/** Sample data: contacts, a template and a sent campaign that show a new workspace what the product does. */
export { mountSamples } from './routes.ts'
