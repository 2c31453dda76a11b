export { PlanBar } from './plan-bar.tsx'
