import { ground } from '../../claims/ground.ts'
import type { GroundingOrder } from '../messages.ts'
import type { Done } from './order-kind.ts'

export function run({ claims }: GroundingOrder): Done {
  return { done: ground(claims) }
}
