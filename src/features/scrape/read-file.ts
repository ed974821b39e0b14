import type { Deadline } from '../../base/deadline.ts'
import { AppError } from '../../base/errors.ts'
import type { PermitOwner } from '../../base/permits.ts'
import type { Trace } from '../../base/trace/trace.ts'
import type { Page } from '../../content/page.ts'
import { isDocument } from '../../documents/is-document.ts'
import { planParsers } from '../../documents/options.ts'
import { type DocumentNeeds, type ReadDocument, readDocument } from '../../documents/read-document.ts'
import { takesFile } from '../../formats/index.ts'
import type { PartWishes } from '../../page-data/parts.ts'
import type { PageReader } from '../../page-threads/page-reader.ts'
import type { ScrapePlan } from './plan.ts'
import type { ScrapeRequest } from './schema.ts'

/** A page that is a file, converted; nothing when it is a page, or when its bytes are what was asked for. */
export async function readFile(
  needs: { documents: DocumentNeeds; reader: PageReader },
  page: Page,
  how: {
    request: ScrapeRequest
    plan: ScrapePlan
    deadline: Deadline
    wishes: PartWishes
    who: PermitOwner
    trace: Trace
  },
): Promise<ReadDocument | undefined> {
  const { request, plan, deadline, wishes, who, trace } = how
  if (!isConverted(page, request)) return undefined
  const file = {
    source: { bytes: page.bytes },
    name: decodeURIComponentOrNot(new URL(page.url).pathname),
    mediaType: page.headers['content-type'],
    url: page.url,
  }
  try {
    return await readDocument({ ...needs.documents, reader: needs.reader }, file, {
      plan: planParsers(request.parsers),
      ...{ content: plan.content, wishes, who, deadline, trace },
      // Its bounds were those of the page that it came as.
      refuseLarge: () => {},
    })
  } catch (thrown) {
    // Of an upload its sender says what it is; a URL may hold anything, and that has had a code of its own.
    if (thrown instanceof AppError && thrown.code === 'UNSUPPORTED_FILE_TYPE') return undefined
    throw thrown
  }
}

/** Whether an answer takes a conversion: work worth a slot, even where the file itself is at hand. */
export function isConverted(page: Page, { formats }: Pick<ScrapeRequest, 'formats'>): boolean {
  return !takesFile(formats, page) && isDocument(page)
}

function decodeURIComponentOrNot(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
