export { SAMPLES_KEY } from './queries.ts'
export { SampleCard } from './sample-card.tsx'
