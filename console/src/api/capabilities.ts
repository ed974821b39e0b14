import { useQuery } from '@tanstack/react-query'
import { request } from './request.ts'

export interface Capability {
  name: string
  available: boolean
  /** What it does, or why it does not work here. */
  note: string
  /** What an operator can do to have it. */
  enable?: string
}

export interface Capabilities {
  version: string
  features: Capability[]
}

/** What works on this installation. */
export function useCapabilities() {
  return useQuery({
    queryKey: ['capabilities'],
    queryFn: () => request<Capabilities>('GET', '/v2/capabilities'),
  })
}
