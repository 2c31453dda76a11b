/** Whether this is the long run (`npm run test:faults`): more kills, larger volumes, and what measures instead of proving. */
export const isLong = process.env.TEST_LONG === '1'
