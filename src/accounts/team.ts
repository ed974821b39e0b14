export interface Team {
  id: string
  name: string
  keyId: string | null
  /** True if this call may change accounts and read all teams. */
  isOperator: boolean
  concurrency: number
  zeroRetention: boolean
}
