import { findInvalidSelector } from '../../../content/select.ts'
import type { SelectorsRequestMessage } from '../messages.ts'
import type { Done } from './request-kind.ts'

export function run({ selectors }: SelectorsRequestMessage): Done {
  return { done: findInvalidSelector(selectors) }
}
