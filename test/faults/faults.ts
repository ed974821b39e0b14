/** `npm run faults` takes its time; `npm test` runs a short form. */
export const isWhole = process.env.FAULTS === 'whole'
