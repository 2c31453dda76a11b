export { SampleCard } from './sample-card.tsx'
