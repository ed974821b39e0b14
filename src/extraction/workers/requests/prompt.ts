import { readPrompt } from '../../page-parts/crawl-prompt.ts'
import type { PromptRequestMessage } from '../messages.ts'
import type { Done } from './request-kind.ts'

export function run({ prompt, paths }: PromptRequestMessage): Done {
  return { done: readPrompt(prompt, paths) }
}
