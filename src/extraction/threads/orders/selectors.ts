import { findInvalidSelector } from '../../../content/select.ts'
import type { SelectorsOrder } from '../messages.ts'
import type { Done } from './order-kind.ts'

export function run({ selectors }: SelectorsOrder): Done {
  return { done: findInvalidSelector(selectors) }
}
