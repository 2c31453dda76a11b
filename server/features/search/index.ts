/** Search: contacts, campaigns and templates in one request. */
export { mountSearch } from './routes.ts'
