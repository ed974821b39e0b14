import { findInvalidSelector } from '../../../content/select.ts'
import type { SelectorsRequestMessage } from '../messages.ts'
import type { RequestResult } from './request-kind.ts'

export function run({ selectors }: SelectorsRequestMessage): RequestResult {
  return { reply: findInvalidSelector(selectors) }
}
