import { readStoredPage } from '../../merge/stored-page.ts'
import type { StoredPageOrder } from '../messages.ts'
import type { Done } from './order-kind.ts'

export function run({ document, url }: StoredPageOrder): Done {
  return { done: readStoredPage(new TextDecoder().decode(document), url) }
}
