export { type Tool, tools } from './tools.ts'
export { planLabel } from './user-badge.ts'
