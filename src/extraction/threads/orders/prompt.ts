import { readPrompt } from '../../page-data/crawl-prompt.ts'
import type { PromptRequestMessage } from '../messages.ts'
import type { Done } from './order-kind.ts'

export function run({ prompt, paths }: PromptRequestMessage): Done {
  return { done: readPrompt(prompt, paths) }
}
