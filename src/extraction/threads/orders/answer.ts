import { checkAnswerText } from '../../../platform/check-answer-text.ts'
import type { AnswerOrder } from '../messages.ts'
import type { Done } from './order-kind.ts'

export function run({ answer }: AnswerOrder): Done {
  return { done: checkAnswerText(answer) }
}
