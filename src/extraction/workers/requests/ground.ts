import { ground } from '../../grounding/ground.ts'
import type { GroundingRequestMessage } from '../messages.ts'
import type { RequestResult } from './request-kind.ts'

export function run({ claims }: GroundingRequestMessage): RequestResult {
  return { reply: ground(claims) }
}
