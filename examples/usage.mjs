// Prints the remaining credits of a team, its running jobs and its last calls.
// WINNOW_KEY=fc-... node examples/usage.mjs
const service = process.env.WINNOW_URL ?? 'http://127.0.0.1:3002'
const key = process.env.WINNOW_KEY ?? ''

const { data: credits } = await get('/v2/team/credit-usage')
const balance = credits.unlimited ? 'no limit' : `${credits.remainingCredits} of ${credits.planCredits}`
process.stdout.write(`credits: ${balance}\n`)

const { periods } = await get('/v2/team/credit-usage/historical?timeRange=day')
for (const { startDate, creditsUsed } of periods) {
  process.stdout.write(`  ${startDate.slice(0, 10)}: ${creditsUsed} used\n`)
}
const queue = await get('/v2/team/queue-status')
const { activeJobsInQueue, waitingJobsInQueue, maxConcurrency } = queue
process.stdout.write(`jobs: ${activeJobsInQueue} of ${maxConcurrency} slots, ${waitingJobsInQueue} waiting\n`)

const { data: calls } = await get('/v2/team/activity?limit=5')
for (const call of calls) process.stdout.write(`  ${call.created_at} ${call.endpoint} ${call.target ?? ''}\n`)

async function get(path) {
  const response = await fetch(service + path, { headers: { authorization: `Bearer ${key}` } })
  const result = await response.json()
  if (!result.success) throw new Error(`${response.status} ${result.code}: ${result.error}`)
  return result
}
