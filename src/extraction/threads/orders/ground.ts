import { ground } from '../../claims/ground.ts'
import type { GroundingRequestMessage } from '../messages.ts'
import type { Done } from './order-kind.ts'

export function run({ claims }: GroundingRequestMessage): Done {
  return { done: ground(claims) }
}
