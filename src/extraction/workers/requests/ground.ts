import { ground } from '../../grounding/ground.ts'
import type { GroundingRequestMessage } from '../messages.ts'
import type { Done } from './request-kind.ts'

export function run({ claims }: GroundingRequestMessage): Done {
  return { done: ground(claims) }
}
