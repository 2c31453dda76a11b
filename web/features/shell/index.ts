export { SandboxPill } from './sandbox-banner.tsx'
export { default as Shell } from './shell.tsx'
export { type Tool, tools } from './tools.ts'
export { planLabel } from './user/user-badge.ts'
