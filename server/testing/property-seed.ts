/**
 * Property tests draw the same inputs at every run, so that a run tells what a change did. `npm run test:faults` draws new ones,
 * which is how they find what nobody thought of.
 */
import fc from 'fast-check'
import { isLong } from './long.ts'

const SEED = 20_261_127

if (!isLong) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED })
