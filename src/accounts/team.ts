/** The owner of keys, jobs and credits, as the rest of the service sees it; with the key of the current call. */
export interface Team {
  id: string
  name: string
  keyId: string | null
  /** Whether this call may change accounts and see all teams. */
  isOperator: boolean
  concurrency: number
  zeroRetention: boolean
}
