import { readStoredPage } from '../../merge/stored-page.ts'
import type { StoredPageRequestMessage } from '../messages.ts'
import type { RequestResult } from './request-kind.ts'

export function run({ document, url }: StoredPageRequestMessage): RequestResult {
  return { reply: readStoredPage(new TextDecoder().decode(document), url) }
}
