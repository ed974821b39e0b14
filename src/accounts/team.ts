/** Owner of keys, jobs and credits, with the key of the current call. */
export interface Team {
  id: string
  name: string
  keyId: string | null
  /** True if this call may change accounts and read all teams. */
  isOperator: boolean
  concurrency: number
  zeroRetention: boolean
}
