export interface Team {
  id: string
  name: string
  keyId: string | null
  isOperator: boolean
  concurrency: number
  zeroRetention: boolean
}
