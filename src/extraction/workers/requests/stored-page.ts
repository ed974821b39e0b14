import { readStoredPage } from '../../merge/stored-page.ts'
import type { StoredPageRequestMessage } from '../messages.ts'
import type { Done } from './request-kind.ts'

export function run({ document, url }: StoredPageRequestMessage): Done {
  return { done: readStoredPage(new TextDecoder().decode(document), url) }
}
