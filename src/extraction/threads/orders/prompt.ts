import { readPrompt } from '../../page-data/crawl-prompt.ts'
import type { PromptOrder } from '../messages.ts'
import type { Done } from './order-kind.ts'

export function run({ prompt, paths }: PromptOrder): Done {
  return { done: readPrompt(prompt, paths) }
}
