/** The dashboard: figures of several features on one page. */
export { mountDashboard } from './routes.ts'
