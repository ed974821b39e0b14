/** True for `npm run faults`, which runs every fault. `npm test` runs a short form. */
export const isWhole = process.env.FAULTS === 'whole'
