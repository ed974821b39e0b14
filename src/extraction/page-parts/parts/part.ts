import type { Content } from '../../../content/content.ts'
import type { MaybePromise } from '../../../platform/functions.ts'
import type { JsonText } from '../../../platform/json/json.ts'
import type { Redaction } from '../../redaction/redact.ts'
import type { PageText } from '../page-text.ts'

/** The page that a part is made from. */
export interface PartSource {
  /** Its Markdown is redacted if the call says so. */
  content: Content
  url: string
  redaction: Redaction | undefined
  sentences(): Promise<PageText>
}

/** Packs what may be long where the page is read: only then is it passed on without being copied or serialised again. */
export interface Pack {
  json<Value>(value: Value): Value | JsonText
  utf8(text: string): string | Uint8Array
}

/** Something that can be derived from a page where it is read. */
export interface Part<Value, Packed, Wish> {
  /** Loads code or data that few pages need itself: threads that never make the part would hold it as well. */
  make(source: PartSource, wish: Wish): MaybePromise<Value>
  /** Default: the value is short. */
  pack?(value: Value, pack: Pack): Packed
  /** What in the request decides how long making it takes, for the error of a page that takes too long. */
  cost?: string
}

export function definePart<Value, Packed = Value, Wish = true>(
  part: Part<Value, Packed, Wish>,
): Part<Value, Packed, Wish> {
  return part
}
