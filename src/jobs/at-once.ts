import { afford, chargeAll } from '../accounts/billing.ts'
import type { Team } from '../accounts/team.ts'
import { AppError } from '../base/errors.ts'
import { insertJobs, type JobRow } from '../store/jobs.ts'
import { lockTeam } from '../store/locks.ts'
import type { Queryable, Store } from '../store/schema.ts'
import { inBatches } from './batches.ts'
import { claimKey, type IdempotencyKey } from './idempotency-key.ts'
import { chargeFor } from './job.ts'

/** A job that had ended before it was written down. */
export interface EndedJob {
  team: Team
  row: JobRow
  idempotency?: IdempotencyKey | undefined
}

/**
 * Records jobs that were answered at once: they took no slot and held no lease, so there is nothing to write before they
 * end. The record and its charge are one transaction. It does not wait for the disk: no work is lost with it, and a
 * power cut that takes the record takes the charge as well. Answers why a team cannot pay; then nothing was written.
 */
export function atOnceRecorder(store: Store): (job: EndedJob) => Promise<AppError | undefined> {
  return inBatches((batch: EndedJob[]) =>
    store.transaction((transaction) => recordAll(store, transaction, batch), { durable: false }),
  )
}

async function recordAll(
  store: Store,
  transaction: Queryable,
  batch: EndedJob[],
): Promise<(AppError | undefined)[]> {
  const refusals = new Map<EndedJob, AppError>()
  const byTeam = Map.groupBy(batch, ({ team }) => team.id)
  // In one order everywhere, so that two transactions never hold what the other one waits for.
  for (const [teamId, jobs] of [...byTeam].sort(([left], [right]) => (left < right ? -1 : 1))) {
    let balance = (await lockTeam(store, transaction, teamId))?.balance ?? null
    for (const job of jobs) {
      const refusal = await refusalOf(transaction, job, balance)
      if (refusal) refusals.set(job, refusal)
      else if (balance !== null) balance -= job.row.credits
    }
  }
  const paid = batch.filter((job) => !refusals.has(job)).map(({ row }) => row)
  await insertJobs(transaction, paid)
  await chargeAll(
    transaction,
    paid.map((row) => chargeFor(row, row.credits, row.finished_at ?? row.created_at)),
  )
  return batch.map((job) => refusals.get(job))
}

async function refusalOf(
  transaction: Queryable,
  { team, row, idempotency }: EndedJob,
  balance: number | null,
): Promise<AppError | undefined> {
  try {
    await afford(transaction, team, { balance, credits: row.credits })
    await claimKey(transaction, row, idempotency)
    return undefined
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown
    throw thrown
  }
}
