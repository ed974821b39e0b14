import { readPrompt } from '../../page-parts/crawl-prompt.ts'
import type { PromptRequestMessage } from '../messages.ts'
import type { RequestResult } from './request-kind.ts'

export function run({ prompt, paths }: PromptRequestMessage): RequestResult {
  return { reply: readPrompt(prompt, paths) }
}
