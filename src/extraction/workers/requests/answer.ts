import { checkAnswerText } from '../../../platform/check-answer-text.ts'
import type { AnswerRequestMessage } from '../messages.ts'
import type { Done } from './request-kind.ts'

export function run({ answer }: AnswerRequestMessage): Done {
  return { done: checkAnswerText(answer) }
}
