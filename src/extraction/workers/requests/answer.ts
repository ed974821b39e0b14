import { checkAnswerText } from '../../../platform/check-answer-text.ts'
import type { AnswerRequestMessage } from '../messages.ts'
import type { RequestResult } from './request-kind.ts'

export function run({ answer }: AnswerRequestMessage): RequestResult {
  return { reply: checkAnswerText(answer) }
}
