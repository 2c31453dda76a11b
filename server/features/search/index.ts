/** Search: contacts, campaigns, templates and journeys in one request. */
export { mountSearch } from './routes.ts'
