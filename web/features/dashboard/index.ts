export { prefetchDashboard } from './prefetch-dashboard.ts'
