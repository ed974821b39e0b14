import { type ProviderAnswer, ProviderFailure, type ProviderProblem } from './provider.ts'

/** A refusal that means something else than its status usually does. */
export interface KnownRefusal {
  status: number
  /** What its body holds, where the status alone does not tell. */
  says?: string
  problem: ProviderProblem
  message: string
}

/** Throws the first that fits; what fits none is left to the status. */
export function refuseKnown({ status, body }: ProviderAnswer, refusals: readonly KnownRefusal[]): void {
  for (const { status: known, says = '', problem, message } of refusals) {
    if (status !== known || !body.slice(0, 10_000).includes(says)) continue
    throw new ProviderFailure(problem, message, { isForAll: says === '' && problem === 'rate-limited' })
  }
}
